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

// requestError is used by pointer, so that errors.Is finds one that is kept in a variable.
type requestError struct {
	err  error
	list []error // that Join made err of
}

func (e *requestError) Error() string        { return e.err.Error() }
func (e *requestError) Unwrap() error        { return e.err }
func (e *requestError) Is(target error) bool { return target == fs.ErrInvalid }

// Errorf is fmt.Errorf for a wrong request or wrong data. The message is one sentence that names
// the place of the error and says how to correct it.
func Errorf(format string, args ...any) error {
	return &requestError{err: fmt.Errorf(format, args...)}
}

// Join lists several violations as one error, one a line and each once; nil if there are none.
func Join(errs ...error) error {
	var list []error
	seen := map[string]bool{}
	for _, err := range errs {
		list = flatten(list, seen, err)
	}
	if err := errors.Join(list...); err != nil {
		return &requestError{err, list}
	}
	return nil
}

// flatten adds err, or each of the violations that Join made it of, to the list unless its message
// is there.
func flatten(list []error, seen map[string]bool, err error) []error {
	if err == nil {
		return list
	}
	if r, ok := err.(*requestError); ok && r.list != nil {
		for _, e := range r.list {
			list = flatten(list, seen, e)
		}
		return list
	}
	if !seen[err.Error()] {
		seen[err.Error()] = true
		list = append(list, err)
	}
	return list
}
