//go:build cgo

package main

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"context"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// copied is a copy of a slice in memory of C; nil if there is none.
func copied[T any](of []T) unsafe.Pointer {
	size := max(1, len(of)) * int(unsafe.Sizeof(*new(T)))
	p := C.malloc(C.size_t(size)) // cgo's malloc does not return nil
	copy(unsafe.Slice((*T)(p), len(of)), of)
	return p
}

// putCSR gives the caller copies of the arrays of a matrix.
func putCSR(to *C.eigenmap_csr, m *sparse.CSR) {
	*to = C.eigenmap_csr{rows: C.int64_t(m.NumRows), cols: C.int64_t(m.NumCols), indptr: (*C.int64_t)(copied(m.RowPtr)),
		indices: (*C.int32_t)(copied(m.Col)), values: (*C.double)(copied(m.Val))}
}

// setGraph sets an option of graphs that allowed names; nil allows all.
func setGraph(o *graph.Options, allowed []string, name, value string) error {
	if name == "seed" {
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return invalid.Errorf("seed %q: it must be a whole number of at least 0", value)
		}
		o.Seed = seed
		return nil
	}
	list := option.Of(o)
	f := option.Find(list, name)
	if f == nil || allowed != nil && !slices.Contains(allowed, name) {
		names := []string{"seed", "threads", memory.OptionName}
		for _, f := range list {
			if allowed == nil || slices.Contains(allowed, f.Name) {
				names = append(names, f.Name)
			}
		}
		return invalid.Errorf("there is no option %q of this graph%s", name, words.Nearest(name, names))
	}
	if err := f.Set(value); err != nil {
		return invalid.Errorf("%s %q: %w", words.Option(name), value, err)
	}
	return nil
}

// graphOf makes a graph of the caller's rows by make, and hands it out.
func graphOf(cc *C.eigenmap_call, x *C.eigenmap_matrix, options *C.char, out *C.eigenmap_csr, allowed []string, opt *graph.Options,
	make func(ctx context.Context, x mat.Matrix, opt graph.Options) (*sparse.CSR, error)) C.int {
	c := call{c: cc}
	s, err := c.settingsOf(options, func(name, value string) error { return setGraph(opt, allowed, name, value) })
	switch {
	case err != nil:
	case out == nil:
		err = missing("graph")
	case x != nil && x.layout == C.EIGENMAP_AFFINITY:
		err = badLayout(x.layout)
	}
	if err != nil {
		return c.failed(err)
	}
	m, code := c.matrix(x)
	if code != 0 {
		return code
	}
	return c.runWith(s, func(ctx context.Context) error {
		opt.Observer = s.Observer
		x, err := sparse.Kept(m)
		if err == nil {
			err = sparse.CheckFinite(x)
		}
		if err != nil {
			return err
		}
		w, err := make(memory.Bound(ctx, s.MaxBytes), x, *opt)
		if err == nil {
			putCSR(out, w)
		}
		return err
	})
}

//export eigenmapGoAffinity
func eigenmapGoAffinity(cc *C.eigenmap_call, x *C.eigenmap_matrix, options *C.char, out *C.eigenmap_csr) C.int {
	return graphOf(cc, x, options, out, nil, new(graph.Options), func(ctx context.Context, x mat.Matrix, opt graph.Options) (*sparse.CSR, error) {
		g, err := graph.Build(ctx, x, opt)
		if err != nil {
			return nil, err
		}
		return g.W, nil
	})
}

//export eigenmapGoNeighbors
func eigenmapGoNeighbors(cc *C.eigenmap_call, x *C.eigenmap_matrix, k C.int32_t, options *C.char, out *C.eigenmap_csr) C.int {
	return graphOf(cc, x, options, out, []string{"neighbors-method"}, new(graph.Options), func(ctx context.Context, x mat.Matrix, opt graph.Options) (*sparse.CSR, error) {
		found, err := opt.Neighbours(ctx, x, int(k))
		if err != nil {
			return nil, err
		}
		w := &sparse.CSR{NumRows: found.N, NumCols: found.N, RowPtr: make([]int, 0, found.N+1), Col: found.Index, Val: make([]float64, len(found.Dist2))}
		for i := range found.N + 1 {
			w.RowPtr = append(w.RowPtr, i*found.K)
		}
		for i, d := range found.Dist2 {
			w.Val[i] = math.Sqrt(d)
		}
		return w, nil
	})
}

//export eigenmapGoModelAffinity
func eigenmapGoModelAffinity(cc *C.eigenmap_call, id C.uintptr_t, out *C.eigenmap_csr) C.int {
	return withModel(cc, id, func(h *handle) error {
		switch {
		case h.affinity == nil:
			return invalid.Errorf("the model has no affinity graph of its rows: it was loaded, or its method makes none of all of them")
		case out == nil:
			return missing("graph")
		}
		putCSR(out, h.affinity)
		return nil
	})
}
