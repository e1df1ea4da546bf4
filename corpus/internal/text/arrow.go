package text

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// arrowMagic begins a file of Arrow; it pads it to eight bytes. What follows is a stream of Arrow,
// which begins with the mark of a message.
const arrowMagic, arrowMessage = "ARROW1\x00\x00", "\xff\xff\xff\xff"

// IsArrow reports whether a file begins as a file or a stream of Arrow.
func IsArrow(head []byte) bool {
	s := string(head[:min(len(head), len(arrowMagic))])
	return s == arrowMagic || strings.HasPrefix(s, arrowMessage) && len(s) == 8 && s[7] == 0
}

// ArrowRows are the rows of a file or a stream of Arrow (Feather), the names of its columns first.
// Fields inside others are columns of their own, as are the numbers of lists of one length; a list
// of strings is a text.
type ArrowRows struct {
	in      *input.File
	r       *ipc.Reader
	columns []arrowColumn
	batch   arrow.RecordBatch
	at      int // of the next row in the batch
	row     int // of the last row, from 1
	rec     []string
	begun   bool
}

// arrowColumn is a column, or one of the numbers of a list.
type arrowColumn struct {
	name  string
	path  []int    // the column of the file and the fields inside it
	width int      // numbers of the list; -1: no list of numbers
	names []string // of the classes that it numbers
}

// OpenArrow reads the schema and the first rows of a file.
func OpenArrow(in *input.File) (*ArrowRows, error) {
	a := &ArrowRows{in: in}
	head, err := in.Peek(len(arrowMagic))
	if err != nil {
		return nil, err
	}
	if string(head) == arrowMagic {
		if _, err := in.Stream.Discard(len(arrowMagic)); err != nil {
			return nil, in.Wrap("", err)
		}
	}
	return a, a.guard(func() error {
		budget := ipc.WithAllocator(&pageMemory{budget: in.Mem})
		messages := &arrowMessages{MessageReader: ipc.NewMessageReader(in.Stream, budget), in: in}
		if a.r, err = ipc.NewReaderFromMessageReader(messages, budget); err != nil {
			return err
		}
		schema := a.r.Schema()
		for k, f := range schema.Fields() {
			if err := a.addColumn(f, f.Name, []int{k}); err != nil {
				return err
			}
		}
		if said, ok := schema.Metadata().GetValue("huggingface"); ok {
			for j, c := range a.columns {
				a.columns[j].names = huggingNames(said, c.name)
			}
		}
		if err := a.next(); err != io.EOF {
			return err
		}
		return nil
	})
}

// pageMemory takes what the library of Arrow allocates from the budget of the reader. It panics
// with input.ErrMemory, since the library's interface has no error here.
type pageMemory struct {
	memory.GoAllocator
	budget *input.Budget
}

// Allocate takes memory from the budget.
func (m *pageMemory) Allocate(size int) []byte {
	if m.budget.Take(int64(size), 1) != nil {
		panic(input.ErrMemory)
	}
	return m.GoAllocator.Allocate(size)
}

// Reallocate takes the new memory before it gives back the old.
func (m *pageMemory) Reallocate(size int, b []byte) []byte {
	if m.budget.Take(int64(size), 1) != nil {
		panic(input.ErrMemory)
	}
	grown := m.GoAllocator.Reallocate(size, b)
	m.budget.Give(int64(len(b)), 1)
	return grown
}

// Free gives memory back.
func (m *pageMemory) Free(b []byte) {
	m.budget.Give(int64(len(b)), 1)
	m.GoAllocator.Free(b)
}

// arrowMessages are the messages of a stream, whose lengths are checked before they are read.
type arrowMessages struct {
	ipc.MessageReader
	in *input.File
}

// mostSchema is the most bytes of what a message says of its data.
const mostSchema = 64 << 20

