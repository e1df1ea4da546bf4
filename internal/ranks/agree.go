package ranks

import (
	"errors"
	"io/fs"
)

// Agree returns an error on every rank if one of them has one: the own error, else that of the
// lowest rank that has one. All ranks call it; without it a rank would wait for one that has
// returned. An error of another rank keeps its text, and whether it is fs.ErrInvalid.
func Agree(t Team, err error) error {
	var own []byte
	if err != nil {
		kind := byte('e')
		if errors.Is(err, fs.ErrInvalid) {
			kind = 'i'
		}
		own = append([]byte{kind}, err.Error()...)
	}
	var first []byte
	for _, text := range Gather(t, own) {
		if first == nil && len(text) > 0 {
			first = text
		}
	}
	switch {
	case err != nil:
		return err
	case first == nil:
		return nil
	case first[0] == 'i':
		return &otherError{string(first[1:]), fs.ErrInvalid}
	}
	return &otherError{string(first[1:]), nil}
}

// otherError is the error of another rank.
type otherError struct {
	text string
	kind error
}

func (e *otherError) Error() string { return e.text }
func (e *otherError) Unwrap() error { return e.kind }
