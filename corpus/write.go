package corpus

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Write writes a corpus in the format that the path's extension says: .npz, .npy, .mtx, .csv, .tsv or
// .svm, each also with .gz behind it. The file appears whole or not at all.
//
//   - .npz is what scipy.sparse.save_npz writes (a dense corpus: array X), with arrays labels, terms
//     and ids besides. It keeps everything.
//   - .csv and .tsv have a header, names of documents first and classes last, where there are any;
//     terms without a name are called x1, x2, ...
//   - .svm keeps matrix and labels. Class names that are no numbers become 1, 2, ...; a document
//     without label is written as nan, and 0 where no document has one. Names of classes and documents go into NAME.labels.csv,
//     those of terms into NAME.terms.txt (one a line) beside it, where [Read] finds them.
//   - .mtx and .npy hold the matrix alone. Labels and all names go into the same two files.
//
// Classes without documents vanish, and the reader orders classes anew by name. A sparse matrix stays
// sparse everywhere but in .npy and .csv.
func Write(ctx context.Context, path string, c *Corpus) error {
	format := formatByExtension(path)
	if encoders[format] == nil {
		return invalid.Errorf("cannot write %s: the formats written are .npz, .npy, .mtx, .csv, .tsv and .svm, with or without .gz; choose one of these extensions", path)
	}
	if err := c.check(); err != nil {
		return err
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	sides, err := writeBeside(ctx, path, format, c)
	for _, side := range sides {
		defer side.Abort()
	}
	if err != nil {
		return err
	}
	if err := encode(ctx, f, path, format, c); err != nil {
		return err
	}
	if err := f.Seal(); err != nil {
		return err
	}
	for _, side := range sides {
		if err := side.Commit(); err != nil {
			return err
		}
	}
	return f.Commit()
}

// WriteMatrix writes a matrix alone in format npy, npz, mtx, csv, tsv or svm.
func WriteMatrix(w io.Writer, format string, m mat.Matrix) error {
	if encoders[format] == nil {
		return invalid.Errorf("format %q is not written; the formats written are npz, npy, mtx, csv, tsv and svm", format)
	}
	return encode(context.Background(), w, "", format, &Corpus{X: m})
}

// encoders holds the writer of every format.
var encoders = map[string]func(w *bufio.Writer, c *Corpus) error{
	"npy": func(w *bufio.Writer, c *Corpus) error { return writeNPYMatrix(w, c.X) },
	"npz": writeNPZ,
	"mtx": writeMtx,
	"csv": func(w *bufio.Writer, c *Corpus) error { return writeCSV(w, ',', c) },
	"tsv": func(w *bufio.Writer, c *Corpus) error { return writeCSV(w, '\t', c) },
	"svm": writeSVM,
}

// encode writes one file's content, compressed where the path ends in .gz.
func encode(ctx context.Context, w io.Writer, path, format string, c *Corpus) error {
	w = &cancelWriter{ctx, w}
	var z *gzip.Writer
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		z = gzip.NewWriter(w)
		w = z
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := encoders[format](b, c); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if z != nil {
		return z.Close()
	}
	return nil
}

// cancelWriter looks at the context before every piece.
type cancelWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancelWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// check refuses a corpus whose parts do not match: it was not made by [Read].
func (c *Corpus) check() error {
	if c.X == nil {
		return invalid.Errorf("the corpus has no matrix")
	}
	n, terms := c.X.Dims()
	var errs []error
	if c.Labels != nil && len(c.Labels) != n {
		errs = append(errs, invalid.Errorf("the corpus has %d documents and %d labels", n, len(c.Labels)))
	}
	if c.IDs != nil && len(c.IDs) != n {
		errs = append(errs, invalid.Errorf("the corpus has %d documents and %d names of documents", n, len(c.IDs)))
	}
	if c.Terms != nil && len(c.Terms) != terms {
		errs = append(errs, invalid.Errorf("the corpus has %d terms and %d names of terms", terms, len(c.Terms)))
	}
	for i, l := range c.Labels {
		if l < -1 || l >= len(c.ClassNames) {
			errs = append(errs, invalid.Errorf("document %d has class %d of %d", i+1, l, len(c.ClassNames)))
			break
		}
	}
	return invalid.Join(errs...)
}

// className returns the name of document i's class; empty where it has none.
func (c *Corpus) className(i int) string {
	if c.Labels == nil || c.Labels[i] < 0 {
		return ""
	}
	return c.ClassNames[c.Labels[i]]
}

// rowReader hands out the rows of any matrix, full or as entries.
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
