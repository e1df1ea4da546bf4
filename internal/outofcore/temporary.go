package outofcore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// temporary makes a file that has no name on the disk once it is open. name has a *, for which a
// number is put.
func temporary(name string) (*os.File, error) {
	file, err := os.CreateTemp("", name)
	if err != nil {
		return nil, noRoom(err)
	}
	_ = os.Remove(file.Name()) // where that cannot be, its owner removes it when it is closed
	return file, nil
}

// noRoom is the error of a temporary file that could not be made or written, with the folder in
// place of the file's name, and what helps.
func noRoom(err error) error {
	if err == nil {
		return nil
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	why := "name another folder for temporary files by TMPDIR"
	if errors.Is(err, syscall.ENOSPC) {
		why = "free some space there, or " + why
	}
	return fmt.Errorf("%w: %s", &fs.PathError{Op: "write", Path: os.TempDir(), Err: err}, why)
}
