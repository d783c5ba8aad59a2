//go:build linux || darwin

package main

import "syscall"

// limitMemory limits how much memory this process can use. It limits the data segment. A limit on
// the address space would not work, because the Go runtime reserves more addresses than it uses.
// The limit has no effect on systems that do not apply it to mapped memory, such as macOS.
func limitMemory(bytes uint64) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &limit) == nil && bytes < limit.Cur {
		limit.Cur = bytes
		_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
	}
}
