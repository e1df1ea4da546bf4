package corpus

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/entries"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/statfile"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// tableFormats are the formats of tables, of numbers or of texts; streamedTables are those whose
// rows need not be held to be read.
var (
	streamedTables = []string{"csv", "tsv", "table", "arff", "arrow", statfile.SPSS, statfile.Stata, statfile.SAS, statfile.SASTable, entries.References, entries.Chat}
	tableFormats   = append([]string{"xlsx", "ods", "xls", "html", "rds"}, streamedTables...)
)

// readTable makes the corpus of a table, whose columns decide whether it is one of texts.
func readTable(in *input.File, format string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if format == "xlsx" || format == "ods" || format == "xls" {
		return nil, in.Fail("", "is not a spreadsheet (.xlsx, .ods, .fods or .xls); give its format with ‹input-format›")
	}
	t, err := openTable(in, format, opt)
	if err != nil {
		return nil, err
	}
	return readRows(in, t, format, opt.ofEntries(format).ofClass(in, t), given)
}

// readRows makes the corpus of a table that was opened.
func readRows(in *input.File, t *table.Table, format string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	want := opt.columns()
	if format != "table" && opt.Format == "" && want.Text == nil {
		if err := refuseEdges(in, t, format); err != nil {
			return nil, err
		}
	}
	roles, err := matrix.SettleTable(in, t, want)
	if err != nil {
		return nil, err
	}
	if roles.Text != nil {
		return readTexts(in, opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
			return text.ReadTable(in, t, roles, o)
		})
	}
	if opt.outline != nil {
		return nil, errWhole
	}
	if format == "table" || slices.Contains(entries.Formats(), format) {
		return nil, in.Fail("", "no column holds texts; name one with ‹text-column›, or read its numbers with ‹input-format› csv")
	}
	if opt.share != nil {
		return nil, opt.share.NoTexts()
	}
	if err := text.NeedColumns(in, t, opt.PageColumns); err != nil {
		return nil, err
	}
	return readMatrixOf(in, format, opt, given, matrix.Options{Table: t, Roles: roles})
}

// openTable opens a table and finds out its columns.
func openTable(in *input.File, format string, opt ReadOptions) (*table.Table, error) {
	o := opt.table()
	if format == "arrow" {
		rows, err := text.OpenArrow(in)
		if err != nil {
			return nil, err
		}
		o.Header, o.Decimal = table.HeaderYes, table.DecimalPoint
		t, err := table.FromRows(in, rows.Next, o)
		if err == nil {
			t.Aside = rows.Aside()
		}
		return t, err
	}
	if slices.Contains(statfile.Formats(), format) {
		return openStatistics(in, format, opt, o)
	}
	if format == "tsv" {
		o.Comma = '\t'
	}
	if err := charset.Stream(in, opt.Encoding); err != nil {
		return nil, err
	}
	if format == "arff" {
		return table.OpenARFF(in, o)
	}
	if !slices.Contains(entries.Formats(), format) {
		return table.Open(in, o)
	}
	if _, err := table.Head(in, table.LookedAt); err != nil {
		return nil, err
	}
	rows, err := entries.Open(in, format)
	if err != nil {
		return nil, err
	}
	o.Header, o.Decimal = table.HeaderYes, table.DecimalPoint
	return table.FromRows(in, rows.Next, o)
}

// ofEntries are the options for references and chats, whose texts have a column of their own, and
// in which no column is guessed to be classes: of a chat these would be the senders.
func (o ReadOptions) ofEntries(format string) ReadOptions {
	if !slices.Contains(entries.Formats(), format) {
		return o
	}
	if o.LabelColumn == "" && o.Usual.Label == "" {
		o.LabelColumn = columns.None
	}
	if o.TextColumn == nil && o.Usual.Text == nil {
		o.TextColumn = []string{entries.TextColumn}
	}
	return o
}

// ofClass takes the column of classes that the format of a table names, if no other is asked for,
// and the columns that are beside a vector.
func (o ReadOptions) ofClass(in *input.File, t *table.Table) ReadOptions {
	if t.Aside != nil {
		o.aside = t.Aside
	}
	if t.Weights != nil {
		o.weights = t.Weights
	}
	if t.Class != "" && o.LabelColumn == "" && o.Usual.Label == "" && o.Labels == "" {
		o.LabelColumn = t.Class
		in.Notef("The last attribute, %s, is taken for the classes, as Weka does; ‹label-column› names another, or none.", message.Clip(t.Class, 40))
	}
	return o
}

// table is how a table is opened.
func (o *ReadOptions) table() table.Options {
	names := slices.Concat(o.TextColumn, o.ViewColumns, []string{o.IDColumn, o.LabelColumn, o.TimeColumn}, o.Usual.Text, o.Usual.GuessedText, []string{o.Usual.ID, o.Usual.Label, o.Usual.Time, o.Usual.GuessedID, o.Usual.GuessedLabel}, o.Usual.Earlier.Names())
	return table.Options{Decimal: o.Decimal, Header: o.Header, Rows: o.Usual.Earlier != nil, Names: slices.DeleteFunc(names, func(name string) bool { return name == columns.None })}
}
