package matrix

import (
	"errors"
	"fmt"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// tooDense is the refusal of rows that are taken as dense and do not fit into the memory, where as
// sparse ones they do. It is an input.ErrMemory.
type tooDense struct{ rows, cols, entries int }

func (e *tooDense) Error() string { return input.ErrMemory.Error() }
func (e *tooDense) Unwrap() error { return input.ErrMemory }

// wrapRows is Wrap of an error of making the matrix.
func (in *source) wrapRows(err error) error {
	var dense *tooDense
	if !errors.As(err, &dense) {
		return in.Wrap("", err)
	}
	cells := int64(dense.rows) * int64(dense.cols)
	format := "its rows are taken as dense, since %.3g %% of the cells of %s are not 0, and need %s, more than is left " +
		"of the %s of memory allowed here; allow more with %s, or write it as a coordinate file of Matrix Market, " +
		"whose rows stay sparse and are compared by direction"
	return &input.FormatError{File: in.Name, Err: input.ErrMemory, Why: fmt.Sprintf(format,
		100*float64(dense.entries)/float64(cells), words.Counted(dense.cols, "column"), message.Bytes(8*cells),
		message.Bytes(in.Mem.Limit), words.Option(memory.OptionName))}
}
