package predicting

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
)

// ModelOf is the model of a run, as [LoadModel] reads it from its file: it shares no memory with
// the documents.
func ModelOf(ctx context.Context, r *result.Run) (*Model, error) {
	if r.Fitted == nil {
		return nil, invalid.Errorf("%s: nothing was fitted", r.J.File)
	}
	run, err := artefact.ModelOf(r)
	if err != nil {
		return nil, err
	}
	own, err := run.Copy(ctx, registry.Blank)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	m, err := NewModel("", own)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	m.sure, m.looks = r.Confidence, r.Looks
	if r.Looks != nil {
		m.scores, m.isolated = r.AllOrders(), r.Isolated
	}
	return m, nil
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
func (m *Model) Encode(w io.Writer) error {
	if err := m.Calibrate(context.Background()); err != nil {
		return fault.Wrap(err)
	}
	return fault.Wrap(m.m.Encode(w))
}

// Save writes the model's file, which appears whole or not at all.
func (m *Model) Save(file string) error {
	if err := m.Calibrate(context.Background()); err != nil {
		return fault.Wrap(err)
	}
	return fault.Wrap(atomicfile.Write(file, m.m.Encode))
}

// Calibrate takes the second looks that a run with Options.LazyConfidence has left to its model;
// without any it does nothing. Where the looks fail, confidences stay the method's own scores, and
// [Model.Uncalibrated] says why. Errors: the context's; a later call tries again.
func (m *Model) Calibrate(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.looks == nil {
		return nil
	}
	defer native.Hold()()
	curve, why, err := m.looks.Take(ctx)
	if err != nil {
		return err
	}
	m.uncalibrated = why
	if m.looks, m.m.Calibration = nil, curve; curve != nil {
		m.sure = result.Calibrated(curve, m.scores, m.isolated)
	}
	return nil
}

// Confidence returns the confidence of each document that the model was fitted on, as
// Result.Confidence; nil if the method has none or the model was read from a file. It calls
// [Model.Calibrate].
func (m *Model) Confidence(ctx context.Context) ([]float64, error) {
	if err := m.Calibrate(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sure, nil
}

// Uncalibrated returns the sentence that says why second looks that were left to later failed, so
// that confidences are the method's own scores; "" where they did not fail, or are not taken yet.
// What fails during a run is in its notes.
func (m *Model) Uncalibrated() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.uncalibrated
}

// curve returns the curve that makes confidences of scores; nil if they are the method's own.
func (m *Model) curve() *model.Calibration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.m.Calibration
}

// unnamed is what messages call a model in memory.
const unnamed = "model"

// Model is a fitted model.
type Model struct {
	File    string // that it was read from; "" of a model in memory
	Summary artefact.ModelSummary
	m       *model.Model

	mu       sync.Mutex        // of Calibrate
	looks    *confidence.Looks // that are left to be taken; nil: none
	sure     []float64         // confidences of the documents of the run that made it; nil of a file
	scores   []float64         // of which the looks make confidences
	isolated []int             // documents whose confidence is 0

	uncalibrated string // why the looks failed
}

// NewModel is the model that was read from a file; "" for a model in memory.
func NewModel(file string, read *model.Model) (*Model, error) {
	m := &Model{File: file, m: read}
	if read.Summary != nil {
		if err := json.Unmarshal(read.Summary, &m.Summary); err != nil {
			return nil, invalid.Errorf("%s: the model's summary is damaged (%s): make the model again", m.name(), words.WrongJSON(err))
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
