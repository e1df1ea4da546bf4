package text

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// lineShare is the divisor of the memory allowed that bounds a single line: a line is in memory
// about six times, as raw bytes in a growing buffer, as JSON and as text.
const lineShare = 8

// tooLong refuses a document that is longer than its share of the memory. what begins the sentence
// and may be empty. The error is an input.ErrMemory.
func tooLong(file, place, what string, limit int64) error {
	return &input.FormatError{File: file, Place: place, Err: input.ErrMemory,
		Why: fmt.Sprintf("%sis longer than %s, an eighth of the memory that may be taken here; split it into several documents, or allow more memory with %s",
			what, message.Bytes(limit), words.Option(memory.OptionName))}
}

// readJSONL reads texts from JSON lines: one object per line, {"id": ..., "text": "...", "label":
// ...}, or with fields of other names, see [fields]. A text is a string; one that is null or
// missing counts as empty. id and label are strings or numbers, and may be null or missing: a
// document without id gets its number from 1, and one without label (or with an empty one) is
// unlabelled. Other fields and blank lines are ignored, as is a byte-order mark. Two documents with
// one id are an error. Errors name the line; errors of the stream pass unchanged.
func readJSONL(in *source) (*counting.Collection, error) {
	if err := in.lookAtFields(in.File); err != nil {
		return nil, err
	}
	lines := in.jsonLines(in.File, &counting.Origin{File: in.Name, Unit: "line"})
	_, c, err := in.countTexts(lines.batches, nil)
	return c, err
}

// jsonLines reads the lines of a file.
func (in *source) jsonLines(file *input.File, from *counting.Origin) *jsonLines {
	return &jsonLines{from: from, fields: in.fields, r: file.Stream, limit: in.Mem.Limit / lineShare}
}

// jsonLines cuts a file into batches of lines.
type jsonLines struct {
	from   *counting.Origin
	fields *fields
	r      *bufio.Reader
	limit  int64 // most bytes of a line
	line   int
	// vectors says that lines may be lists of numbers.
	vectors bool
	// until is the byte of the file before which the lines begin that are read; 0: to the end.
	until, at int64
}

// jsonBatch is a few lines that are not blank.
type jsonBatch struct {
	from   *counting.Origin
	fields *fields
	data   []byte
	ends   []int
	lines  []int // number of each line in the file
}

// batches reads all lines and emits them.
func (l *jsonLines) batches(emit func(counting.Batch) bool) error {
	b := &jsonBatch{from: l.from, fields: l.fields}
	for {
		if l.until > 0 && l.at >= l.until {
			emit(b)
			return nil
		}
		start := len(b.data)
		err := l.appendLine(b)
		l.at += int64(len(b.data) - start)
		text := bytes.TrimSpace(b.data[start:])
		if err == nil || err == io.EOF {
			if failure := l.look(text); failure != nil {
				return failure
			}
		}
		switch {
		case err != nil && err != io.EOF:
			emit(b)
			return err
		case len(text) == 0:
			b.data = b.data[:start]
		default:
			b.ends = append(b.ends, len(b.data))
			b.lines = append(b.lines, l.line)
		}
		if err == io.EOF || len(b.data) >= counting.BatchBytes {
			if !emit(b) || err == io.EOF {
				return nil
			}
			b = &jsonBatch{from: l.from, fields: l.fields}
		}
	}
}

// appendLine appends the next line to the batch. If the reader fails within a line, the piece is
// removed.
func (l *jsonLines) appendLine(b *jsonBatch) error {
	start := len(b.data)
	l.line++
	for {
		part, err := l.r.ReadSlice('\n')
		length := int64(len(b.data)-start) + int64(len(part))
		if length > l.limit {
			b.data = b.data[:start]
			return tooLong(l.from.File, l.from.At(l.line), "", l.limit)
		}
		b.data = append(l.room(b.data, start, len(part)), part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			b.data = b.data[:start]
		}
		return err
	}
}

// room makes room for n more bytes of the line that begins at start. Doubling keeps the total
// copying linear; the buffer does not grow beyond the longest line allowed.
func (l *jsonLines) room(data []byte, start, n int) []byte {
	if len(data)+n <= cap(data) {
		return data
	}
	most := int64(start) + l.limit
	return append(make([]byte, 0, max(min(2*int64(cap(data)), most), int64(len(data)+n))), data...)
}

// skip reads on to the line that begins at the byte at or behind it; the stream is at the byte
// before.
func (l *jsonLines) skip(at int64) error {
	for l.at = at - 1; ; {
		part, err := l.r.ReadSlice('\n')
		l.at += int64(len(part))
		switch err {
		case bufio.ErrBufferFull:
			continue
		case io.EOF:
			l.until = 1 // no line begins here
		case nil:
		default:
			return err
		}
		l.from.From(l.at)
		return nil
	}
}

// look recognises by the first line a file that is not JSON lines.
func (l *jsonLines) look(text []byte) error {
	switch {
	case l.line != 1 || l.from.Start > 0:
		return nil
	case input.WideJSON(text) != "":
		return input.Failf(l.from.File, "", "%s", input.WideRefusal(input.WideJSON(text)))
	case l.vectors:
		return nil
	case ofNumbers(text):
		return input.Failf(l.from.File, "line 1", "the file is a JSON array of numbers, which are read as vectors of documents beside their texts, by ‹vectors›, or alone as a table; write it with jq -r 'if (.[0] | type) == \"array\" then .[] else . end | @csv' FILE > FILE.csv")
	case firstOfArray(text) == '[':
		return input.Failf(l.from.File, "line 1", "the documents are arrays; make objects of them, for instance with jq -c '.[] | {id: .[0], text: .[1]}' FILE > documents.jsonl, where .[0] is the first element")
	case bytes.HasPrefix(text, []byte("[")):
		return input.Failf(l.from.File, "line 1", "the file is one JSON array, but the format needs one object per line; convert it, for instance with jq -c '.[]'")
	}
	return nil
}

// ofNumbers reports whether a text begins as an array of numbers, or of arrays of numbers.
func ofNumbers(text []byte) bool {
	c := firstOfArray(text)
	if c == '[' {
		c = firstOfArray(bytes.TrimLeft(bytes.TrimPrefix(text, []byte(input.ByteOrderMark)), " \t\r\n")[1:])
	}
	return c == '-' || '0' <= c && c <= '9'
}

func (b *jsonBatch) Len() int               { return len(b.ends) }
func (b *jsonBatch) Held() int              { return len(b.data) }
func (b *jsonBatch) From() *counting.Origin { return b.from }

// document decodes line i.
func (b *jsonBatch) Document(i int) (counting.Document, error) {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	raw := b.data[start:b.ends[i]]
	d := counting.Document{Line: b.lines[i], Damaged: !utf8.Valid(raw)}
	if d.Line == 1 && b.from.Start == 0 {
		raw = bytes.TrimPrefix(raw, []byte(input.ByteOrderMark))
	}
	f := b.fields
	if f == nil {
		f = plainFields()
	}
	err := f.read(&d, raw)
	if err != nil {
		if again := finiteJSON(raw); len(again) != len(raw) {
			err = f.read(&d, again)
		}
	}
	if err != nil {
		return d, input.Failf(b.from.File, b.from.At(d.Line), "%s", err.Error())
	}
	return d, nil
}
