//go:build cgo

package main

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"sync"
	"unsafe"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// handle is what an eigenmap_model of C stands for.
type handle struct {
	model   *eigenmap.Model
	threads int  // of the fit, which second looks that are left to later take too
	lazy    bool // confidences are made when they are asked for, and documents are not rejected by them
	// These are of a model that was fitted here.
	labels    []int
	embedding *mat.Dense
	posterior *mat.Dense
	places    *mat.Dense  // nil without the option map
	affinity  *sparse.CSR // nil if the method has none of all rows
	json      []byte
}

// said is what the C library adds to the program's JSON text of a model.
type said struct {
	Facts [][]string `json:"facts"` // what the report page says about the run: a name and a text
	Terms []terms    `json:"cluster_terms,omitempty"`
}

// terms are the most typical terms of a cluster, the best first.
type terms struct {
	Cluster     int                     `json:"cluster"`
	Terms       []string                `json:"terms"`
	Weights     []float64               `json:"weights"`
	Differences []eigenmap.Difference   `json:"differences,omitempty"` // the columns of Terms with their means, of measurements
	Coherence   *eigenmap.TermCoherence `json:"coherence"`
}

// saidOf is what is said of a run.
func saidOf(run *eigenmap.Run) said {
	s := said{Facts: run.Rows()}
	if run.HasTerms() {
		for _, k := range run.Clusters {
			s.Terms = append(s.Terms, terms{k.Number, k.Terms, k.Weights, k.Differences, k.Coherence})
		}
	}
	return s
}

// newHandle keeps what a run found, and nothing of the caller's matrix.
func newHandle(ctx context.Context, run *eigenmap.Run, purpose C.int32_t, name func(string) string) (*handle, error) {
	model, err := run.Model(ctx)
	if err != nil {
		return nil, err
	}
	h := &handle{model: model, labels: run.Labels, embedding: run.Embedding, posterior: run.Posterior, places: run.Map}
	if h.affinity, err = run.Affinity(); err != nil {
		return nil, err
	}
	if purpose == C.EIGENMAP_CLUSTER {
		h.json, err = json.Marshal(struct {
			eigenmap.ClusterJSON
			said
		}{run.ClusterJSON(name, nil), saidOf(run)})
	} else {
		h.json, err = json.Marshal(struct {
			eigenmap.EmbedJSON
			said
		}{run.EmbedJSON(name, nil), saidOf(run)})
	}
	return h, err
}

// valuesOf are the eigenvalues of a run, or its singular values or variances.
func valuesOf(run *eigenmap.Run) []float64 {
	if run.Fitted.Values == nil {
		return nil
	}
	return run.Fitted.Values.Values
}

// values returns the eigenvalues in the model's summary, NaN for one that is not finite.
func (h *handle) values() []float64 {
	s := &h.model.Summary
	for _, list := range [][]float64{s.Eigenvalues, s.Singular, s.Variances} {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// handles are the models that C holds, by number: a number that is not there is refused, where a
// pointer would crash.
var handles = registry[*handle]{what: "model"}

// registry holds what C has handles of, by number.
type registry[T any] struct {
	what string
	mu   sync.Mutex
	last C.uintptr_t
	open map[C.uintptr_t]T
}

func (r *registry[T]) add(h T) C.uintptr_t {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[C.uintptr_t]T{}
	}
	r.last++
	r.open[r.last] = h
	return r.last
}

func (r *registry[T]) find(id C.uintptr_t) (T, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok := r.open[id]
	if !ok {
		return h, invalid.Errorf("there is no such %s: it was freed, or never made", r.what)
	}
	return h, nil
}

func (r *registry[T]) remove(id C.uintptr_t) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, id)
}

//export eigenmapGoFree
func eigenmapGoFree(id C.uintptr_t) { handles.remove(id) }

