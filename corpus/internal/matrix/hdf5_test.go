package matrix

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// hdfFileOf is a file that testdata/make.py of package hdf wrote.
func hdfFileOf(t testing.TB, name string) []byte {
	return corpustest.Gunzipped(t, path.Join("../hdf/testdata", name+".gz"))
}

// byFormula is the matrix of testdata/make.py.
func byFormula(rows, cols int) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		for j := range cols {
			x[i] = append(x[i], float64((7*i+3*j)%100))
		}
	}
	return x
}

// MATLAB's level 7.3 has its columns as rows of HDF5, sparse matrices as groups, and texts as
// numbers.
func TestHDF5Matlab(t *testing.T) {
	data := hdfFileOf(t, "matlab.mat")
	want := byFormula(6, 4)
	want[1] = make([]float64, 4)
	for _, format := range []string{"mat", "hdf5"} {
		r := must.Get(readBytes(data, format, Options{}))(t)
		corpustest.CheckMatrix(t, r.X, want)
		if _, isSparse := r.X.(*sparse.CSR); !isSparse {
			t.Errorf("a sparse matrix is read as %T", r.X)
		}
		if !slices.Equal(r.Labels, []int{0, 1, 0, 1, 0, 1}) || !slices.Equal(r.Terms, []string{"alpha", "bêta", "gamma", "delta"}) || r.IDs[5] != "doc 5" {
			t.Errorf("labels %v, terms %q, ids %q", r.Labels, r.Terms, r.IDs)
		}
	}
	r := must.Get(readBytes(data, "mat", Options{Var: "dense", LabelVar: "none"}))(t)
	corpustest.CheckMatrix(t, r.X, byFormula(6, 4))
	r = must.Get(readBytes(data, "mat", Options{Var: "dense", LabelVar: "terms"}))(t)
	corpustest.CheckMatrix(t, r.X, transposed(byFormula(6, 4)))
	r = must.Get(readBytes(data, "mat", Options{Var: "flags", Transpose: true, LabelVar: "none"}))(t)
	if rows, cols := r.X.Dims(); rows != 4 || cols != 6 || r.X.At(3, 3) != 1 || r.X.At(0, 5) != 0 {
		t.Errorf("%d×%d", rows, cols)
	}
	corpustest.CheckMatrix(t, must.Get(readBytes(data, "mat", Options{Var: "inside", LabelVar: "none"}))(t).X, byFormula(6, 2))
	_, err := readBytes(data, "mat", Options{LabelVar: "strings"})
	corpustest.WantFault(t, err, "strings", "of the class string")
	_, err = readBytes(hdfFileOf(t, "octave.h5"), "hdf5", Options{})
	corpustest.WantFault(t, err, "Octave", "-v7")
	_, err = readBytes(data, "mat", Options{Var: "terms"})
	corpustest.WantFault(t, err, "terms", "text", "fea (6×4 sparse)")
	_, err = readBytes(data, "mat", Options{Var: "empty"})
	corpustest.WantFault(t, err, "empty")
}

// The cells of AnnData, Loom and 10x Genomics are the documents, their genes the terms.
func TestHDF5Cells(t *testing.T) {
	names := []string{"cell 0", "cell 1", "cell 2", "cell 3", "cell 4"}
	for _, c := range []struct {
		file   string
		opt    Options
		want   [][]float64
		terms  string
		labels string
	}{
		{"cells.h5ad", Options{}, byFormula(5, 4), "g1 g2 g3 g4", "t b ? t b"},
		{"cells.h5ad", Options{LabelColumn: "batch"}, byFormula(5, 4), "g1 g2 g3 g4", "3 3 4 4 4"},
		{"cells.h5ad", Options{LabelColumn: "kept", Var: "layers/turned"}, byFormula(5, 4), "g1 g2 g3 g4", "true false true true true"},
		{"cells.h5ad", Options{LabelColumn: "none", Var: "obsm/X_pca"}, byFormula(5, 2), "", ""},
		{"cells.h5ad", Options{LabelsGiven: true}, byFormula(5, 4), "g1 g2 g3 g4", ""},
		{"tenx.h5", Options{}, transposed(byFormula(4, 5)), "g g-1 h i", ""},
		{"cells.loom", Options{}, transposed(byFormula(4, 5)), "g1 g2 g3 g4", ""},
	} {
		r := must.Get(readBytes(hdfFileOf(t, c.file), "hdf5", c.opt))(t)
		corpustest.CheckMatrix(t, r.X, c.want)
		var labels []string
		for _, k := range r.Labels {
			if k < 0 {
				labels = append(labels, "?")
			} else {
				labels = append(labels, r.ClassNames[k])
			}
		}
		if !slices.Equal(r.IDs, names) || strings.Join(r.Terms, " ") != c.terms || strings.Join(labels, " ") != c.labels {
			t.Errorf("%s: ids %q, terms %q, labels %q", c.file, r.IDs, r.Terms, labels)
		}
	}
	old := mustRead(t, hdfFileOf(t, "old.h5ad"), "hdf5", Options{LabelVar: "obs.louvain"}, byFormula(3, 2))
	if !slices.Equal(old.IDs, []string{"c1", "c2", "c3"}) || !slices.Equal(old.Terms, []string{"g1", "g2"}) || !slices.Equal(old.Labels, []int{0, 1, 0}) {
		t.Errorf("ids %q, terms %q, labels %v", old.IDs, old.Terms, old.Labels)
	}
	_, err := readBytes(hdfFileOf(t, "cells.h5ad"), "hdf5", Options{LabelColumn: "no"})
	corpustest.WantFault(t, err, "‹label-column› no", "batch, cell_type, kept")
	_, err = readBytes(bytes.ReplaceAll(hdfFileOf(t, "cells.h5ad"), []byte("\x00X\x00\x00"), []byte("\x00Z\x00\x00")), "hdf5", Options{})
	corpustest.WantFault(t, err, "AnnData without X", "layers/turned")
	_, err = readBytes(hdfFileOf(t, "several.h5mu"), "hdf5", Options{})
	corpustest.WantFault(t, err, "MuData", ": prot, rna; write one")
	_, err = readBytes(hdfFileOf(t, "cells.h5ad"), "hdf5", Options{Var: "layers/no"})
	corpustest.WantFault(t, err, "X, layers/turned", "obsm/X_pca")
}

