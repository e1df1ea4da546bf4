//go:build unix

package papers

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errLocked says that another open file holds the lock.
var errLocked = errors.New("locked")

// lock takes the file for this open handle alone. The lock goes with the handle, so a killed process leaves none.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
