package counting

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"sync"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Origin is the file that documents are from.
type Origin struct {
	Ctx     context.Context
	File    string // as errors name it
	Several bool   // the corpus has other files too, so places name this one
	Unit    string // what the documents of the file are: "line" or "row"
	// Places names a line or row; nil: by its number.
	Places func(line int) string
	// Start is the byte where the lines begin that are read here; other ranks read those before.
	Start  int64
	before func() int // lines before start; nil: none
}

// From says that the lines before the byte start are read elsewhere. They are counted when a place
// is needed first, which reads the file up to there.
func (o *Origin) From(start int64) {
	o.Start = start
	o.before = sync.OnceValue(func() int { return countLines(o.Ctx, o.File, start) })
}

// Number is the number in the file of a line or row that is counted from the start.
func (o *Origin) Number(line int) int {
	if o.before != nil {
		line += o.before()
	}
	return line
}

// At names a line or row, from 1, beside the file's name.
func (o *Origin) At(line int) string {
	if o.Places != nil {
		return o.Places(line)
	}
	return o.Unit + " " + strconv.Itoa(o.Number(line))
}

// Place names a line or row of the corpus.
func (o *Origin) Place(line int) string {
	if o.Several {
		return o.At(line) + " of " + o.File
	}
	return o.At(line)
}

// countLines counts the lines of the first n bytes of a file, of its content if it is compressed,
// as far as it can be read.
func countLines(ctx context.Context, path string, n int64) (lines int) {
	in, done, err := input.Open(ctx, path, input.Limits{})
	if err != nil {
		return 0
	}
	defer done()
	r := io.LimitReader(in.Stream, n)
	for buf := make([]byte, 1<<20); ctx.Err() == nil; {
		k, err := r.Read(buf)
		lines += bytes.Count(buf[:k], []byte("\n"))
		if err != nil {
			break
		}
	}
	return lines
}
