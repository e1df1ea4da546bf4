package text

import (
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/records"
	"github.com/eigenmap/eigenmap/internal/words"
)

// xmlFormat is the format of files of XML whose records are documents.
const xmlFormat = "xml"

// readXML reads texts from the records of a file of XML, whose fields are those of JSON objects.
func readXML(in *source) (*counting.Collection, error) {
	x, err := in.openRecords(in.File)
	if err != nil {
		return nil, err
	}
	return in.readRecords(x)
}

// readRecords counts the records of a file.
func (in *source) readRecords(x *xmlRecords) (*counting.Collection, error) {
	in.divides = true
	_, c, err := in.countTexts(x.batches, nil)
	return c, err
}

// Records are the records of a file of XML, of which the first ones decided on the fields.
type Records struct {
	in *source
	x  *xmlRecords

	header []string
	at     map[string]int // of a field in header
	row    []string
	other  int    // values of fields that the first records lack
	first  string // the first such field
	begun  bool
}

// OpenRecords opens a file of XML.
func OpenRecords(file *input.File, opt ReadOptions) (*Records, error) {
	in := &source{File: file, opt: opt}
	x, err := in.openRecords(file)
	if err != nil {
		return nil, file.Wrap("", err)
	}
	return &Records{in: in, x: x}, nil
}

// Numbers reports whether the records are rows of a table of numbers: no field holds texts, or none
// is wanted.
func (r *Records) Numbers() bool {
	want := r.in.opt.TextColumn
	if !slices.ContainsFunc(r.x.first, func(rec *records.Record) bool { return len(rec.Fields()) > 0 }) {
		return false
	}
	return len(want) == 1 && want[0] == columns.None || len(want) == 0 && !r.in.fields.found
}

// Read reads the records as texts.
func (r *Records) Read() (*counting.Collection, error) {
	c, err := r.in.readRecords(r.x)
	return finish(r.in.File, c, xmlFormat, err)
}

// Next returns the next record as a row of the fields that the first records have, the first row
// their names; io.EOF at the end.
func (r *Records) Next() ([]string, error) {
	if !r.begun {
		r.begun, r.at = true, make(map[string]int)
		for _, rec := range r.x.first {
			for _, name := range rec.Fields() {
				if _, known := r.at[name]; !known {
					r.at[name] = len(r.header)
					r.header = append(r.header, name)
				}
			}
		}
		return r.header, nil
	}
	rec, err := r.x.next()
	if err == io.EOF && r.other > 0 {
		r.in.Notef("%s of fields that the first records lack, and left out (first: %s).", words.Plural(r.other, "value is", "values are"), message.Clip(r.first, 60))
		r.other = 0
	}
	if err != nil {
		return nil, err
	}
	r.row = slices.Grow(r.row[:0], len(r.header))[:len(r.header)]
	clear(r.row)
	for k, name := range rec.Fields() {
		if j, known := r.at[name]; known {
			r.row[j] = rec.Value(k)
		} else if r.other++; r.other == 1 {
			r.first = name
		}
	}
	return r.row, nil
}

// xmlRecords gives the records of a file.
type xmlRecords struct {
	in    *source
	from  *counting.Origin
	r     *records.Reader
	first []*records.Record // that decided on the fields and are not read yet
	ended bool
}

// openRecords finds the records of a file, and settles the fields by the first ones if none are.
func (in *source) openRecords(file *input.File) (*xmlRecords, error) {
	x, err := in.sampleRecords(file, 0)
	if err == nil && in.fields == nil {
		err = in.settleRecords(x.first)
	}
	return x, err
}

// sampleRecords finds the records of a file and reads the first ones, so many that with those of
// other files they decide on the fields. Fields that the user names are looked for further.
func (in *source) sampleRecords(file *input.File, before int) (*xmlRecords, error) {
	asked := slices.DeleteFunc(slices.Clone(in.opt.TextColumn), func(name string) bool { return name == columns.None })
	r, err := records.Open(file, in.choice, slices.Clone(asked), in.opt.Encoding, in.Mem.Limit/lineShare)
	if err != nil {
		return nil, err
	}
	if in.choice == nil {
		in.choice = r.Choice()
		in.Notef("The documents are the elements %s.", in.choice)
	}
	x := &xmlRecords{in: in, r: r, from: &counting.Origin{Ctx: in.Ctx, File: file.Name, Unit: "line", Start: 1}}
	held, most := 0, int(min(sampledXML, in.Mem.Limit/64))
	for held < most && (before+len(x.first) < sampledObjects || len(asked) > 0 && in.fields == nil) {
		rec, err := r.Read()
		if err == io.EOF {
			x.ended = true
			break
		}
		if err != nil {
			return nil, err
		}
		x.first = append(x.first, rec)
		held += rec.Size()
		asked = slices.DeleteFunc(asked, rec.Has)
	}
	r.Settle(x.first)
	return x, nil
}

// sampledXML bounds the bytes of the records that decide on the fields.
const sampledXML = 8 << 20

// settleRecords settles the fields by the first records.
func (in *source) settleRecords(first []*records.Record) (err error) {
	var objects [][]byte
	for _, rec := range first {
		objects = append(objects, rec.Append(nil))
	}
	in.fields, err = in.settleFields(objects)
	return err
}

// settleXMLParts settles the fields by the first records of several files.
func (in *source) settleXMLParts(parts []part) error {
	var first []*records.Record
	for _, p := range parts {
		if p.format != xmlFormat || p.size == 0 {
			continue
		}
		file, done, err := input.Open(in.Ctx, p.path, input.Limits{MaxBytes: in.Mem.Limit})
		if err != nil {
			return err
		}
		x, err := in.sampleRecords(file, len(first))
		done()
		if err != nil {
			return file.Wrap("", err)
		}
		if first = append(first, x.first...); len(first) >= sampledObjects {
			break
		}
	}
	return in.settleRecords(first)
}

// next returns the next record; io.EOF at the end.
func (x *xmlRecords) next() (*records.Record, error) {
	if len(x.first) > 0 {
		rec := x.first[0]
		x.first = x.first[1:]
		return rec, nil
	}
	if x.ended {
		return nil, io.EOF
	}
	return x.r.Read()
}

// batches emits all records.
func (x *xmlRecords) batches(emit func(counting.Batch) bool) error {
	b := &jsonBatch{from: x.from, fields: x.in.fields}
	for {
		rec, err := x.next()
		if err != nil {
			emit(b)
			if err == io.EOF {
				return nil
			}
			return err
		}
		b.data = rec.Append(b.data)
		b.ends, b.lines = append(b.ends, len(b.data)), append(b.lines, rec.Line)
		if len(b.data) >= counting.BatchBytes {
			if !emit(b) {
				return nil
			}
			b = &jsonBatch{from: x.from, fields: x.in.fields}
		}
	}
}
