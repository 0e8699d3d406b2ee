package adapter

import "syscall"

// processAttributes make the command lead a process group of its own, and die if
// the worker is killed, since its message is then given to another worker.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
