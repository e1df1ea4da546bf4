package corpus

import (
	"errors"
	"fmt"
	"io/fs"
)

// FormatError says in one sentence what is wrong with a file, where, and the way out. It satisfies
// errors.Is(err, fs.ErrInvalid).
type FormatError struct {
	File  string // the file as the user named it
	Place string // "line 12", "variable fea", "byte 1024"; empty where the whole file is meant
	Why   string // what is wrong, and the way out
	Err   error  // the cause, where there is one
}

// Error returns "file: place: why".
func (e *FormatError) Error() string {
	if e.Place == "" {
		return e.File + ": " + e.Why
	}
	return e.File + ": " + e.Place + ": " + e.Why
}

// Is reports that the request or its data are at fault.
func (e *FormatError) Is(target error) bool { return target == fs.ErrInvalid }

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// failf makes the FormatError of a file and place.
func failf(file, place, format string, args ...any) error {
	return &FormatError{File: file, Place: place, Why: fmt.Sprintf(format, args...)}
}

// errMemory is the refusal of a budget; it becomes a FormatError that names the file.
var errMemory = errors.New("more memory than allowed")
