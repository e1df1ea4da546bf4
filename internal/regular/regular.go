// Package regular opens the files that a user names. It has the one rule for them: only a regular
// file is opened. A folder has no content, opening a pipe would wait for its writer, and a device
// may have no end.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Error says why a file is refused and what to do. It satisfies errors.Is(err, fs.ErrInvalid).
type Error struct{ Path, Why string }

// Error returns "path: why".
func (e *Error) Error() string { return e.Path + ": " + e.Why }

// Is reports that the request is at fault.
func (e *Error) Is(target error) bool { return target == fs.ErrInvalid }

// Open opens a regular file for reading and returns its size in bytes. Anything else is an
// *[Error]; it is refused before it is opened. Other errors come from the system (*fs.PathError).
func Open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if info.IsDir() {
		return nil, 0, &Error{path, "is a folder, where a file is needed; name the file"}
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &Error{path, "is not a regular file (a pipe or a device); save its content to a file and name that"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Read returns the content of a regular file of at most limit bytes. what the file is, "a list of
// stop words", is for the message about a longer one.
func Read(path, what string, limit int64) ([]byte, error) {
	f, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1)) // the size may be wrong: the file may grow
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &Error{path, fmt.Sprintf("is longer than %d bytes, the most that %s may have; check that it is the right file", limit, what)}
	}
	return data, nil
}