// calibrated runs f on the model of a handle, once its second looks are taken. The host can cancel
// it. Where they fail, the call warns of it.
func calibrated(cc *C.eigenmap_call, id C.uintptr_t, f func(ctx context.Context, h *handle) error) C.int {
	c := call{c: cc}
	h, err := handles.find(id)
	if err != nil {
		return c.failed(err)
	}
	return c.runWith(&settings{threads: h.threads}, func(ctx context.Context) error {
		if err := h.model.Calibrate(ctx); err != nil {
			return err
		}
		if why := h.model.Uncalibrated(); why != "" {
			c.warn([]eigenmap.Warning{{Kind: progress.Warning, Text: words.Rename(why, c.name)}})
		}
		return f(ctx, h)
	})
}

// withModel runs f on the model of a handle.
func withModel(cc *C.eigenmap_call, id C.uintptr_t, f func(h *handle) error) C.int {
	return call{c: cc}.guarded(func() error {
		h, err := handles.find(id)
		if err != nil {
			return err
		}
		return f(h)
	})
}

//export eigenmapGoCount
func eigenmapGoCount(cc *C.eigenmap_call, id C.uintptr_t, which C.int32_t, count *C.int64_t) C.int {
	return withModel(cc, id, func(h *handle) error {
		if which < 0 || which >= C.EIGENMAP_COUNTS {
			return invalid.Errorf("there is no count %d of a model", int(which))
		}
		*count = C.int64_t(h.counts()[which])
		return nil
	})
}

//export eigenmapGoCounts
func eigenmapGoCounts(cc *C.eigenmap_call, id C.uintptr_t, counts *C.int64_t) C.int {
	return withModel(cc, id, func(h *handle) error {
		if counts == nil {
			return missing("counts")
		}
		for i, n := range h.counts() {
			unsafe.Slice(counts, C.EIGENMAP_COUNTS)[i] = C.int64_t(n)
		}
		return nil
	})
}

// counts are all counts of a model, by the numbers of eigenmap.h.
func (h *handle) counts() (n [C.EIGENMAP_COUNTS]int) {
	n[C.EIGENMAP_DOCUMENTS] = h.model.Documents()
	n[C.EIGENMAP_COLUMNS] = h.model.Rows().Columns
	n[C.EIGENMAP_CLUSTERS] = len(h.model.Sizes())
	n[C.EIGENMAP_DIMS] = h.model.Summary.Dims
	n[C.EIGENMAP_VALUES] = len(h.values())
	if h.posterior != nil {
		_, n[C.EIGENMAP_PROBABILITIES] = h.posterior.Dims()
	}
	if h.model.Closed() == "" {
		n[C.EIGENMAP_PREDICTS] = 1
	}
	return n
}

const notThere = "the model has no %s of its rows: it was loaded, or its method makes none"

//export eigenmapGoLabels
func eigenmapGoLabels(cc *C.eigenmap_call, id C.uintptr_t, labels *C.int32_t) C.int {
	return withModel(cc, id, func(h *handle) error {
		switch {
		case h.labels == nil:
			return invalid.Errorf(notThere, "clusters")
		case labels == nil:
			return missing("labels")
		}
		putLabels(labels, h.labels)
		return nil
	})
}

//export eigenmapGoConfidence
func eigenmapGoConfidence(cc *C.eigenmap_call, id C.uintptr_t, confidence *C.double) C.int {
	return calibrated(cc, id, func(ctx context.Context, h *handle) error {
		found, err := h.model.Confidence(ctx)
		switch {
		case err != nil:
			return err
		case found == nil:
			return invalid.Errorf(notThere, "confidences")
		case confidence == nil:
			return missing("confidence")
		}
		copy(unsafe.Slice((*float64)(confidence), len(found)), found)
		return nil
	})
}

//export eigenmapGoCoordinates
func eigenmapGoCoordinates(cc *C.eigenmap_call, id C.uintptr_t, layout C.int32_t, which C.int, out *C.double) C.int {
	return withModel(cc, id, func(h *handle) error {
		m, what := h.embedding, "coordinates"
		switch which {
		case 1:
			m, what = h.posterior, "probabilities"
		case 2:
			m, what = h.places, "map"
		}
		switch {
		case m == nil && which == 2:
			return invalid.Errorf("the model has no map of its rows: fit a clustering of three rows or more with the option map")
		case m == nil:
			return invalid.Errorf(notThere, what)
		case out == nil:
			return missing("the array of " + what)
		}
		return putMatrix(out, m, layout)
	})
}

