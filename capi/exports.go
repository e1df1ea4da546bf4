//go:build cgo

package main

/*
#include "shim.h"
*/
import "C"

import (
	"cmp"
	"context"
	"sync"
	"unsafe"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	specs "github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var version = sync.OnceValue(func() *C.char { return C.CString(eigenmap.Versions().Version) })

//export eigenmapGoVersion
func eigenmapGoVersion() *C.char { return version() }

// taker takes a finished run.
type taker func(context.Context, *eigenmap.Run) error

// fit runs a method over the caller's matrix, and hands the finished run to take.
func (c call) fit(x *C.eigenmap_matrix, purpose C.int32_t, s *settings, take taker) C.int {
	m, code := c.matrix(x)
	if code != 0 {
		return code
	}
	if x.layout == C.EIGENMAP_AFFINITY {
		s.Source.Precomputed = true
	}
	// Views are joined in double precision.
	if spec, found := specs.Find(cmp.Or(s.Method, eigenmap.DefaultMethod)); found && sparse.IsSingle(m) && eigenmap.Takes(spec, "precision") && !s.views && s.Vectors.Columns == nil {
		s.Precision = "single" // what the options say counts before this
	}
	if _, cols := m.Dims(); s.columns != nil && len(s.columns) != cols {
		return c.failed(invalid.Errorf("column-names: %d names for %d columns: give one for each", len(s.columns), cols))
	}
	rows := &corpus.Corpus{Name: "matrix", X: m, Terms: s.columns}
	return c.fitted(purpose, s, func(ctx context.Context, command string) (*eigenmap.Run, error) {
		if command == "embed" {
			return eigenmap.EmbedCorpus(ctx, rows, s.Options)
		}
		return eigenmap.ClusterCorpus(ctx, rows, s.Options)
	}, take)
}

// fitted runs a command for a purpose, and hands the finished run to take.
func (c call) fitted(purpose C.int32_t, s *settings, work func(ctx context.Context, command string) (*eigenmap.Run, error), take taker) C.int {
	command := "cluster"
	switch purpose {
	case C.EIGENMAP_CLUSTER:
	case C.EIGENMAP_EMBED:
		command = "embed"
		s.Method = cmp.Or(s.Method, defaultMethod)
	default:
		return c.failed(invalid.Errorf("the purpose is %d: it must be EIGENMAP_CLUSTER or EIGENMAP_EMBED", int(purpose)))
	}
	s.LazyConfidence = true
	return c.runWith(s, func(ctx context.Context) error {
		run, err := work(ctx, command)
		if err != nil {
			return err
		}
		c.warn(run.Warnings(c.name))
		return take(ctx, run)
	})
}

// matrix is the caller's matrix, checked, or a code.
func (c call) matrix(x *C.eigenmap_matrix) (m mat.Matrix, code C.int) {
	code = c.guarded(func() (err error) {
		m, err = matrixOf(x)
		return err
	})
	return m, code
}

//export eigenmapGoEmbed
func eigenmapGoEmbed(cc *C.eigenmap_call, x *C.eigenmap_matrix, options *C.char, dims C.int32_t, values, embedding *C.double) C.int {
	c := call{c: cc}
	s, err := c.settingsOf(options)
	if err == nil {
		err = s.setDims(dims)
	}
	if err == nil && embedding == nil {
		err = missing("embedding")
	}
	if err != nil {
		return c.failed(err)
	}
	return c.fit(x, C.EIGENMAP_EMBED, s, func(_ context.Context, run *eigenmap.Run) error {
		if _, cols := run.Embedding.Dims(); cols != int(dims) {
			return invalid.Errorf("the method %s makes %d dimensions here, and the argument dims is %d", s.Method, cols, int(dims))
		}
		if values != nil {
			found := valuesOf(run)
			if len(found) < int(dims) {
				return invalid.Errorf("the method %s gives %d values for %d dimensions: pass NULL for values", s.Method, len(found), int(dims))
			}
			copy(unsafe.Slice((*float64)(values), int(dims)), found)
		}
		return putMatrix(embedding, run.Embedding, C.EIGENMAP_ROW_MAJOR)
	})
}

//export eigenmapGoCluster
func eigenmapGoCluster(cc *C.eigenmap_call, x *C.eigenmap_matrix, options *C.char, labels *C.int32_t) C.int {
	c := call{c: cc}
	s, err := c.settingsOf(options)
	if err == nil && labels == nil {
		err = missing("labels")
	}
	if err != nil {
		return c.failed(err)
	}
	return c.fit(x, C.EIGENMAP_CLUSTER, s, func(_ context.Context, run *eigenmap.Run) error {
		putLabels(labels, run.Labels)
		return nil
	})
}

//export eigenmapGoFit
func eigenmapGoFit(cc *C.eigenmap_call, x *C.eigenmap_matrix, purpose C.int32_t, options *C.char, known *C.eigenmap_known, out *C.uintptr_t) C.int {
	c := call{c: cc}
	rows := int64(0)
	if x != nil {
		rows = int64(x.rows)
	}
	return c.model(options, known, rows, purpose, out, func(s *settings, take taker) C.int { return c.fit(x, purpose, s, take) })
}

// model makes a model of the run that fit gives, with what there is to learn from.
func (c *call) model(options *C.char, known *C.eigenmap_known, rows int64, purpose C.int32_t, out *C.uintptr_t, fit func(*settings, taker) C.int) C.int {
	if out == nil {
		return c.failed(missing("model"))
	}
	s, err := c.settingsOf(options)
	if err != nil {
		return c.failed(err)
	}
	if code := c.guarded(func() error { return takeKnown(&s.Options, known, rows) }); code != 0 {
		return code
	}
	var h *handle
	code := fit(s, func(ctx context.Context, run *eigenmap.Run) (err error) {
		if h, err = newHandle(ctx, run, purpose, c.name); err == nil {
			h.threads, h.lazy = s.threads, s.Reject == 0 && s.RejectShare == 0
		}
		return err
	})
	if code == 0 {
		*out = handles.add(h)
	}
	return code
}

//export eigenmapGoPredict
func eigenmapGoPredict(cc *C.eigenmap_call, id C.uintptr_t, x *C.eigenmap_matrix, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double) C.int {
	c := call{c: cc}
	m, code := c.newRows(x)
	if code != 0 {
		return code
	}
	return c.place(id, options, layout, labels, embedding, posterior, func(ctx context.Context, model *eigenmap.Model, opt eigenmap.Options) (*eigenmap.Prediction, error) {
		return model.PredictMatrix(ctx, m, opt)
	})
}

// newRows is the caller's matrix of rows for a model, checked, or a code.
func (c call) newRows(x *C.eigenmap_matrix) (mat.Matrix, C.int) {
	if x != nil && x.layout == C.EIGENMAP_AFFINITY {
		return nil, c.failed(badLayout(x.layout))
	}
	return c.matrix(x)
}

// place puts new documents into a model by predict, and hands out what the caller has arrays for.
func (c *call) place(id C.uintptr_t, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double,
	predict func(context.Context, *eigenmap.Model, eigenmap.Options) (*eigenmap.Prediction, error)) C.int {
	h, err := handles.find(id)
	var s *settings
	if err == nil {
		s, err = c.settingsOf(options)
	}
	if err != nil {
		return c.failed(err)
	}
	return c.runWith(s, func(ctx context.Context) error {
		opt := s.Options
		opt.Method = ""
		if h.lazy && opt.Reject == 0 && opt.RejectShare == 0 {
			opt.Confidence = "raw" // no confidence is handed out, so that none needs second looks
		}
		placed, err := predict(ctx, h.model, opt)
		if err != nil {
			return err
		}
		c.warn(placed.Warnings(c.name))
		return putPlaced(placed, layout, labels, embedding, posterior)
	})
}

// putPlaced writes what the caller has arrays for, once all of it is known to be there.
func putPlaced(placed *eigenmap.Prediction, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double) error {
	const none = "the model gives no %s for new rows: pass NULL for them"
	switch {
	case labels != nil && placed.Labels == nil:
		return invalid.Errorf(none, "clusters")
	case embedding != nil && placed.Embedding == nil:
		return invalid.Errorf(none, "coordinates")
	case posterior != nil && placed.Posterior == nil:
		return invalid.Errorf(none, "probabilities")
	}
	if embedding != nil {
		if err := putMatrix(embedding, placed.Embedding, layout); err != nil {
			return err
		}
	}
	if posterior != nil {
		if err := putMatrix(posterior, placed.Posterior, layout); err != nil {
			return err
		}
	}
	if labels != nil {
		putLabels(labels, placed.Labels)
	}
	return nil
}
