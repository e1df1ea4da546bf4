// Package lock keeps two runs of the program from writing to the same place. A lock belongs to an open file or folder: it
// leaves nothing behind, and goes with the process, however that ends. Where there are no locks (the system, or the file
// system) everything is granted.
package lock

import (
	"errors"
	"os"
)

// ErrHeld says that another open file holds the lock.
var ErrHeld = errors.New("another run holds the lock")

// File locks f for this open file alone, until it is closed. Errors: ErrHeld, and what the system says.
func File(f *os.File) error { return take(f, false) }

// Dir opens the folder dir and locks it, alone or with others that share it; closing the file unlocks it. Where the folder
// was replaced or removed meanwhile, the one that stands there now counts. Errors: ErrHeld, fs.ErrNotExist. The file is nil
// where the folder cannot be opened or locked for another reason: whoever can write there may go on without.
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
