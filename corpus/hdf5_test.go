package corpus

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// hdf5File is a file that testdata/make.py of package hdf wrote.
func hdf5File(t *testing.T, name string) string {
	t.Helper()
	return writeFile(t, t.TempDir(), name, corpustest.Gunzipped(t, filepath.Join("internal", "hdf", "testdata", name+".gz")))
}

// HDF5 is a corpus, a file of vectors, and a list of labels, whatever its name.
func TestHDF5(t *testing.T) {
	for _, name := range []string{"matlab.mat", "cells.h5ad", "cells.loom", "tenx.h5"} {
		c := must.Get(Read(t.Context(), hdf5File(t, name), ReadOptions{}))(t)
		if c.Format != "hdf5" || len(c.IDs) != c.Len() {
			t.Errorf("%s: format %s, %d documents, ids %q", name, c.Format, c.Len(), c.IDs)
		}
	}
	c := must.Get(Read(t.Context(), hdf5File(t, "arrays.h5"), ReadOptions{Var: "train", AsStored: true}))(t)
	if _, single := c.X.(*sparse.SingleDense); !single {
		t.Errorf("numbers in single precision are %T", c.X)
	}
	v := must.Get(ReadVectors(t.Context(), hdf5File(t, "arrays.h5"), ReadOptions{VectorColumn: "g/emb"}))(t)
	if v.Len() != 6 || v.IDs[0] != "9007199254740993" || v.Labels != nil {
		t.Errorf("%d vectors, ids %q, labels %v", v.Len(), v.IDs, v.Labels)
	}
	l := must.Get(ReadLabeling(t.Context(), hdf5File(t, "labels.h5"), ""))(t)
	if !slices.Equal(l.IDs, []string{"p", "q"}) || !slices.Equal(l.Labels, []string{"x", "y"}) {
		t.Errorf("ids %q, labels %q", l.IDs, l.Labels)
	}
	l = must.Get(ReadLabeling(t.Context(), hdf5File(t, "labels.h5"), "other"))(t)
	if !slices.Equal(l.Labels, []string{"1", "2"}) {
		t.Errorf("labels %q", l.Labels)
	}
	l = must.Get(ReadLabeling(t.Context(), hdf5File(t, "cells.h5ad"), ""))(t)
	if !slices.Equal(l.Labels, []string{"t", "b", "", "t", "b"}) {
		t.Errorf("labels %q", l.Labels)
	}
}
