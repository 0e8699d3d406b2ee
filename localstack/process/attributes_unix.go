//go:build unix && !linux

package process

import "syscall"

// attributes makes the child a group leader.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
