//go:build unix && !linux

package adapter

import "syscall"

// processAttributes make the command lead a process group of its own.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