// Message returns the next message; io.EOF at the end.
func (m *arrowMessages) Message() (*ipc.Message, error) {
	head, err := m.in.Stream.Peek(8)
	if len(head) == 0 {
		return nil, err
	}
	if size := int32(binary.LittleEndian.Uint32(head[max(0, len(head)-4):])); string(head[:min(4, len(head))]) == arrowMessage && (size < 0 || size > mostSchema) {
		return nil, errors.New("a message is longer than any")
	}
	return m.MessageReader.Message()
}

// guard runs a call of the library, which panics at damaged files.
func (a *ArrowRows) guard(call func() error) (err error) {
	defer func() {
		failure := recover()
		cause, isError := failure.(error)
		switch {
		case failure == nil:
		case isError:
			err = a.damage(cause)
		default:
			err = a.damage(fmt.Errorf("%v", failure))
		}
	}()
	if err = call(); err != nil && err != io.EOF {
		err = a.damage(err)
	}
	return err
}

// damage is the error of a damaged file, in words that do not depend on the library.
func (a *ArrowRows) damage(cause error) error {
	place := ""
	if a.begun {
		place = fmt.Sprintf("row %d", a.row+1)
	}
	if errors.Is(cause, input.ErrMemory) {
		return a.in.Wrap(place, cause)
	}
	var format *input.FormatError
	if errors.As(cause, &format) {
		return cause
	}
	return &input.FormatError{File: a.in.Name, Place: place, Why: "its content is damaged, or has a type of Arrow that is not read; copy or download it again, or write it as Parquet, for instance with pandas' to_parquet", Err: cause}
}

// addColumn adds the columns of a field of the schema.
func (a *ArrowRows) addColumn(f arrow.Field, name string, path []int) error {
	of := f.Type
	if e, ok := of.(arrow.ExtensionType); ok {
		of = e.StorageType()
	}
	if s, ok := of.(*arrow.StructType); ok {
		for k, inner := range s.Fields() {
			if err := a.addColumn(inner, name+"."+inner.Name, append(append([]int(nil), path...), k)); err != nil {
				return err
			}
		}
		return nil
	}
	c := arrowColumn{name: name, path: path, width: -1}
	switch list := of.(type) {
	case *arrow.FixedSizeListType:
		c.width = int(list.Len())
		if !isNumeric(list.Elem()) {
			return a.in.Fail("column "+message.Clip(name, 60), "holds lists of other things than numbers; write it as Parquet, for instance with pandas' to_parquet")
		}
	case arrow.ListLikeType:
		if isNumeric(list.Elem()) {
			c.width = 0 // the first list says it
		}
	}
	a.columns = append(a.columns, c)
	return nil
}

func isNumeric(t arrow.DataType) bool {
	return arrow.IsInteger(t.ID()) || arrow.IsFloating(t.ID())
}

// next reads the next rows; io.EOF at the end.
func (a *ArrowRows) next() error {
	for a.batch == nil || int64(a.at) == a.batch.NumRows() {
		if !a.r.Next() {
			err := a.r.Err()
			if err == nil {
				err = io.EOF
			}
			a.batch = nil
			return err
		}
		a.batch, a.at = a.r.RecordBatch(), 0
	}
	return nil
}

// Next returns the names of the columns, then the rows; io.EOF at the end.
func (a *ArrowRows) Next() ([]string, error) {
	err := a.guard(func() error {
		a.rec = a.rec[:0]
		if !a.begun {
			return a.header()
		}
		if err := a.next(); err != nil {
			return err
		}
		for j := range a.columns {
			if err := a.value(&a.columns[j]); err != nil {
				return err
			}
		}
		a.at++
		a.row++
		return nil
	})
	if err != nil {
		if err == io.EOF && a.r != nil {
			a.r.Release()
			a.r = nil
		}
		return nil, err
	}
	return a.rec, nil
}

// columnBytes is about what is kept of a column, with its name.
const columnBytes = 256

