package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// OpenVectors reads the vectors in a file of JSON lines or of one JSON array (format "jsonl" or
// "json") as a table. Its elements are lists of numbers, or objects with such a list, of which
// opt.VectorColumn names one if there are several. The first row names the columns: id if the
// objects have one, then NAME.0, NAME.1, ... done ends the reading.
func OpenVectors(in *input.File, format string, opt ReadOptions) (next func() ([]string, error), done func(), err error) {
	s := &source{File: in, opt: opt}
	lines := s.jsonLines(in, &counting.Origin{File: in.Name, Unit: "line"})
	lines.vectors = true
	produce := lines.batches
	if c := firstOfArray(peeked(in.Stream, 64)); c == '[' || c == '{' || format == "json" {
		a := &jsonArray{in: s, r: in.Stream, line: 1, limit: in.Mem.Limit / lineShare}
		if err := a.begin(); err != nil {
			return nil, nil, in.Wrap("", err)
		}
		produce = a.batches
	}
	v := &vectorRows{in: s}
	pull, stop := iter.Pull2(func(yield func(counting.Batch, error) bool) {
		going := true
		err := produce(func(b counting.Batch) bool {
			going = going && yield(b, nil)
			return going
		})
		if err != nil && going {
			yield(nil, in.Wrap("", err))
		}
	})
	v.pull = pull
	return v.next, stop, nil
}

// vectorRows are the rows of such a table.
type vectorRows struct {
	in       *source
	pull     func() (counting.Batch, error, bool)
	batch    *jsonBatch
	at       int // of the next element in the batch
	name, id string
	hasID    bool
	first    []string // the first row, until it was given
	width    int      // of the rows; 0 before the first
	rec      []string
}

func (v *vectorRows) next() ([]string, error) {
	if v.width == 0 {
		raw, place, err := v.element()
		if err != nil {
			return nil, err
		}
		if err := v.settle(raw, place); err != nil {
			return nil, err
		}
		rec, err := v.row(raw, place)
		if err != nil {
			return nil, err
		}
		v.first, v.width = slices.Clone(rec), len(rec)
		names := make([]string, len(rec))
		for k := range names {
			names[k] = fmt.Sprintf("%s.%d", v.name, k)
		}
		if v.hasID {
			copy(names[1:], names)
			names[0] = lexical.IDNames[0]
		}
		return names, nil
	}
	if rec := v.first; rec != nil {
		v.first = nil
		return rec, nil
	}
	raw, place, err := v.element()
	if err != nil {
		return nil, err
	}
	return v.row(raw, place)
}

// element is the next element, and where it is.
func (v *vectorRows) element() (raw []byte, place string, err error) {
	for v.batch == nil || v.at == v.batch.Len() {
		b, err, ok := v.pull()
		if err == nil {
			err = v.in.Ctx.Err()
		}
		if err != nil || !ok {
			return nil, "", orEnd(err)
		}
		v.batch, v.at = b.(*jsonBatch), 0
	}
	b, start := v.batch, 0
	if v.at > 0 {
		start = b.ends[v.at-1]
	}
	raw, place = bytes.TrimSpace(b.data[start:b.ends[v.at]]), b.from.At(b.lines[v.at])
	v.at++
	return bytes.TrimPrefix(raw, []byte(input.ByteOrderMark)), place, nil
}

func orEnd(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// settle finds the list of numbers, and the name of a document, by the first element.
func (v *vectorRows) settle(raw []byte, place string) error {
	if v.name = "x"; raw[0] == '[' {
		if c := v.in.opt.VectorColumn; c != "" {
			return v.in.Fail(place, "is a list, in which no field has the name %s; leave ‹vectors-column› out", message.Clip(c, 60))
		}
		return nil
	}
	var list []field
	if !flatten(raw, "", 0, &list) {
		return v.in.Fail(place, "is not a JSON object or a list of numbers; write one for each document")
	}
	var all []string
	for _, f := range list {
		if _, ok := lexical.Vector(string(f.raw)); ok {
			all = append(all, f.name)
		}
	}
	switch want := v.in.opt.VectorColumn; {
	case want != "":
		v.name = want
	case len(all) == 0:
		return v.in.Fail(place, "has no field that is a list of numbers; its fields are %s", fieldNames(raw))
	case len(all) > 1:
		return v.in.Fail(place, "has several lists of numbers: %s; name one with ‹vectors-column›", message.List(all, 6))
	default:
		v.name = all[0]
	}
	if v.id = v.in.opt.IDColumn; v.id == columns.None {
		v.id = ""
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return v.in.Fail(place, "is not a JSON object (%s)", strings.TrimPrefix(err.Error(), "json: "))
	}
	for _, name := range append([]string{v.in.opt.Usual.ID}, lexical.IDNames...) {
		if _, present, ok := scalar(lookup(object, name)); v.id == "" && ok && present {
			v.id = name
		}
	}
	v.hasID = v.id != ""
	return nil
}

// row is the row of an element.
func (v *vectorRows) row(raw []byte, place string) ([]string, error) {
	v.rec = v.rec[:0]
	list := raw
	if raw[0] != '[' {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(finiteJSON(raw), &object); err != nil {
			return nil, v.in.Fail(place, "is not a JSON object (%s)", strings.TrimPrefix(err.Error(), "json: "))
		}
		if v.hasID {
			id, present, ok := scalar(lookup(object, v.id))
			if !present || !ok {
				return nil, v.in.Fail(place, "has no name in its field %s; give every document one, or ‹id-column› none", message.Clip(v.id, 60))
			}
			v.rec = append(v.rec, id)
		}
		list = lookup(object, v.name)
	}
	values, ok := lexical.Vector(string(list))
	if !ok {
		return nil, v.in.Fail(place, "has no list of numbers in %s; write a vector for every document", message.Clip(v.name, 60))
	}
	v.rec = append(v.rec, values...)
	if v.width > 0 && len(v.rec) != v.width {
		return nil, v.in.Fail(place, "the vector has %s, where the first has %d; write vectors of one length", message.Plural(len(values), "number", "numbers"), v.width-len(v.rec)+len(values))
	}
	return v.rec, nil
}
