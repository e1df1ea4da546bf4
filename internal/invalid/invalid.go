// Package invalid marks errors that a wrong request or wrong data caused, as opposed to failures of
// the program or the system.
//
// Such an error satisfies errors.Is(err, fs.ErrInvalid). The command line exits with status 2 for
// it.
package invalid

import (
	"errors"
	"fmt"
	"io/fs"
)

type requestError struct{ err error }

func (e requestError) Error() string        { return e.err.Error() }
func (e requestError) Unwrap() error        { return e.err }
func (e requestError) Is(target error) bool { return target == fs.ErrInvalid }

// Errorf is fmt.Errorf for a wrong request or wrong data. The message is one sentence that names
// the place of the error and says how to correct it.
func Errorf(format string, args ...any) error {
	return requestError{fmt.Errorf(format, args...)}
}

// Join combines several errors into one with one line for each. It returns nil if there are none.
func Join(errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return requestError{err}
	}
	return nil
}