//export eigenmapGoValues
func eigenmapGoValues(cc *C.eigenmap_call, id C.uintptr_t, values *C.double) C.int {
	return withModel(cc, id, func(h *handle) error {
		found := h.values()
		if found == nil {
			return invalid.Errorf("the model has no eigenvalues")
		}
		if values == nil {
			return missing("values")
		}
		copy(unsafe.Slice((*float64)(values), len(found)), found)
		return nil
	})
}

//export eigenmapGoClasses
func eigenmapGoClasses(cc *C.eigenmap_call, id C.uintptr_t, classes *C.int32_t) C.int {
	return withModel(cc, id, func(h *handle) error {
		if classes == nil {
			return missing("classes")
		}
		found := make([]int, len(h.model.Sizes()))
		for i := range found {
			found[i] = -1
			if names := h.model.Summary.Classes; names != nil {
				if k, err := strconv.Atoi(names[i]); err == nil && k <= math.MaxInt32 {
					found[i] = k
				}
			}
		}
		putLabels(classes, found)
		return nil
	})
}

//export eigenmapGoDescribe
func eigenmapGoDescribe(cc *C.eigenmap_call, id C.uintptr_t, out **C.char) C.int {
	return withModel(cc, id, func(h *handle) error {
		if out == nil {
			return missing("json")
		}
		text := h.json
		if text == nil {
			var err error
			if text, err = json.Marshal(h.model.Summary); err != nil {
				return err
			}
		}
		*out = C.CString(string(text))
		return nil
	})
}

//export eigenmapGoSave
func eigenmapGoSave(cc *C.eigenmap_call, id C.uintptr_t, path *C.char) C.int {
	return calibrated(cc, id, func(_ context.Context, h *handle) error {
		if path == nil {
			return missing("path")
		}
		return h.model.Save(C.GoString(path))
	})
}

//export eigenmapGoEncode
func eigenmapGoEncode(cc *C.eigenmap_call, id C.uintptr_t, out *unsafe.Pointer, size *C.size_t) C.int {
	return calibrated(cc, id, func(_ context.Context, h *handle) error {
		if out == nil || size == nil {
			return missing("bytes or size")
		}
		var b bytes.Buffer
		if err := h.model.Encode(&b); err != nil {
			return err
		}
		*out, *size = C.CBytes(b.Bytes()), C.size_t(b.Len())
		return nil
	})
}

// load makes a handle of a model that read reads.
func load(cc *C.eigenmap_call, out *C.uintptr_t, read func(ctx context.Context) (*eigenmap.Model, error)) C.int {
	c := call{c: cc}
	if out == nil {
		return c.failed(missing("model"))
	}
	var h handle
	code := c.run(func(ctx context.Context, _ progress.Observer) (err error) {
		h.model, err = read(ctx)
		return err
	})
	if code == 0 {
		*out = handles.add(&h)
	}
	return code
}

//export eigenmapGoLoad
func eigenmapGoLoad(cc *C.eigenmap_call, path *C.char, out *C.uintptr_t) C.int {
	if path == nil {
		return call{c: cc}.failed(missing("path"))
	}
	file := C.GoString(path)
	return load(cc, out, func(ctx context.Context) (*eigenmap.Model, error) { return eigenmap.LoadModel(ctx, file) })
}

//export eigenmapGoDecode
func eigenmapGoDecode(cc *C.eigenmap_call, data unsafe.Pointer, size C.size_t, out *C.uintptr_t) C.int {
	if data == nil {
		return call{c: cc}.failed(missing("bytes"))
	}
	file := unsafe.Slice((*byte)(data), int(size))
	return load(cc, out, func(ctx context.Context) (*eigenmap.Model, error) { return eigenmap.DecodeModel(ctx, file) })
}