// Of the arrays of any program one is chosen as of .npz, and those beside it in its group are its
// labels and ids.
func TestHDF5Arrays(t *testing.T) {
	data := hdfFileOf(t, "arrays.h5")
	_, err := readBytes(data, "hdf5", Options{})
	corpustest.WantFault(t, err, "several matrices", "‹var›", "W, ", "train")
	for name, cols := range map[string]int{"train": 3, "g/emb": 2, "test": 3} {
		rows := 6
		if name == "test" {
			rows = 4
		}
		r := must.Get(readBytes(data, "hdf5", Options{Var: name, LabelVar: map[bool]string{true: "none"}[name == "test"]}))(t)
		corpustest.CheckMatrix(t, r.X, byFormula(rows, cols))
		if name == "g/emb" && (r.IDs[5] != fmt.Sprint(1<<53+6) || !slices.Equal(r.Labels, []int{0, 1, 0, 1, 0, 1})) {
			t.Errorf("ids %q, labels %v", r.IDs, r.Labels)
		}
	}
	r := must.Get(readBytes(data, "hdf5", Options{Var: "train", AsStored: true}))(t)
	if x, single := r.X.(*sparse.SingleDense); !single || !x.Wide {
		t.Errorf("numbers in single precision are read as %T", r.X)
	}
	r = must.Get(readBytes(data, "hdf5", Options{Var: "gaps", Missing: "drop-rows"}))(t)
	if !slices.Equal(r.Kept, []int{0, 1, 3, 4, 5}) || r.IDs != nil || r.Labels != nil {
		t.Errorf("rows %v, ids %q, labels %v", r.Kept, r.IDs, r.Labels)
	}
	r = must.Get(readBytes(data, "hdf5", Options{Var: "W"}))(t)
	corpustest.CheckMatrix(t, r.X, [][]float64{{0, 10, 20}, {10, 20, 30}, {20, 30, 40}})
	halves := byFormula(6, 3)
	for _, row := range halves {
		for j := range row {
			row[j] /= 2
		}
	}
	r = must.Get(readBytes(data, "hdf5", Options{Var: "scaled"}))(t)
	corpustest.CheckMatrix(t, r.X, halves)
	wantNote(t, r, "The numbers of scaled are unpacked as its attributes say: times 0.5 (scale_factor), plus 0 (add_offset).")
	for _, c := range []struct{ name, says string }{{"no", "neighbors (4×9)"}, {"g/ids", "list"}, {"g/labels", "text"}} {
		_, err := readBytes(data, "hdf5", Options{Var: c.name})
		corpustest.WantFault(t, err, c.says)
	}
	_, err = readBytes(hdfFileOf(t, "network.h5"), "hdf5", Options{})
	corpustest.WantFault(t, err, "neural network", "‹var›", "embeddings:0 (9×3)")
	corpustest.CheckMatrix(t, must.Get(readBytes(hdfFileOf(t, "network.h5"), "hdf5", Options{Var: "model_weights/words/embeddings:0"}))(t).X, byFormula(9, 3))
}

// A frame of pandas has its names beside its numbers; columns of other types are told.
func TestHDF5Frame(t *testing.T) {
	r := mustRead(t, hdfFileOf(t, "frame.h5"), "hdf5", Options{Var: "mixed/block0_values"}, byFormula(4, 3))
	if !slices.Equal(r.IDs, []string{"p", "q", "r", "s"}) || !slices.Equal(r.Terms, []string{"a", "b", "c"}) {
		t.Errorf("ids %q, terms %q", r.IDs, r.Terms)
	}
	wantNote(t, r, "left out are those in mixed/block1_values")
}

