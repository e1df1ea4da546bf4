// Package fault is the error that the public functions of the program return.
package fault

import "github.com/eigenmap/eigenmap/internal/words"

// Error is an error of package eigenmap. Error names options plainly; Text names them in another
// way. It unwraps to its cause: errors.Is(err, fs.ErrInvalid) for a wrong request or wrong data.
type Error struct{ err error }

// Error implements error.
func (e *Error) Error() string { return words.Plain(e.err.Error()) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

// Text is the message with the names of options as the function writes them: "--neighbors".
func (e *Error) Text(name func(option string) string) string {
	return words.Rename(e.err.Error(), name)
}

// Wrap makes err the error of a public function; nil of nil. An *Error stays as it is.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{err}
}

// Reword returns err with another text.
func Reword(err error, text string) error { return &reworded{text, err} }

type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }
