package corpus

import (
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/rdata"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// readSaved makes the corpus of an object that R saved: a table, a matrix or texts.
func readSaved(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	name, option := opt.Var, "‹var›"
	if opt.Vectors {
		name, option = opt.VectorColumn, "‹vectors-column›"
	}
	data, err := rdata.Read(in, name, option)
	if err != nil {
		return nil, err
	}
	if opt.Vectors {
		opt.LabelColumn, opt.TextColumn = columns.None, []string{columns.None}
	}
	if data.Matrix != nil {
		return readMatrixOf(in, "rds", opt, given, matrix.Options{Saved: data.Matrix})
	}
	t, err := savedTable(in, data)
	if err != nil {
		return nil, err
	}
	return readRows(in, t, "rds", opt, given)
}

// savedTable is the table of an object that R saved.
func savedTable(in *input.File, data *rdata.Data) (*table.Table, error) {
	return table.FromRows(in, data.Rows(), table.Options{Header: table.HeaderYes, Decimal: table.DecimalPoint, Words: data.Words})
}
