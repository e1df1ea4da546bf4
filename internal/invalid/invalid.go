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
	"slices"
	"strings"
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

// Faults are violations in the order in which they are found, for [Join].
type Faults []error

// Addf adds the violation that [Errorf] makes.
func (f *Faults) Addf(format string, args ...any) { *f = append(*f, Errorf(format, args...)) }

// Join lists several violations as one error, one a line and each once; nil if there are none. The
// message has the first [Shown] of them; errors.Is and errors.As see all.
func Join(errs ...error) error {
	var list []error
	seen := map[string]bool{}
	for _, err := range errs {
		list = flatten(list, seen, err)
	}
	if len(list) == 0 {
		return nil
	}
	return &requestError{&joined{list}, list}
}

// Without is a violation, or a list of them, but for those that satisfy errors.Is(err, target); nil
// if none is left.
func Without(err, target error) error {
	return Join(slices.DeleteFunc(flatten(nil, map[string]bool{}, err), func(e error) bool { return errors.Is(e, target) })...)
}

// Shown is the largest number of faults that a message lists.
const Shown = 10

// List joins the texts of faults, at most [Shown] of them, and says how many more there are.
func List(texts []string, separator string) string {
	text := strings.Join(texts[:min(len(texts), Shown)], separator)
	if more := len(texts) - Shown; more > 0 {
		text += fmt.Sprintf("%sand %d more", separator, more)
	}
	return text
}

// joined is several errors in one.
type joined struct{ list []error }

func (e *joined) Unwrap() []error { return e.list }

func (e *joined) Error() string {
	texts := make([]string, len(e.list))
	for i, err := range e.list {
		texts[i] = err.Error()
	}
	return List(texts, "\n")
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