// header makes the row of the names, for which the widths of the lists are needed. Their memory is
// asked for before: a file of few bytes may say that a list has any number of them.
func (a *ArrowRows) header() error {
	a.begun = true
	for j := range a.columns {
		c := &a.columns[j]
		if c.width < 0 {
			a.rec = append(a.rec, c.name)
			continue
		}
		if err := a.measure(c); err != nil {
			return err
		}
		if err := a.in.Mem.Take(int64(c.width), columnBytes); err != nil {
			return err
		}
		for k := range c.width {
			a.rec = append(a.rec, fmt.Sprintf("%s.%d", c.name, k))
		}
	}
	return nil
}

// measure finds the width of a column of lists by the first rows; of a file without rows it is 0.
func (a *ArrowRows) measure(c *arrowColumn) error {
	if a.batch == nil {
		c.width = 0
		return nil
	}
	for i := range int(a.batch.NumRows()) {
		lists, at := a.find(c, i)
		if lists == nil {
			continue
		}
		list := lists.(array.ListLike)
		start, end := list.ValueOffsets(at)
		if start < 0 || end < start || end > int64(list.ListValues().Len()) {
			return errors.New("a list is longer than its values")
		}
		c.width = int(end - start)
		return nil
	}
	return nil
}

// find returns the array that holds the value of a column, and where; nil for a missing one.
func (a *ArrowRows) find(c *arrowColumn, i int) (arrow.Array, int) {
	values := a.batch.Column(c.path[0])
	for k := 0; ; k++ {
		if e, ok := values.(array.ExtensionArray); ok {
			values = e.Storage()
		}
		if values.IsNull(i) {
			return nil, 0
		}
		if k+1 == len(c.path) {
			return values, i
		}
		values = values.(*array.Struct).Field(c.path[k+1])
	}
}

// value appends the fields of a column in the next row.
func (a *ArrowRows) value(c *arrowColumn) error {
	values, i := a.find(c, a.at)
	switch lists, isList := values.(array.ListLike); {
	case values == nil:
		for range max(1, c.width) {
			if c.width != 0 {
				a.rec = append(a.rec, "")
			}
		}
	case isList && c.width >= 0:
		start, end := lists.ValueOffsets(i)
		if int(end-start) != c.width {
			return a.in.Fail(fmt.Sprintf("row %d", a.row+1), "the list %s has %d numbers, and %d in the rows before; give all the same number, or leave it out", message.Clip(c.name, 60), end-start, c.width)
		}
		for k := start; k < end; k++ {
			a.rec = append(a.rec, arrowText(lists.ListValues(), int(k)))
		}
	case isList:
		start, end := lists.ValueOffsets(i)
		var parts []string
		for k := start; k < end; k++ {
			parts = append(parts, arrowText(lists.ListValues(), int(k)))
		}
		a.rec = append(a.rec, strings.Join(parts, "\n"))
	default:
		a.rec = append(a.rec, nameOf(c.names, arrowText(values, i)))
	}
	return nil
}

// arrowText is a value as a table writes it; empty if it is missing.
func arrowText(values arrow.Array, i int) string {
	if values.IsNull(i) {
		return ""
	}
	switch v := values.(type) {
	case *array.Dictionary:
		return arrowText(v.Dictionary(), v.GetValueIndex(i))
	case *array.Float64:
		return lexical.Print(v.Value(i))
	case *array.Float32:
		if math.IsNaN(float64(v.Value(i))) {
			return ""
		}
	case *array.Binary:
		return string(v.Value(i))
	case *array.LargeBinary:
		return string(v.Value(i))
	}
	return values.ValueStr(i)
}

// Aside returns the columns, from 0, that are single values beside the one list of numbers of a
// document, which is its vector if it has eight numbers or more; else nil.
func (a *ArrowRows) Aside() (aside []int) {
	lists, at := 0, 0
	for _, c := range a.columns {
		switch {
		case c.width < 0:
			aside = append(aside, at)
			at++
		case c.width < manyListed:
			return nil
		default:
			lists++
			at += c.width
		}
	}
	if lists != 1 {
		return nil
	}
	return aside
}
