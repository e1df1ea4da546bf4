package corpus

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/statfile"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// openStatistics opens a table of a program of statistics.
func openStatistics(in *input.File, format string, opt ReadOptions, o table.Options) (*table.Table, error) {
	rows, err := statfile.Open(in, format, statfile.Options{Encoding: opt.Encoding, Member: opt.Var, Numbers: opt.numbers, Named: slices.Concat(opt.AsNumbers, opt.Usual.Numbers)})
	if err != nil {
		return nil, err
	}
	o.Header, o.Decimal, o.Words = table.HeaderYes, table.DecimalPoint, rows.Words
	t, err := table.FromRows(in, rows.Next, o)
	if err == nil {
		t.Weights, t.Words = rows.Weights, rows.Words
	}
	return t, err
}
