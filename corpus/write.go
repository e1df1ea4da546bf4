package corpus

import (
	"compress/gzip"
	"context"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/network"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Write writes a corpus in the format of the path's extension: .npz, .npy, .mtx, .csv, .tsv or
// .svm, each also followed by .gz. The file appears complete or not at all.
//
//   - .npz is what scipy.sparse.save_npz writes (a dense corpus: array X), with arrays labels,
//     terms and ids besides. It keeps everything.
//   - .csv and .tsv have a header, document names in the first column and classes in the last, if
//     there are any; terms without a name are called x1, x2, ...
//   - .svm keeps matrix and labels. Class names that are not numbers become 1, 2, ...; a document
//     without label is written as nan, and as 0 if no document has one. Names of classes and
//     documents go into NAME.labels.csv, names of terms into NAME.terms.txt (one per line) beside
//     it; [Read] finds both.
//   - .mtx and .npy hold the matrix alone. Labels and all names go into the same two files.
//
// Classes without documents are lost, and the reader orders classes anew by name. A sparse matrix
// stays sparse in all formats but .npy, .csv and .tsv.
func Write(ctx context.Context, path string, c *Corpus) error {
	format := formatByExtension(path)
	if !matrix.CanWrite(format) {
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

// Member is a file in an npz archive that is no array.
type Member = matrix.Member

// WriteMatrix writes a matrix alone in format npy, npz, mtx, csv, tsv or svm. Members are written
// into an archive of format npz and have no place in other formats.
func WriteMatrix(w io.Writer, format string, m mat.Matrix, members ...Member) error {
	if !matrix.CanWrite(format) {
		return invalid.Errorf("format %q is not written; the formats written are npz, npy, mtx, csv, tsv and svm", format)
	}
	c := (&Corpus{X: m}).content()
	c.Members = members
	return matrix.Write(w, format, c)
}

// NodeColumn is an attribute of the nodes of a graph that [WriteGraphML] writes.
type NodeColumn = network.Column

// WriteGraphML writes a symmetric matrix as a graph in GraphML: the nodes are called by id, and
// have the columns as attributes. Edges have their weight; entries of the diagonal are left out.
func WriteGraphML(w io.Writer, x *sparse.CSR, id func(node int) string, columns []NodeColumn) error {
	return network.WriteGraphML(w, x, id, columns)
}

// encode writes one file's content, compressed if the path ends in .gz.
func encode(ctx context.Context, w io.Writer, path, format string, c *Corpus) error {
	w = atomicfile.While(ctx, w)
	if !strings.HasSuffix(strings.ToLower(path), ".gz") {
		return matrix.Write(w, format, c.content())
	}
	z := gzip.NewWriter(w)
	if err := matrix.Write(z, format, c.content()); err != nil {
		return err
	}
	return z.Close()
}

// content returns the parts of the corpus that a file may hold.
func (c *Corpus) content() *matrix.Content {
	return &matrix.Content{X: c.X, Labels: c.Labels, ClassNames: c.ClassNames, Terms: c.Terms, IDs: c.IDs}
}

// check refuses a corpus whose parts do not match. [Read] never makes such a corpus.
func (c *Corpus) check() error {
	if c.X == nil {
		return invalid.Errorf("the corpus has no matrix")
	}
	if c.division != nil {
		return c.errDivided("no rank has the whole to write")
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
