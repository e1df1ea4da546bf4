package text

import (
	"bufio"
	"bytes"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
)

// readTextLines reads a text of one document per line; lines without a word that are empty are
// none. The encoding is ReadOptions.Encoding, or found out.
func readTextLines(in *source) (*counting.Collection, error) { return in.readLines(nil) }

// readLines is [readTextLines]; each is done with every document, if it is not nil.
func (in *source) readLines(each func(*counting.Document)) (*counting.Collection, error) {
	if err := charset.Stream(in.File, in.opt.Encoding); err != nil {
		return nil, err
	}
	l := &textLines{from: &counting.Origin{File: in.Name, Unit: "line"}, r: in.Stream, limit: in.Mem.Limit / lineShare, dec: charset.Decoder{Auto: in.opt.Encoding == ""}, each: each}
	in.divides = true
	_, c, err := in.countTexts(l.batches, nil)
	return c, err
}

// textLines makes a document of each line.
type textLines struct {
	from  *counting.Origin
	r     *bufio.Reader
	limit int64
	dec   charset.Decoder
	each  func(*counting.Document)
}

// batches emits all lines that are not blank.
func (l *textLines) batches(emit func(counting.Batch) bool) error {
	decode := func(raw []byte, line int) (d counting.Document, err error) {
		d.Line = line
		d.Text, d.Guessed, d.Damaged = l.dec.Decode(raw)
		if l.each != nil {
			l.each(&d)
		}
		return d, nil
	}
	lines := &jsonLines{from: l.from, r: l.r, limit: l.limit}
	b, one := &recordBatch{decode: decode}, &jsonBatch{}
	for {
		one.data = one.data[:0]
		err := lines.appendLine(one)
		if text := bytes.TrimSpace(one.data); len(text) > 0 && (err == nil || err == io.EOF) {
			b.add(text, lines.line)
		}
		if err != nil && err != io.EOF {
			emit(b)
			return err
		}
		if err == io.EOF || len(b.data) >= counting.BatchBytes {
			if !emit(b) || err == io.EOF {
				return nil
			}
			b = &recordBatch{decode: decode}
		}
	}
}
