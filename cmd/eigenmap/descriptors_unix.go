//go:build unix

package main

import (
	"fmt"
	"syscall"
)

// leastDescriptors are the file descriptors that a run needs beside its standard streams: the Go
// runtime takes three to wait for files, and ends with a trace if it gets none.
const leastDescriptors = 4

// checkDescriptors refuses to start without file descriptors.
func checkDescriptors() error {
	var got []int
	defer func() {
		for _, d := range got {
			syscall.Close(d)
		}
	}()
	for range leastDescriptors {
		d, err := syscall.Open("/dev/null", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err == syscall.EMFILE || err == syscall.ENFILE {
			return fmt.Errorf("%v: the program needs %d file descriptors beside its standard streams, and %d are free: raise the limit (ulimit -n)", err, leastDescriptors, len(got))
		}
		if err != nil {
			return nil // no such device here: the work will show what is missing
		}
		got = append(got, d)
	}
	return nil
}
