package matrix

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// writeMtx writes Matrix Market: coordinate for a sparse matrix, array for others.
func writeMtx(w *bufio.Writer, c *Content) error {
	rows, cols := c.X.Dims()
	var buf []byte
	s, isSparse := c.X.(*sparse.CSR)
	if !isSparse {
		fmt.Fprintf(w, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, cols)
		for j := range cols {
			for i := range rows {
				buf = append(appendNumber(buf[:0], c.X.At(i, j)), '\n')
				if _, err := w.Write(buf); err != nil {
					return err
				}
			}
		}
		return nil
	}
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", rows, cols, s.NNZ())
	for i := range rows {
		at, vals := s.Row(i)
		for k, j := range at {
			buf = append(strconv.AppendInt(buf[:0], int64(i+1), 10), ' ')
			buf = append(strconv.AppendInt(buf, int64(j+1), 10), ' ')
			buf = append(appendNumber(buf, vals[k]), '\n')
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendNumber prints a number so that reading it gives the same bits.
func appendNumber(buf []byte, v float64) []byte { return strconv.AppendFloat(buf, v, 'g', -1, 64) }

// writeSVM writes svmlight with indices from 1.
func writeSVM(w *bufio.Writer, c *Content) error {
	n, terms := c.X.Dims()
	names := slices.Clone(c.ClassNames)
	for _, name := range c.ClassNames {
		if _, ok := lexical.Number(name); !ok {
			for k := range names {
				names[k] = strconv.Itoa(k + 1)
			}
			break
		}
	}
	rows := rowReader{m: c.X}
	var buf []byte
	for i := range n {
		switch {
		case c.Labels == nil:
			buf = append(buf[:0], '0')
		case c.Labels[i] < 0:
			buf = append(buf[:0], "nan"...)
		default:
			buf = append(buf[:0], names[c.Labels[i]]...)
		}
		at, vals := rows.entries(i)
		for k, j := range at {
			buf = strconv.AppendInt(append(buf, ' '), int64(j)+1, 10)
			buf = appendNumber(append(buf, ':'), vals[k])
		}
		// A zero in the first row gives the number of terms if the last term is unused.
		if i == 0 && (len(at) == 0 || int(at[len(at)-1]) != terms-1) {
			buf = append(strconv.AppendInt(append(buf, ' '), int64(terms), 10), ":0"...)
		}
		if _, err := w.Write(append(buf, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// countsRows reports whether the first column is 0, 1, 2, ... or 1, 2, 3, ...
func countsRows(x mat.Matrix) bool {
	n, _ := x.Dims()
	first := x.At(0, 0)
	if first != 0 && first != 1 {
		return false
	}
	for i := range n {
		if x.At(i, 0) != first+float64(i) {
			return false
		}
	}
	return true
}

// writeCSV writes a table with header: id (if documents have names), the terms, label.
func writeCSV(w *bufio.Writer, comma rune, c *Content) error {
	n, terms := c.X.Dims()
	out := csv.NewWriter(w)
	out.Comma = comma
	reserved := func(j int, names []string) bool {
		return c.Terms != nil && slices.Contains(names, strings.ToLower(strings.TrimSpace(c.Terms[j])))
	}
	// A reader would take a first or last term that has the name of such a column for that column.
	withLabels := c.Labels != nil || c.Terms != nil && (lexical.NamesLabels(c.Terms[terms-1]) || lexical.NamesLabels(c.Terms[0]))
	// A reader would take a header of only numbers for a document; the word id in front prevents
	// that, as it does for a first term that counts the documents.
	withIDs := c.IDs != nil || reserved(0, lexical.IDNames) || reserved(0, lexical.IndexNames) || countsRows(c.X) ||
		c.Terms != nil && !slices.ContainsFunc(c.Terms, table.IsWord)
	var rec []string
	if withIDs {
		rec = append(rec, "id")
	}
	for j := range terms {
		if c.Terms != nil {
			rec = append(rec, c.Terms[j])
		} else {
			rec = append(rec, "x"+strconv.Itoa(j+1))
		}
	}
	if withLabels {
		rec = append(rec, "label")
	}
	if err := out.Write(rec); err != nil {
		return err
	}
	rows := rowReader{m: c.X}
	var buf []byte
	for i := range n {
		rec = rec[:0]
		if withIDs {
			rec = append(rec, c.ID(i))
		}
		for _, v := range rows.dense(i) {
			if v == 0 {
				rec = append(rec, "0")
				continue
			}
			buf = appendNumber(buf[:0], v)
			rec = append(rec, string(buf))
		}
		if withLabels {
			rec = append(rec, c.ClassName(i))
		}
		if err := out.Write(rec); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
