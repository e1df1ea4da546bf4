package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
)

// Copy returns what [Decode] reads from the file that [Model.Encode] writes, and makes no file: a
// model that shares no memory with m. The spaces in Summary stay what they are. blank is as of
// Decode. Memory: the arrays once more, in double precision, and the vocabulary a few times.
// Errors: as of both.
func (m *Model) Copy(ctx context.Context, blank func(method string) Part) (*Model, error) {
	if err := cmp.Or(ctx.Err(), m.Check()); err != nil {
		return nil, err
	}
	f, d, err := m.visit()
	if err != nil {
		return nil, err
	}
	summary := d.Summary
	d.Summary = nil
	text, err := d.text()
	if err != nil {
		return nil, err
	}
	var of document
	if err := json.Unmarshal(text.Bytes(), &of); err != nil {
		return nil, err
	}
	if len(summary) > 0 {
		if !json.Valid(summary) {
			return nil, invalid.Errorf("the model's summary is not JSON: a model of such a summary is not written")
		}
		of.Summary = slices.Clone(summary)
	}
	z := &archive{ctx: ctx, entries: map[string]*arrayEntry{}, kept: &keeping{map[string]*array{}, m.lists()}}
	for i := range f.arrays {
		a := &f.arrays[i]
		z.entries[a.Name], z.kept.arrays[a.Name] = &a.arrayEntry, a
	}
	return z.model(&of, blank)
}

// keeping is what a model has in memory.
type keeping struct {
	arrays map[string]*array
	lists  map[string]func(io.Writer) error
}

// json reads a list as it would be read from a file.
func (k *keeping) json(name string, v any) error {
	var text bytes.Buffer
	if err := k.lists[name](&text); err != nil {
		return err
	}
	return json.Unmarshal(text.Bytes(), v)
}

func (a *array) copyOfFloats(ctx context.Context) ([]float64, error) {
	count, _ := a.count()
	memory.Ahead(8 * count)
	out := make([]float64, 0, count)
	if a.each == nil {
		return append(out, a.floats...), ctx.Err()
	}
	err := a.each(func(part []float64) error {
		out = append(out, part...)
		return ctx.Err()
	})
	return out, err
}

func (a *array) copyOfInts(ctx context.Context) ([]int, error) {
	return append([]int{}, a.ints...), ctx.Err()
}

func (a *array) copyOfIndices(ctx context.Context) ([]int32, error) {
	return append([]int32{}, a.indices...), ctx.Err()
}
