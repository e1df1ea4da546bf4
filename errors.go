package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// Error is an error of this package. Error names options plainly; Text names them in another way.
// It unwraps to its cause: errors.Is(err, fs.ErrInvalid) for a wrong request or wrong data.
type Error struct{ err error }

// Error implements error.
func (e *Error) Error() string { return plainNames(e.err.Error()) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

// Text is the message with the names of options as the function writes them: "--neighbors".
func (e *Error) Text(name func(option string) string) string {
	return words.Rename(e.err.Error(), name)
}

// wrapped makes the error of an exported function.
func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return &Error{err}
}

// Statuses of a program that ends with an error of this package, and codes of the C interface.
const (
	StatusDone        = 0
	StatusFailed      = 1   // while working: not converged, out of memory, write error
	StatusRequest     = 2   // the request was wrong: option, file, label, matrix
	StatusInterrupted = 130 // the context was cancelled
)

// ExitStatus is the status of a program that ends with err.
func ExitStatus(err error) int {
	switch {
	case err == nil:
		return StatusDone
	case errors.Is(err, context.Canceled):
		return StatusInterrupted
	case errors.As(err, new(*folder.WriteError)), errors.Is(err, memory.ErrLimit):
		return StatusFailed
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission),
		errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return StatusRequest
	}
	return StatusFailed
}

// inFile names the file that an error is about, unless the error does so itself, and documents and
// terms by their names.
func (j *job) inFile(err error) error {
	err = j.inDocuments(err)
	if err == nil || errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), j.file) {
		return err
	}
	for _, file := range j.files() { // of labels or constraints, say
		if file != "" && strings.HasPrefix(err.Error(), file+": ") {
			return err
		}
	}
	return fmt.Errorf("%s: %w", j.file, err)
}

// inDocuments names the documents and terms of an error about a place in a matrix: the rows of a
// file are counted otherwise there, and not all of them may be at work.
func (j *job) inDocuments(err error) error {
	if err == nil || j.corpus == nil {
		return err
	}
	var place *invalid.PlaceError
	var value *sparse.NotFiniteError
	switch {
	case errors.As(err, &place):
		if where := j.place(place.Row, place.Col); where != "" {
			return &renamed{strings.Replace(err.Error(), place.Error(), place.In(where), 1), err}
		}
	case errors.As(err, &value):
		if where := j.place(value.Row, value.Col); where != "" {
			return &renamed{strings.Replace(err.Error(), value.Error(), fmt.Sprintf("%s: the value is %v, and every value must be finite", where, value.Value), 1), err}
		}
	}
	return err
}

// place names a row, and a column unless it is negative; "" if there is no such place.
func (j *job) place(row, col int) string {
	n := j.corpus.Len()
	_, cols := j.corpus.X.Dims()
	if j.vectors != nil {
		cols = j.columns()
	}
	if row < 0 || row >= n || col >= cols {
		return ""
	}
	where := "document " + clip(j.corpus.ID(row))
	if col >= 0 {
		where += ", " + j.term(col)
	}
	return where
}

// term is a column's name, or its number counted from 1.
func (j *job) term(t int) string {
	if j.vectors != nil {
		return fmt.Sprintf("number %d of its vector", t+1)
	}
	if j.corpus.Terms != nil {
		return clip(j.corpus.Terms[t])
	}
	return fmt.Sprintf("term %d", t+1)
}

// renamed is an error with another text.
type renamed struct {
	text string
	err  error
}

func (e *renamed) Error() string { return e.text }
func (e *renamed) Unwrap() error { return e.err }

// wayOut says in terms of options what can be done about an error of the engine.
func wayOut(err error) error {
	var nc *eigen.NotConvergedError
	if !errors.As(err, &nc) || nc.Result == nil {
		return err
	}
	way := "give a larger ‹max-iter› or ‹tol›, or another ‹solver›"
	if nc.Unsearched && nc.Result.Converged == nc.Wanted {
		way = "give a larger ‹max-iter›"
		if nc.Missing > 0 {
			way = "give another ‹solver›"
		}
	}
	return &renamed{nc.State() + ": " + way, err}
}
