package ranks

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Error is the error of another rank. errors.Is finds in it the kinds of errors that programs ask
// for: fs.ErrInvalid, fs.ErrNotExist, fs.ErrPermission and the errors of contexts.
type Error struct {
	Rank  int
	Text  string
	kinds []int
	place *invalid.PlaceError // nil if it is not about a place in a matrix
}

var kinds = []error{fs.ErrInvalid, fs.ErrNotExist, fs.ErrPermission, context.Canceled, context.DeadlineExceeded}

func (e *Error) Error() string { return e.Text }

// Unwrap is the error about a place in a matrix, if it is one.
func (e *Error) Unwrap() error {
	if e.place == nil {
		return nil
	}
	return e.place
}

// Is reports whether the error of the other rank was of a kind.
func (e *Error) Is(target error) bool {
	for _, k := range e.kinds {
		if kinds[k] == target {
			return true
		}
	}
	return false
}

// First gives all ranks what the lowest rank says that says anything; rank is -1 if none does.
func First(t Team, say []byte) (rank int, said []byte) {
	for r, said := range Gather(t, say) {
		if len(said) > 0 {
			return r, said
		}
	}
	return -1, nil
}

// Agree gives all ranks the error of the lowest rank that has one: on that rank as it is, on the
// others as an [Error]. A rank that failed calls it where the others do, so that none of them waits
// in a later call for one that has returned. With one rank it returns err.
func Agree(t Team, err error) error {
	if t.Size() == 1 {
		return err
	}
	rank, said := First(t, Encode(err))
	if rank < 0 || rank == t.Rank() {
		return err
	}
	return Decode(rank, said)
}

// Stopped returns the context's error; with ranks, the error of any rank's context, on all of them.
// All ranks call it.
func Stopped(ctx context.Context) error { return Agree(From(ctx), ctx.Err()) }

// message is an error on its way to other ranks.
type message struct {
	Text  string
	Kinds []int
	// Place is the row, the column and the message of an error about a place; nil of others.
	Place *place
}

type place struct {
	Row, Col int
	Template string
}

// Encode is an error for other ranks; nil for nil.
func Encode(err error) []byte {
	if err == nil {
		return nil
	}
	m := message{Text: err.Error()}
	for k, kind := range kinds {
		if errors.Is(err, kind) {
			m.Kinds = append(m.Kinds, k)
		}
	}
	var at *invalid.PlaceError
	if errors.As(err, &at) {
		m.Place = &place{at.Row, at.Col, at.Template()}
	}
	said, _ := json.Marshal(m) // texts and numbers cannot fail
	return said
}

// Decode makes the [Error] of what [Encode] made on another rank.
func Decode(rank int, said []byte) error {
	var m message
	if err := json.Unmarshal(said, &m); err != nil {
		return err
	}
	e := &Error{Rank: rank, Text: m.Text, kinds: m.Kinds}
	if at := m.Place; at != nil {
		e.place = invalid.At(at.Row, at.Col, "%s", at.Template)
	}
	return e
}
