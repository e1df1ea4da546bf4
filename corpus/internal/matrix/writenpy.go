package matrix

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/npy"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// writeNPYMatrix writes a matrix in full, row by row, as float64.
func writeNPYMatrix(w io.Writer, m mat.Matrix) error {
	rows, cols := m.Dims()
	if _, err := w.Write(npy.Header(npy.Float64, rows, cols)); err != nil {
		return err
	}
	r := rowReader{m: m}
	for i := range rows {
		if err := writeFloats(w, r.dense(i)); err != nil {
			return err
		}
	}
	return nil
}

func writeFloats(w io.Writer, vals []float64) error {
	return writeWords(w, len(vals), 8, func(b []byte, k int) { binary.LittleEndian.PutUint64(b, math.Float64bits(vals[k])) })
}

// writeWords writes n elements of the given width through a small buffer.
func writeWords(w io.Writer, n, width int, put func(b []byte, k int)) error {
	buf := make([]byte, max(width, min(n*width, 1<<14/width*width)))
	for k := 0; k < n; {
		used := 0
		for ; k < n && used+width <= len(buf); k++ {
			put(buf[used:used+width], k)
			used += width
		}
		if _, err := w.Write(buf[:used]); err != nil {
			return err
		}
	}
	return nil
}

// writeNPZ writes the arrays of scipy.sparse.save_npz (csr), or array X for a dense matrix, and
// labels, terms and ids.
func writeNPZ(w *bufio.Writer, c *Content) error {
	z := &npzWriter{zip: zip.NewWriter(w)}
	if s, ok := c.X.(*sparse.CSR); ok {
		z.array("indices", "<i4", len(s.Col), 4, func(b []byte, k int) { binary.LittleEndian.PutUint32(b, uint32(s.Col[k])) })
		if s.NNZ() <= math.MaxInt32 {
			z.array("indptr", "<i4", len(s.RowPtr), 4, func(b []byte, k int) { binary.LittleEndian.PutUint32(b, uint32(s.RowPtr[k])) })
		} else {
			z.array("indptr", "<i8", len(s.RowPtr), 8, func(b []byte, k int) { binary.LittleEndian.PutUint64(b, uint64(s.RowPtr[k])) })
		}
		z.member("format", func(w io.Writer) error {
			if _, err := w.Write(npy.Header("|S3")); err != nil {
				return err
			}
			_, err := io.WriteString(w, "csr")
			return err
		})
		dims := [2]int{s.NumRows, s.NumCols}
		z.array("shape", "<i8", 2, 8, func(b []byte, k int) { binary.LittleEndian.PutUint64(b, uint64(dims[k])) })
		z.array("data", "<f8", len(s.Val), 8, func(b []byte, k int) { binary.LittleEndian.PutUint64(b, math.Float64bits(s.Val[k])) })
	} else {
		z.member("X", func(w io.Writer) error { return writeNPYMatrix(w, c.X) })
	}
	if c.Labels != nil {
		z.labels(c)
	}
	if c.Terms != nil {
		z.words("terms", len(c.Terms), func(k int) string { return c.Terms[k] })
	}
	if c.IDs != nil {
		z.words("ids", len(c.IDs), func(k int) string { return c.IDs[k] })
	}
	for _, m := range c.Members {
		z.file(m.Name, m.Write)
	}
	if z.err != nil {
		return z.err
	}
	return z.zip.Close()
}

// npzWriter writes arrays into an archive and keeps the first error.
type npzWriter struct {
	zip *zip.Writer
	err error
}

func (z *npzWriter) member(name string, write func(w io.Writer) error) { z.file(name+".npy", write) }

// file adds a file of any kind.
func (z *npzWriter) file(name string, write func(w io.Writer) error) {
	if z.err != nil {
		return
	}
	// A fixed time makes equal corpora equal files; 1980 is the earliest that zip can express.
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	w, err := z.zip.CreateHeader(h)
	if err == nil {
		err = write(w)
	}
	z.err = err
}

func (z *npzWriter) array(name, descr string, n, width int, put func(b []byte, k int)) {
	z.member(name, func(w io.Writer) error {
		if _, err := w.Write(npy.Header(descr, n)); err != nil {
			return err
		}
		return writeWords(w, n, width, put)
	})
}

// words writes an array of texts, padded to the longest as in NumPy.
func (z *npzWriter) words(name string, n int, word func(k int) string) {
	longest := 1
	for k := range n {
		longest = max(longest, len([]rune(word(k))))
	}
	z.array(name, "<U"+strconv.Itoa(longest), n, 4*longest, func(b []byte, k int) {
		clear(b)
		for i, r := range []rune(word(k)) {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(r))
		}
	})
}

// labels writes classes as numbers if all are numbers (NaN for unlabelled documents), else as
// texts.
func (z *npzWriter) labels(c *Content) {
	values := make([]float64, len(c.ClassNames))
	for k, name := range c.ClassNames {
		v, ok := lexical.Number(name)
		if !ok {
			z.words("labels", len(c.Labels), c.ClassName)
			return
		}
		values[k] = v
	}
	z.array("labels", "<f8", len(c.Labels), 8, func(b []byte, k int) {
		v := math.NaN()
		if l := c.Labels[k]; l >= 0 {
			v = values[l]
		}
		binary.LittleEndian.PutUint64(b, math.Float64bits(v))
	})
}
