package input

import (
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// causes are the causes of a FormatError that other ranks are told of.
var causes = []error{ErrNoDocuments, ErrNoTerms, ErrSameID, ErrNumbers, ErrWordColumns, ErrMissing, ErrMemory, fs.ErrNotExist, fs.ErrPermission}

// said is an error on its way to other ranks: a FormatError, or one in the form of ranks.Encode.
type said struct {
	File, Place, Why string
	Cause            int // a number in causes, from 1; 0: another or none
	Other            []byte
}

// Agree is [ranks.Agree] that keeps a FormatError one.
func Agree(t ranks.Team, err error) error {
	var say []byte
	if err != nil {
		var s said
		var format *FormatError
		if errors.As(err, &format) {
			s = said{File: format.File, Place: format.Place, Why: format.Why}
			for k, cause := range causes {
				if errors.Is(err, cause) {
					s.Cause = k + 1
				}
			}
		} else {
			s.Other = ranks.Encode(err)
		}
		say, _ = json.Marshal(s) // texts and numbers cannot fail
	}
	rank, heard := ranks.First(t, say)
	if rank < 0 || rank == t.Rank() {
		return err
	}
	var s said
	if err := json.Unmarshal(heard, &s); err != nil {
		return err
	}
	if s.Other != nil {
		return ranks.Decode(rank, s.Other)
	}
	format := &FormatError{File: s.File, Place: s.Place, Why: s.Why}
	if s.Cause > 0 {
		format.Err = causes[s.Cause-1]
	}
	return format
}
