package corpus

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// ReadVectors reads a vector for each document, such as an embedding of its text: a dense or
// sparse matrix of a .npy, .npz, .mat, .h5, .mtx, .svm or .safetensors file, or the vectors of
// word2vec; a list of numbers in a field of JSON lines or of a JSON array, in a column of Parquet
// or in a column of a table, where NumPy's print is read too; or else the columns of numbers of a
// table or of Parquet. opt.VectorColumn names the field, column or variable where there are
// several. IDs are the names of the documents if the file has them, and texts and labels beside
// the vectors are not read. All vectors have one length.
//
// Errors: as of [Read]. A list of numbers takes four times its memory while it is read.
func ReadVectors(ctx context.Context, path string, opt ReadOptions) (*Corpus, error) {
	opt.Vectors, opt.Divide = true, false
	return Read(ctx, path, opt)
}

// readVectors makes the corpus of a file of vectors.
func readVectors(in *input.File, format string, opt ReadOptions) (*Corpus, error) {
	opt.LabelColumn, opt.LabelVar, opt.TextColumn = columns.None, columns.None, []string{columns.None}
	switch {
	case slices.Contains(tableFormats, format):
		return readTableVectors(in, format, opt)
	case format == "jsonl" || format == "json":
		next, done, err := text.OpenVectors(in, format, opt.texts())
		if err != nil {
			return nil, err
		}
		defer done()
		return readVectorRows(in, next, format, opt)
	case format == "parquet":
		rows, err := text.OpenNumbers(in, opt.texts())
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		return readVectorRows(in, rows.Next, format, opt)
	case slices.Contains(TextFormats(), format), slices.Contains(GraphFormats(), format):
		return nil, in.Fail("", "is of the format %s, which holds no vectors; give a .npy file, or a list of numbers in JSON lines or Parquet", format)
	}
	if opt.Var = opt.VectorColumn; opt.Var != "" && !slices.Contains([]string{"npz", "mat", "hdf5", "safetensors"}, format) {
		return nil, in.Fail("", "holds one matrix; leave ‹vectors-column› out")
	}
	return readMatrix(in, format, opt, nil)
}

// readVectorRows makes the corpus of rows of numbers, the first of which names the columns.
func readVectorRows(in *input.File, next func() ([]string, error), format string, opt ReadOptions) (*Corpus, error) {
	t, err := table.FromRows(in, next, table.Options{Header: table.HeaderYes, Decimal: table.DecimalPoint})
	if err != nil {
		return nil, err
	}
	id := slices.IndexFunc(t.Header, func(name string) bool { return name != "" && name == cmp.Or(opt.IDColumn, opt.Usual.ID) })
	if id < 0 && opt.IDColumn != columns.None {
		id = slices.IndexFunc(t.Header, func(name string) bool { return slices.Contains(lexical.IDNames, strings.ToLower(name)) })
	}
	if opt.IDColumn = columns.None; id >= 0 {
		opt.IDColumn = t.Header[id]
	}
	return readRows(in, t, format, opt, nil)
}

// readTableVectors makes the corpus of a table: of its column of lists of numbers, else of its
// columns of numbers.
func readTableVectors(in *input.File, format string, opt ReadOptions) (*Corpus, error) {
	t, err := openTable(in, format, opt)
	if err != nil {
		return nil, err
	}
	var lists []int
	for j, c := range t.Columns {
		if _, ok := lexical.Vector(c.Example); (ok || c.Words > 0 && strings.HasPrefix(c.Example, "[")) && (opt.VectorColumn == "" || opt.VectorColumn == c.Name) {
			lists = append(lists, j)
		}
	}
	switch {
	case len(lists) > 1:
		names := make([]string, len(lists))
		for k, j := range lists {
			names[k] = t.ColumnName(j)
		}
		return nil, in.Fail("", "has several columns of lists of numbers: %s; name one with ‹vectors-column›", message.List(names, 6))
	case len(lists) == 0 && opt.VectorColumn != "":
		return nil, in.Fail("", "has no column %s of lists of numbers in brackets; leave ‹vectors-column› out to take all columns of numbers", message.Clip(opt.VectorColumn, 60))
	case len(lists) == 0:
		return readRows(in, t, format, opt, nil)
	}
	named := func(c columns.Column) bool { return c.Name != "" && c.Name == cmp.Or(opt.IDColumn, opt.Usual.ID) }
	id := slices.IndexFunc(t.Columns, named)
	if id < 0 && opt.IDColumn == "" {
		id = slices.IndexFunc(t.Columns, func(c columns.Column) bool { return slices.Contains(lexical.IDNames, strings.ToLower(c.Name)) })
	}
	return readVectorRows(in, (&listRows{Table: t, in: in, id: id, list: lists[0]}).next, format, opt)
}

// listRows are the rows of a table with a column of lists.
type listRows struct {
	*table.Table
	in       *input.File
	id, list int // columns; id is -1 for none
	width    int // numbers of a list
	first    []string
	rec      []string
}

func (r *listRows) next() ([]string, error) {
	if rec := r.first; rec != nil {
		r.first = nil
		return rec, nil
	}
	rec, err := r.Next()
	if err == io.EOF && r.width == 0 {
		return nil, input.NoDocuments(r.in.Fail("", "it holds no vectors"))
	} else if err != nil {
		return nil, err
	}
	values, ok := lexical.Vector(rec[r.list])
	place := r.Place() + ", column " + r.ColumnName(r.list)
	switch {
	case !ok && strings.Contains(rec[r.list], "..."):
		return nil, r.in.Fail(place, "NumPy has printed the vector with its middle left out; write the vectors with numpy.save, or as lists with .tolist()")
	case !ok:
		return nil, r.in.Fail(place, "%q is no list of numbers in brackets; write a vector for every document", message.Clip(rec[r.list], 40))
	case r.width > 0 && len(values) != r.width:
		return nil, r.in.Fail(place, "the vector has %s, where the first has %d; write vectors of one length", message.Plural(len(values), "number", "numbers"), r.width)
	}
	r.rec = r.rec[:0]
	if r.id >= 0 {
		r.rec = append(r.rec, rec[r.id])
	}
	r.rec = append(r.rec, values...)
	if r.width > 0 {
		return r.rec, nil
	}
	r.width, r.first = len(values), slices.Clone(r.rec)
	return r.names(), nil
}

// names are the names of the columns.
func (r *listRows) names() []string {
	var names []string
	if r.id >= 0 {
		names = []string{lexical.IDNames[0]}
	}
	for range r.width {
		names = append(names, "")
	}
	return names
}
