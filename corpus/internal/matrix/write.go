package matrix

import (
	"bufio"
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Content is what is written: a matrix of documents × terms, with classes and names that may be
// nil.
type Content struct {
	X          mat.Matrix
	Labels     []int // class of each document, an index into ClassNames; -1 for none
	ClassNames []string
	Terms      []string
	IDs        []string
	Members    []Member // further files of an npz archive
}

// Member is a file of an npz archive that is no array. Programs that read arrays pass over it.
type Member struct {
	Name  string
	Write func(w io.Writer) error
}

// ID returns the name of document i, or its number counted from 1 if documents have no names.
func (c *Content) ID(i int) string {
	if c.IDs != nil {
		return c.IDs[i]
	}
	return strconv.Itoa(i + 1)
}

// ClassName returns the name of document i's class; empty if it has none.
func (c *Content) ClassName(i int) string {
	if c.Labels == nil || c.Labels[i] < 0 {
		return ""
	}
	return c.ClassNames[c.Labels[i]]
}

// writers holds the writer of every format. They rely on bufio.Writer keeping its first error.
var writers = map[string]func(w *bufio.Writer, c *Content) error{
	"npy": func(w *bufio.Writer, c *Content) error { return writeNPYMatrix(w, c.X) },
	"npz": writeNPZ,
	"mtx": writeMtx,
	"csv": func(w *bufio.Writer, c *Content) error { return writeCSV(w, ',', c) },
	"tsv": func(w *bufio.Writer, c *Content) error { return writeCSV(w, '\t', c) },
	"svm": writeSVM,
}

// CanWrite reports whether [Write] writes this format.
func CanWrite(format string) bool { return writers[format] != nil }

// Write writes a matrix, and the classes and names that the format has a place for, in a format for
// which [CanWrite] is true. A sparse matrix stays sparse in all formats but npy, csv and tsv.
func Write(w io.Writer, format string, c *Content) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := writers[format](b, c); err != nil {
		return err
	}
	return b.Flush()
}

// rowReader returns the rows of any matrix, in full or as entries.
type rowReader struct {
	m    mat.Matrix
	full []float64
	col  []int32
	val  []float64
}

// dense returns row i in full, valid until the next call.
func (r *rowReader) dense(i int) []float64 {
	_, cols := r.m.Dims()
	if d, ok := r.m.(*mat.Dense); ok {
		return d.RawRowView(i)
	}
	if r.full == nil {
		r.full = make([]float64, cols)
	}
	if s, ok := r.m.(*sparse.CSR); ok {
		clear(r.full)
		at, vals := s.Row(i)
		for k, j := range at {
			r.full[j] = vals[k]
		}
		return r.full
	}
	for j := range cols {
		r.full[j] = r.m.At(i, j)
	}
	return r.full
}

// entries returns the non-zero entries of row i, valid until the next call.
func (r *rowReader) entries(i int) ([]int32, []float64) {
	if s, ok := r.m.(*sparse.CSR); ok {
		return s.Row(i)
	}
	r.col, r.val = r.col[:0], r.val[:0]
	for j, v := range r.dense(i) {
		if v != 0 {
			r.col, r.val = append(r.col, int32(j)), append(r.val, v)
		}
	}
	return r.col, r.val
}
