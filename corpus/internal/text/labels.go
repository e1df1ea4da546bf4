package text

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// LabelList is the ids and the labels of JSON objects, which need no texts. IDs is nil if no object
// has one.
type LabelList struct {
	IDs, Labels []string
	Lines       []int  // where each object begins, from 1
	Column      string // the field of the labels
}

// ReadLabels reads the labels of JSON lines, or of the objects of a JSON array. column names the
// field of the labels; empty takes the first of the usual names that occurs in the first objects.
func ReadLabels(file *input.File, column string) (*LabelList, error) {
	in := &source{File: file}
	head, err := file.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	next := in.lineObjects()
	if IsJSONArray(head) {
		a := &jsonArray{in: in, r: in.Stream, line: 1, limit: in.Mem.Limit / lineShare}
		if err := a.begin(); err != nil {
			return nil, err
		}
		next = a.next
	}
	var first []element
	var objects [][]byte
	for len(first) < sampledObjects && err == nil {
		var e element
		if e, err = next(); err == nil {
			first, objects = append(first, e), append(objects, e.raw)
		}
	}
	if err != nil && err != io.EOF {
		return nil, in.Wrap("", err)
	}
	list := profileObjects(objects)
	id := usualField(list, lexical.IDNames)
	if column == "" {
		if column = usualField(list, lexical.LabelNames); column == "" {
			var names []string
			for _, c := range list {
				names = append(names, c.Name)
			}
			return nil, in.Fail("", "no object has a field of labels; the fields are %s", message.List(names, 12))
		}
	}
	l := &LabelList{Column: column}
	for k := 0; ; k++ {
		var e element
		if k < len(first) {
			e = first[k]
		} else if e, err = next(); err == io.EOF {
			return l, nil
		} else if err != nil {
			return nil, in.Wrap("", err)
		}
		if err := l.add(in, e, id); err != nil {
			return nil, err
		}
	}
}

// usualField is the field with the best of some names; "" for none.
func usualField(list []columns.Column, names []string) string {
	for _, name := range names {
		for _, c := range list {
			if strings.EqualFold(c.Name, name) {
				return c.Name
			}
		}
	}
	return ""
}

// add adds the label of an object.
func (l *LabelList) add(in *source, e element, id string) error {
	place := (&counting.Origin{Unit: "line"}).At(e.line)
	var object map[string]json.RawMessage
	if err := json.Unmarshal(finiteJSON(e.raw), &object); err != nil {
		return in.Fail(place, "%s", notObject(e.raw, err).Error())
	}
	label, _, ok := classOf(lookup(object, l.Column))
	if !ok {
		return in.Fail(place, "the field %s is neither a string nor a number; give each document one class", message.Clip(l.Column, 60))
	}
	if id != "" {
		name, present, ok := scalar(lookup(object, id))
		if !ok || !present {
			return in.Fail(place, "the field %s is neither a string nor a number; give every object one", message.Clip(id, 60))
		}
		l.IDs = append(l.IDs, lexical.Tidy(name))
	}
	l.Labels, l.Lines = append(l.Labels, lexical.Tidy(label)), append(l.Lines, e.line)
	return in.Wrap(place, in.Mem.Take(int64(len(label))+64, 1))
}

// lineObjects returns the lines of a file that are not blank, one by one.
func (in *source) lineObjects() func() (element, error) {
	lines := input.NewLines(in.File)
	return func() (element, error) {
		for {
			raw, err := lines.Next()
			if err != nil {
				return element{}, err
			}
			text := strings.TrimSpace(strings.TrimPrefix(string(raw), input.ByteOrderMark))
			if text != "" {
				return element{[]byte(text), int(lines.Number)}, nil
			}
		}
	}
}
