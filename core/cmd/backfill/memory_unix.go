//go:build linux || darwin

package main

import "syscall"

// limitMemory limits how much memory this process can use. It limits data segments, because the Go
// runtime reserves more addresses than it uses, so a limit on addresses would not work. It has no
// effect on systems that do not apply this limit to mapped memory, such as macOS.
func limitMemory(bytes uint64) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &limit) == nil && bytes < limit.Cur {
		limit.Cur = bytes
		_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
	}
}
