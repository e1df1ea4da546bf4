package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
)

// besideName returns the name of the file beside NAME.mtx, NAME.npy or NAME.svm with the given
// suffix. Such a file holds what these formats have no place for.
func besideName(path, suffix string) string {
	base := filepath.Base(path)
	base = input.UnpackedName(base)
	return strings.TrimSuffix(base, filepath.Ext(base)) + suffix
}

const (
	labelsSuffix = ".labels.csv"
	termsSuffix  = ".terms.txt"
)

// Beside returns the files of labels and of terms that exist beside a matrix: those that [Write]
// wrote with it.
func Beside(path string) []string {
	var out []string
	for _, suffix := range []string{labelsSuffix, termsSuffix} {
		name := filepath.Join(filepath.Dir(path), besideName(path, suffix))
		if _, err := os.Stat(name); err == nil && matrix.HasFilesBeside(formatByExtension(path)) {
			out = append(out, name)
		}
	}
	return out
}

// Files are the files that hold the corpus at path: those that a list names, after the list itself,
// else path alone. format is [ReadOptions.Format]. What cannot be read is left to [Read].
func Files(ctx context.Context, path, format string) []string {
	files := []string{path}
	if format != "list" && (format != "" || formatByExtension(path) != "list") {
		return files
	}
	in, done, err := input.Open(ctx, path, input.Limits{})
	if err != nil {
		return files
	}
	defer done()
	in.Path = path
	return append(files, text.Named(in)...)
}

