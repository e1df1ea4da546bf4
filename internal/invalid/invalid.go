// Package invalid marks errors that the caller's request or data caused, as against work that failed.
//
// Such an error satisfies errors.Is(err, fs.ErrInvalid); the command line turns it into exit status 2.
package invalid

import (
	"errors"
	"fmt"
	"io/fs"
)

type requestError struct {
	err  error
	list []error // that Join made err of
}

func (e requestError) Error() string        { return e.err.Error() }
func (e requestError) Unwrap() error        { return e.err }
func (e requestError) Is(target error) bool { return target == fs.ErrInvalid }

// Errorf is fmt.Errorf for a request or data that is wrong. The message is one sentence in the
// user's words that names the place and the way out.
func Errorf(format string, args ...any) error {
	return requestError{err: fmt.Errorf(format, args...)}
}

// Join lists several violations as one error, one a line and each once; nil if there are none.
func Join(errs ...error) error {
	var list []error
	seen := map[string]bool{}
	for _, err := range errs {
		list = flatten(list, seen, err)
	}
	if err := errors.Join(list...); err != nil {
		return requestError{err, list}
	}
	return nil
}

// flatten adds err, or each of the violations that Join made it of, to the list unless its message is
// there.
func flatten(list []error, seen map[string]bool, err error) []error {
	if err == nil {
		return list
	}
	if r, ok := err.(requestError); ok && r.list != nil {
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
