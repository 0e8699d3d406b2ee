package process

import "syscall"

// attributes makes the child a group leader that the kernel kills with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
