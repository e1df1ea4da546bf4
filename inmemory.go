package eigenmap

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
)

// Model is the model of the run, as [LoadModel] reads it from the file that Save writes: it shares
// no memory with the documents.
func (r *Run) Model(ctx context.Context) (*Model, error) {
	if r.Fitted == nil {
		return nil, fault.Wrap(invalid.Errorf("%s: nothing was fitted", r.j.File))
	}
	var b bytes.Buffer
	if err := r.writeModel(&b); err != nil {
		return nil, fault.Wrap(err)
	}
	return DecodeModel(ctx, b.Bytes())
}

// DecodeModel reads a model from the bytes of its file. Errors: as of [LoadModel].
func DecodeModel(ctx context.Context, file []byte) (*Model, error) {
	const name = "model"
	read, err := model.Decode(ctx, file, registry.Blank)
	if err != nil {
		return nil, fault.Wrap(fmt.Errorf("%s: %w", name, err))
	}
	m, err := newModel(name, read)
	return m, fault.Wrap(err)
}

// Encode writes the model's file. The same model gives the same bytes.
func (m *Model) Encode(w io.Writer) error { return fault.Wrap(m.m.Encode(w)) }

// Save writes the model's file, which appears whole or not at all.
func (m *Model) Save(file string) error {
	return fault.Wrap(atomicfile.Write(file, m.m.Encode))
}