// writeBeside prepares the files of labels and of terms beside the matrix, if there is anything to
// write into them. It refuses a name that an existing file has which does not belong to this
// corpus, because Read would take that file. The caller must abort the files returned, also if
// there is an error.
func writeBeside(ctx context.Context, path, format string, c *Corpus) (sides []*atomicfile.File, err error) {
	if !matrix.HasFilesBeside(format) {
		return nil, nil
	}
	words := slices.ContainsFunc(c.ClassNames, func(name string) bool { _, number := lexical.Number(name); return !number })
	for _, side := range []struct {
		suffix, what string
		needed       bool
		write        func(w *bufio.Writer) error
	}{
		{labelsSuffix, "labels", c.IDs != nil || words || c.Labels != nil && format != "svm", c.writeLabels},
		{termsSuffix, "terms", c.Terms != nil, c.writeTerms},
	} {
		name := filepath.Join(filepath.Dir(path), besideName(path, side.suffix))
		if !side.needed {
			if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
				return sides, invalid.Errorf("cannot write %s: %s beside it would be taken for its %s; move that file away", path, name, side.what)
			}
			continue
		}
		if other := neighbour(path); other != "" && !holds(name, side.write) {
			return sides, invalid.Errorf("cannot write %s: %s, which holds its %s, belongs to %s and would be replaced; choose another name or move that file away", path, name, side.what, other)
		}
		f, err := atomicfile.Create(name)
		if err != nil {
			return sides, err
		}
		sides = append(sides, f)
		w := bufio.NewWriterSize(atomicfile.While(ctx, f), 1<<16)
		if err = side.write(w); err == nil {
			err = w.Flush()
		}
		if err == nil {
			err = f.Seal()
		}
		if err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// neighbour returns another file than path that has the same files beside it; empty if there is
// none.
func neighbour(path string) string {
	base := filepath.Join(filepath.Dir(path), besideName(path, ""))
	for _, extension := range slices.Sorted(maps.Keys(matrix.Extensions)) {
		for _, packed := range []string{"", ".gz"} {
			if other := base + extension + packed; matrix.HasFilesBeside(matrix.Extensions[extension]) && other != filepath.Clean(path) {
				if _, err := os.Stat(other); err == nil {
					return other
				}
			}
		}
	}
	return ""
}

// holds reports whether a file has the content that write writes, or does not exist.
func holds(name string, write func(w *bufio.Writer) error) bool {
	f, _, err := regular.Open(name)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	c := &comparer{r: bufio.NewReader(f)}
	w := bufio.NewWriter(c)
	if write(w) != nil || w.Flush() != nil {
		return false
	}
	_, err = c.r.ReadByte()
	return err == io.EOF
}

// comparer fails if what is written is not what r reads.
type comparer struct{ r *bufio.Reader }

var errDiffers = errors.New("it differs")

func (c *comparer) Write(p []byte) (int, error) {
	have := make([]byte, len(p))
	if _, err := io.ReadFull(c.r, have); err != nil || !bytes.Equal(have, p) {
		return 0, errDiffers
	}
	return len(p), nil
}

func (c *Corpus) writeLabels(b *bufio.Writer) error {
	w := csv.NewWriter(b)
	err := w.Write([]string{"id", "label"})
	for i := 0; i < c.Len() && err == nil; i++ {
		err = w.Write([]string{c.ID(i), c.className(i)})
	}
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

// writeTerms writes one term per line. Line breaks in a term become blanks.
func (c *Corpus) writeTerms(w *bufio.Writer) error {
	for _, t := range c.Terms {
		w.WriteString(lineBreaks.Replace(t))
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// labelsBeside reads the labels and the document names from NAME.labels.csv beside NAME.mtx,
// NAME.npy or NAME.svm; the labels are nil if there is no such file. If the user gives labels in
// another file, the document names are still taken, since the given labels may refer to them; a
// file that cannot be read as labels is then ignored.
func labelsBeside(in *input.File, given bool) (*matrix.Labels, []string, error) {
	if in.Path == "" {
		return nil, nil, nil
	}
	name := besideName(in.Path, labelsSuffix)
	path, ok := in.Sibling(name)
	if !ok {
		return nil, nil, nil
	}
	l, err := readLabelingLimited(in.Ctx, path, "", in.Mem.Limit)
	var format *FormatError
	if given && errors.As(err, &format) {
		in.Notef("File %s beside it was passed over: it is not a list of labels.", name)
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	first := make(map[string]int, len(l.IDs))
	again, count := 0, 0 // the first line with the name of an earlier one, and how many have one
	for k, id := range l.IDs {
		if _, twice := first[id]; !twice {
			first[id] = l.Lines[k]
		} else if count++; count == 1 {
			again = k
		}
	}
	if count > 0 {
		more := ""
		if count > 1 {
			more = fmt.Sprintf(" (%s have the name of an earlier one)", message.Plural(count, "line", "lines"))
		}
		return nil, nil, input.Failf(path, fmt.Sprintf("line %d", l.Lines[again]), "the name %q is in line %d already%s; give every document a name of its own", message.Clip(l.IDs[again], 60), first[l.IDs[again]], more)
	}
	switch {
	case !given:
		in.LabelNotef("The labels are from %s beside it.", name)
	case l.IDs != nil:
		in.Notef("The names of the documents are from %s beside it.", name)
	}
	return l.inOrder("move that file away"), l.IDs, nil
}

// termsBeside are the names of the columns of a matrix of such a size by NAME.terms.txt, nil if
// that file does not exist.
func termsBeside(in *input.File, format string, rows, cols int) ([]string, error) {
	if in.Path == "" || !matrix.HasFilesBeside(format) {
		return nil, nil
	}
	name := besideName(in.Path, termsSuffix)
	path, ok := in.Sibling(name)
	if !ok {
		return nil, nil
	}
	terms, err := input.ReadLines(in.Ctx, path, in.Mem.Limit)
	if err != nil {
		return nil, err
	}
	if cols != len(terms) {
		if rows == len(terms) {
			return nil, input.Failf(path, "", "has %s, as many as %s has rows and not columns, so every column is a document; give ‹transpose›", message.Plural(len(terms), "term", "terms"), in.Name)
		}
		return nil, input.Failf(path, "", "has %s, but %s has %s; move that file away or write the one that belongs to it", message.Plural(len(terms), "term", "terms"), in.Name, message.Plural(cols, "column", "columns"))
	}
	in.Notef("The terms are from %s beside it.", name)
	return terms, nil
}
