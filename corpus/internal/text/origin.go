package text

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"sync"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// origin is the file that documents are from.
type origin struct {
	ctx     context.Context
	file    string // as errors name it
	several bool   // the corpus has other files too, so places name this one
	unit    string // what the documents of the file are: "line" or "row"
	// start is the byte where the lines begin that are read here; other ranks read those before.
	start  int64
	before func() int // lines before start; nil: none
}

// from says that the lines before the byte start are read elsewhere. They are counted when a place
// is needed first, which reads the file up to there.
func (o *origin) from(start int64) {
	o.start = start
	o.before = sync.OnceValue(func() int { return countLines(o.ctx, o.file, start) })
}

// number is the number in the file of a line or row that is counted from the start.
func (o *origin) number(line int) int {
	if o.before != nil {
		line += o.before()
	}
	return line
}

// at names a line or row, from 1, beside the file's name.
func (o *origin) at(line int) string { return o.unit + " " + strconv.Itoa(o.number(line)) }

// place names a line or row of the corpus.
func (o *origin) place(line int) string {
	if o.several {
		return o.at(line) + " of " + o.file
	}
	return o.at(line)
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
