package model

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/npy"
	"github.com/eigenmap/eigenmap/internal/vecmath"
)

// Types of arrays, as NumPy names them.
const (
	typeFloat = "<f8"
	typeInt   = "<i8"
	typeIndex = "<i4"
)

// arrayEntry describes an array in model.json.
type arrayEntry struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
}

// array is one to be written; one of the slices holds its values, row by row.
type array struct {
	arrayEntry
	floats  []float64
	ints    []int
	indices []int32
	each    func(body func([]float64) error) error // or passes floats to body piece by piece
	raw     func(w io.Writer) error                // or writes header and values
}

// check refuses numbers that are not finite.
func (a *array) check() error {
	at := 0
	finiteAll := func(part []float64) error {
		if vecmath.Finite(part) {
			at += len(part)
			return nil
		}
		for i, v := range part {
			if !finite(v) {
				return invalid.Errorf("value %d of the model's array %q is %v: a model of such values is not written", at+i+1, a.Name, v)
			}
		}
		return nil
	}
	if a.each != nil {
		return a.each(finiteAll)
	}
	return finiteAll(a.floats)
}

func (e *arrayEntry) width() int64 {
	if e.Type == typeIndex {
		return 4
	}
	return 8
}

// count is the number of values; ok is false for a shape that no array has.
func (e *arrayEntry) count() (n int64, ok bool) {
	n = 1
	for _, d := range e.Shape {
		if d < 0 || d > 0 && n > math.MaxInt64/16/int64(d) {
			return 0, false
		}
		n *= int64(d)
	}
	return n, len(e.Shape) == 1 || len(e.Shape) == 2
}

// header is the .npy header of the array, version 1: the values begin at a multiple of 64 bytes.
func (e *arrayEntry) header() string {
	return string(npy.Header(e.Type, e.Shape...))
}

// writeTo writes header and values.
func (a *array) writeTo(w io.Writer) error {
	if a.raw != nil {
		return a.raw(w)
	}
	if _, err := io.WriteString(w, a.header()); err != nil {
		return err
	}
	buf := make([]byte, 0, 1<<15)
	flush := func(need int) error {
		if len(buf)+need <= cap(buf) {
			return nil
		}
		_, err := w.Write(buf)
		buf = buf[:0]
		return err
	}
	floats := func(part []float64) error {
		for _, v := range part {
			if err := flush(8); err != nil {
				return err
			}
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
		return nil
	}
	if a.each != nil {
		if err := a.each(floats); err != nil {
			return err
		}
	} else if err := floats(a.floats); err != nil {
		return err
	}
	for _, v := range a.ints {
		if err := flush(8); err != nil {
			return err
		}
		buf = binary.LittleEndian.AppendUint64(buf, uint64(v))
	}
	for _, v := range a.indices {
		if err := flush(4); err != nil {
			return err
		}
		buf = binary.LittleEndian.AppendUint32(buf, uint32(v))
	}
	_, err := w.Write(buf)
	return err
}

func (z *archive) floats(e *arrayEntry) ([]float64, error) {
	if z.kept != nil {
		return z.kept.arrays[e.Name].copyOfFloats(z.ctx)
	}
	return readArray(z, e, func(b []byte, at int64) (float64, error) {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if !finite(v) {
			return 0, invalid.Errorf("value %d of the model's array %q is %v, and every value must be finite", at+1, e.Name, v)
		}
		return v, nil
	})
}

func (z *archive) ints(e *arrayEntry) ([]int, error) {
	if z.kept != nil {
		return z.kept.arrays[e.Name].copyOfInts(z.ctx)
	}
	return readArray(z, e, func(b []byte, at int64) (int, error) {
		v := int64(binary.LittleEndian.Uint64(b))
		if int64(int(v)) != v {
			return 0, invalid.Errorf("value %d of the model's array %q is %d, too large for this machine", at+1, e.Name, v)
		}
		return int(v), nil
	})
}

func (z *archive) indices(e *arrayEntry) ([]int32, error) {
	if z.kept != nil {
		return z.kept.arrays[e.Name].copyOfIndices(z.ctx)
	}
	return readArray(z, e, func(b []byte, _ int64) (int32, error) { return int32(binary.LittleEndian.Uint32(b)), nil })
}

// readArray reads an array whose size the archive has confirmed, and its checksum.
func readArray[T any](z *archive, e *arrayEntry, value func(b []byte, at int64) (T, error)) ([]T, error) {
	count, _ := e.count()
	r, err := z.open(e.Name + ".npy")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	want := e.header()
	head := make([]byte, len(want))
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, z.damaged(err)
	}
	if string(head) != want {
		return nil, invalid.Errorf("the model's array %q is not what its description says, the file is damaged: make the model again", e.Name)
	}
	out := make([]T, count)
	width := e.width()
	buf := make([]byte, 1<<15)
	for at := int64(0); at < count; {
		if err := z.ctx.Err(); err != nil {
			return nil, err
		}
		part := buf[:min(int64(len(buf)), (count-at)*width)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, z.damaged(err)
		}
		for ; len(part) > 0; part = part[width:] {
			if out[at], err = value(part, at); err != nil {
				return nil, err
			}
			at++
		}
	}
	return out, z.end(r)
}