// What netCDF's attributes say is missing is missing, whatever the types of the numbers and of the
// attribute are; bytes may be without a sign.
func TestHDF5Missing(t *testing.T) {
	data := hdfFileOf(t, "marked.h5")
	want := byFormula(6, 3)
	for _, name := range []string{"whole", "turned", "short", "float", "swapped", "half", "written", "counted", "bytes"} {
		_, err := readBytes(data, "hdf5", Options{Var: name})
		corpustest.WantFault(t, err, "1 cell is missing", "row 4, column 2")
		for _, single := range []bool{false, true} {
			want[3][1] = 17 // the median of the others
			r := must.Get(readBytes(data, "hdf5", Options{Var: name, Missing: "median", AsStored: single}))(t)
			corpustest.CheckMatrix(t, r.X, want)
		}
	}
	corpustest.CheckMatrix(t, must.Get(readBytes(data, "hdf5", Options{Var: "none"}))(t).X, byFormula(6, 3))
	if x := must.Get(readBytes(data, "hdf5", Options{Var: "unsigned"}))(t).X; x.At(0, 0) != 150 || x.At(5, 2) != 191 {
		t.Errorf("%v and %v", x.At(0, 0), x.At(5, 2))
	}
}

// Numbers that netCDF never wrote are missing, by the default of their type but for bytes, or by
// the attribute; packed ones are unpacked.
func TestNetCDF(t *testing.T) {
	data := hdfFileOf(t, "netcdf.h5")
	want := byFormula(5, 3)
	for _, name := range []string{"f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8", "packed", "filled"} {
		_, err := readBytes(data, "hdf5", Options{Var: name})
		corpustest.WantFault(t, err, "3 cells are missing in 1 of 6 rows", "row 6, column 1")
		for _, single := range []bool{false, true} {
			r := must.Get(readBytes(data, "hdf5", Options{Var: name, Missing: "median", AsStored: single}))(t)
			corpustest.CheckMatrix(t, r.X, append(slices.Clone(want), []float64{14, 17, 20}))
		}
	}
	_, err := readBytes(data, "hdf5", Options{})
	corpustest.WantFault(t, err, "cells are missing")
	r := must.Get(readBytes(data, "hdf5", Options{Var: "i1"}))(t)
	corpustest.CheckMatrix(t, r.X, append(want, []float64{-127, -127, -127}))
	for _, note := range r.Notes {
		if strings.Contains(note, "takes labels") {
			t.Errorf("sizes of dimensions are labels: %s", note)
		}
	}
}

// Sets are read though their names begin like MATLAB's cells or PyTables' indices. Names in an old
// encoding are told, and enumerated labels have their names.
func TestHDF5Names(t *testing.T) {
	data := hdfFileOf(t, "marked.h5")
	for _, name := range []string{"#sharp", "_i_sharp"} {
		corpustest.CheckMatrix(t, must.Get(readBytes(data, "hdf5", Options{Var: name}))(t).X, byFormula(6, 3))
	}
	r := must.Get(readBytes(data, "hdf5", Options{Var: "names/sharp"}))(t)
	if !slices.Equal(r.IDs, []string{"größe", "b", "c", "d", "e", "école"}) || !slices.Equal(r.ClassNames, []string{"7", "grün", "red"}) {
		t.Errorf("ids %q, classes %q", r.IDs, r.ClassNames)
	}
	wantNote(t, r, "The texts of names/ids are not UTF-8 and are read as Windows-1252")
}

// Lists of labels, with ids beside them; a file with a matrix, or with cells, is none.
func TestHDF5Labels(t *testing.T) {
	for name, want := range map[string]bool{"arrays.h5": false, "cells.h5ad": false, "labels.h5": true} {
		data := hdfFileOf(t, name)
		in := must.Get(input.New(t.Context(), name, bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: 64 << 20}))(t)
		labels, ids, list, err := LabelList(in, "hdf5", "")
		if err != nil || list != want || list && (!slices.Equal(labels, []string{"x", "y"}) || !slices.Equal(ids, []string{"p", "q"})) {
			t.Errorf("%s: %v, %q, %q, %v", name, list, labels, ids, err)
		}
	}
	_, err := readBytes(hdfFileOf(t, "deep.h5"), "hdf5", Options{})
	corpustest.WantFault(t, err, "more than 64 groups")
}

// FuzzHDF5 reads arbitrary bytes as HDF5.
func FuzzHDF5(f *testing.F) {
	for _, name := range []string{"matlab.mat", "cells.h5ad", "cells.loom", "tenx.h5", "arrays.h5", "frame.h5", "network.h5", "latest.h5"} {
		f.Add(hdfFileOf(f, name), "", "")
	}
	f.Add(hdfFileOf(f, "cells.h5ad"), "layers/turned", "batch")
	f.Fuzz(func(t *testing.T, data []byte, name, label string) {
		fuzzRead(t, data, "hdf5", Options{Var: name, LabelColumn: label})
	})
}
