// Package lock prevents two runs of the program from writing to the same place. A lock belongs to
// an open file or folder. It creates no lock file, and the system releases it when the process ends
// for any reason. If the system or the file system has no locks, every request succeeds.
package lock

import (
	"errors"
	"os"
)

// ErrHeld is the error if another open file holds the lock.
var ErrHeld = errors.New("another run holds the lock")

// File locks f exclusively until f is closed. Errors: ErrHeld and errors of the system.
func File(f *os.File) error { return take(f, false) }

// Dir opens the folder dir and locks it, exclusively or shared with others. Closing the file
// releases the lock. If the folder was replaced or removed in the meantime, Dir locks the folder
// that now has this path. Errors: ErrHeld, fs.ErrNotExist. If the folder cannot be opened or locked
// for another reason, Dir returns a nil file without an error: a caller that can write there may
// continue without a lock.
func Dir(dir string, shared bool) (*os.File, error) {
	if !available {
		return nil, nil
	}
	for range 10 {
		f, err := os.Open(dir)
		if errors.Is(err, os.ErrNotExist) {
			return nil, err
		} else if err != nil {
			return nil, nil
		}
		if err := take(f, shared); err != nil {
			f.Close()
			if errors.Is(err, ErrHeld) {
				return nil, err
			}
			return nil, nil
		}
		locked, err := f.Stat()
		there, gone := os.Stat(dir)
		if err == nil && gone == nil && os.SameFile(locked, there) {
			return f, nil
		}
		f.Close()
		if gone != nil {
			return nil, gone
		}
	}
	return nil, ErrHeld
}
