// Package invalid marks errors that the caller's request or data caused, as against work that failed.
//
// Such an error satisfies errors.Is(err, fs.ErrInvalid); the command line turns it into exit status 2.
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

// Errorf is fmt.Errorf for a request or data that is wrong. The message is one sentence in the
// user's words that names the place and the way out.
func Errorf(format string, args ...any) error {
	return requestError{fmt.Errorf(format, args...)}
}

// Join lists several violations as one error, one a line; nil when there are none.
func Join(errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return requestError{err}
	}
	return nil
}
