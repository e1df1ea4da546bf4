package predicting

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
)

// ModelOf is the model of a run, as [LoadModel] reads it from its file: it shares no memory with
// the documents.
func ModelOf(ctx context.Context, r *result.Run) (*Model, error) {
	if r.Fitted == nil {
		return nil, invalid.Errorf("%s: nothing was fitted", r.J.File)
	}
	var b bytes.Buffer
	if err := artefact.WriteModel(r, &b); err != nil {
		return nil, err
	}
	return DecodeModel(ctx, b.Bytes())
}

// DecodeModel reads a model from the bytes of its file. Errors: as of [LoadModel].
func DecodeModel(ctx context.Context, file []byte) (*Model, error) {
	read, err := model.Decode(ctx, file, registry.Blank)
	if err != nil {
		return nil, fault.Wrap(fmt.Errorf("%s: %w", unnamed, err))
	}
	m, err := NewModel("", read)
	return m, fault.Wrap(err)
}

// Encode writes the model's file. The same model gives the same bytes.
func (m *Model) Encode(w io.Writer) error { return fault.Wrap(m.m.Encode(w)) }

// Save writes the model's file, which appears whole or not at all.
func (m *Model) Save(file string) error {
	return fault.Wrap(atomicfile.Write(file, m.m.Encode))
}

// unnamed is what messages call a model in memory.
const unnamed = "model"

// Model is a fitted model.
type Model struct {
	File    string // that it was read from; "" of a model in memory
	Summary artefact.ModelSummary
	spec    method.Spec
	m       *model.Model
}

// NewModel is the model that was read from a file; "" for a model in memory.
func NewModel(file string, read *model.Model) (*Model, error) {
	m := &Model{File: file, m: read}
	m.spec, _ = registry.Find(read.Method)
	if read.Summary != nil {
		if err := json.Unmarshal(read.Summary, &m.Summary); err != nil {
			return nil, invalid.Errorf("%s: the model's summary is damaged (%v): make the model again", m.name(), err)
		}
	}
	return m, nil
}

// name is what messages call the model.
func (m *Model) name() string { return cmp.Or(m.File, unnamed) }

// Stored is what the model's file holds.
func Stored(m *Model) *model.Model { return m.m }

// Documents is the number of documents that the model was made from, copies of others among them.
func (m *Model) Documents() int { return max(m.m.Documents, m.Summary.Documents) }

// Sizes counts the training documents of each cluster; nil of an embedding.
func (m *Model) Sizes() []int {
	if m.m.Clusters == nil {
		return nil
	}
	return m.m.Clusters.Sizes
}

// Closed is the reason why the model takes no new documents; "" if it takes them.
func (m *Model) Closed() string {
	if m.m.Part != nil {
		return ""
	}
	return m.m.Why
}
