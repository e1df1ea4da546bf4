package matrix

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/mat"
)

// readCSV reads a table of numbers with one row per document. It finds out the separator, the
// header, how numbers are written and the columns of names and classes, and notes what it decided;
// see [Options].
func readCSV(in *source) (*draft, error) {
	t, roles := in.opt.Table, in.opt.Roles
	if t == nil {
		comma := rune(0)
		if in.format == "tsv" {
			comma = '\t'
		}
		var err error
		if t, err = table.Open(in.File, table.Options{Comma: comma}); err != nil {
			return nil, err
		}
		if roles, err = SettleTable(in.File, t, columns.Request{ID: in.opt.IDColumn, Label: in.opt.LabelColumn, LabelsGiven: in.opt.LabelsGiven, Transposed: in.opt.Transpose}); err != nil {
			return nil, err
		}
	}
	if roles.Text != nil {
		j := roles.Text[0]
		return nil, in.Fail("column "+t.ColumnName(j), "holds texts; to cluster them give ‹text-column› %d", j+1)
	}
	c := csvCollector{in: in, Table: t, Roles: roles}
	return c.read()
}

// SettleTable settles what the columns of a table are, and notes it.
func SettleTable(in *input.File, t *table.Table, want columns.Request) (*columns.Roles, error) {
	want.Kind, want.Header, want.All = columns.Table, t.Header != nil, t.Ended()
	roles, err := columns.Settle(t.Columns, want)
	var fault *columns.Fault
	if errors.As(err, &fault) {
		err = in.Fail(fault.Place, "%s", fault.Why)
		if fault.Numbers {
			err = input.Caused(err, input.ErrWordColumns)
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	switch {
	case t.Asked:
	case t.Header != nil:
		in.Notef("The first %s is a header; ‹header› no takes it for one of data.", t.Unit())
	default:
		in.Notef("There is no header; ‹header› yes takes the first %s for one.", t.Unit())
	}
	if t.Truth && roles.Text == nil {
		in.Notef("True and false are read as 1 and 0 where they are no classes.")
	}
	in.Notes = append(in.Notes, roles.Notes...)
	return roles, nil
}

// csvCollector collects the rows.
type csvCollector struct {
	in *source
	*table.Table
	*columns.Roles
	uses       []table.Use // of each column
	store      rowStore
	ids, words []string
	idLines    []int // the line of each of ids
	categories []*category
	missing    int // numbers that are missing
	firstGap   string
	strays     map[int]*stray // by column
}

// read reads the first rows one by one, the others by blocks as far as that goes, and what is left
// one by one.
func (c *csvCollector) read() (*draft, error) {
	c.store = rowStore{mem: c.in.Mem}
	for j := range c.Columns {
		use := table.Number
		switch {
		case j == c.ID, j == c.Either, j == c.Label:
			use = table.Word
		case slices.Contains(c.Roles.Categories, j):
			if err := c.checkCategory(j); err != nil {
				return nil, err
			}
			use = table.Word
			c.categories = append(c.categories, &category{column: j, name: columns.TermName(c.Columns, j), number: map[string]int32{}})
		case slices.Contains(c.Out, j):
			use = table.Skip
		default:
			c.store.cols++
		}
		c.uses = append(c.uses, use)
	}
	byBlocks := false
	for {
		if !c.Sampled() && !byBlocks && c.store.cols > 0 {
			byBlocks = true
			if err := c.blocks(); err != nil {
				return nil, err
			}
		}
		rec, err := c.Next()
		if err == io.EOF {
			return c.draft()
		}
		if err != nil {
			return nil, err
		}
		if err := c.add(rec, c.Line); err != nil {
			return nil, err
		}
	}
}

// blocks adds the rows that can be read in blocks.
func (c *csvCollector) blocks() error {
	blocks := c.Blocks(c.uses)
	if blocks == nil {
		return nil
	}
	if err := c.store.flush(); err != nil {
		return c.in.Wrap(c.Place(), err)
	}
	before := c.store.rows
	place := func(bytes, first, rows int) []float64 {
		if first == 0 && c.in.At != nil { // the whole file at this block's rate, and a little more
			cells := int64(rows) * int64(c.store.cols)
			c.store.expected = int64(float64(c.in.Size) / float64(bytes) * float64(cells) * (1 + 1.0/64))
			c.store.makeRoom(cells)
		}
		return c.store.place(before+first, rows)
	}
	return blocks.Each(place, c.addBlock)
}

// addBlock adds the rows of a block.
func (c *csvCollector) addBlock(b *table.Block) error {
	c.missing += b.Missing
	if b.Missing > 0 && c.firstGap == "" {
		at := slices.IndexFunc(b.Val, math.IsNaN)
		c.noteGap(b.Lines[at/c.store.cols], c.column(at%c.store.cols), b.Mark)
	}
	if err := c.store.addCounted(b.Val, b.NonZero); err != nil {
		place := c.Place()
		if len(b.Lines) > 0 {
			place = c.PlaceOf(b.Lines[0])
		}
		return c.in.Wrap(place, err)
	}
	return c.addWords(b)
}

// addWords adds the words of a block.
func (c *csvCollector) addWords(b *table.Block) error {
	rest := b.Words
	for i := 0; len(rest) > 0; i++ {
		for j, use := range c.uses {
			if use != table.Word {
				continue
			}
			if err := c.addWord(j, string(rest[0]), b.Lines[i]); err != nil {
				return err
			}
			rest = rest[1:]
		}
	}
	return nil
}

// add adds a row.
func (c *csvCollector) add(rec []string, line int) error {
	row, err := c.store.room()
	if err != nil {
		return c.in.Wrap(c.PlaceOf(line), err)
	}
	term := 0
	for j, field := range rec {
		switch c.uses[j] {
		case table.Word:
			if err := c.addWord(j, field, line); err != nil {
				return err
			}
		case table.Number:
			v, err := c.Value(field)
			switch {
			case err == nil && !math.IsNaN(v) && !math.IsInf(v, 0):
				row[term] = v + 0 // no negative zero
			case lexical.IsMissing(field):
				row[term] = math.NaN()
				c.missing++
				c.noteGap(line, j, field)
			case c.takesStray(field, v):
				row[term] = math.NaN()
				c.missing++
				c.addStray(j, line, field)
			default:
				return c.badField(c.PlaceOf(line), j, field, err == nil && math.IsInf(v, 0))
			}
			term++
		}
	}
	return nil
}

// noteGap keeps the place of the first number that is missing, and the mark of it.
func (c *csvCollector) noteGap(line, column int, mark string) {
	if c.firstGap != "" {
		return
	}
	if mark = strings.TrimSpace(mark); mark == "" {
		mark = "empty"
	}
	c.firstGap = c.PlaceOf(line) + ", column " + c.ColumnName(column) + ", is " + message.Clip(mark, 40)
}

// column is the column of the table, from 0, of a term.
func (c *csvCollector) column(term int) int {
	for j, use := range c.uses {
		if use != table.Number {
			continue
		}
		if term == 0 {
			return j
		}
		term--
	}
	return -1
}

// addWord adds the field of a column of words.
func (c *csvCollector) addWord(j int, field string, line int) (err error) {
	for _, k := range c.categories {
		if k.column != j {
			continue
		}
		if err := k.add(c.in.Mem, field); err != nil {
			return c.in.Wrap(c.PlaceOf(line), err)
		}
		return nil
	}
	if j == c.Label && j != c.ID && j != c.Either {
		if err = c.keep(&c.words, field); err != nil {
			return c.in.Wrap(c.PlaceOf(line), err)
		}
		return nil
	}
	if err = c.keep(&c.ids, field); err != nil {
		return c.in.Wrap(c.PlaceOf(line), err)
	}
	if c.idLines, err = input.Push(c.in.Mem, c.idLines, 8, line); err != nil {
		return c.in.Wrap(c.PlaceOf(line), err)
	}
	return nil
}

// keep stores a copy of a word, because records are reused.
func (c *csvCollector) keep(list *[]string, word string) (err error) {
	word = strings.TrimSpace(word)
	// Consecutive documents of one class share their word.
	if n := len(*list); n > 0 && (*list)[n-1] == word {
		word = (*list)[n-1]
	} else {
		if err := c.in.Mem.Take(int64(len(word)), 1); err != nil {
			return err
		}
		word = strings.Clone(word)
	}
	*list, err = input.Push(c.in.Mem, *list, 16, word)
	return err
}

// badField says what is wrong with a field that is not a finite number. infinite says that it was
// read as an infinity.
func (c *csvCollector) badField(place string, j int, field string, infinite bool) error {
	place += ", column " + c.ColumnName(j)
	switch field = strings.TrimSpace(field); {
	case lexical.IsInfinite(field):
		return c.in.Fail(place, "is %s; replace entries that are not finite numbers, or leave their rows or their column out", message.Clip(field, 40))
	case infinite:
		return c.in.Fail(place, "%s is beyond the largest number, %.2g; divide the column by a constant", message.Clip(field, 40), math.MaxFloat64)
	}
	way := ""
	if name := c.Columns[j].Name; name != "" && !c.in.opt.Transpose {
		way = ", or to compare by it as a category ‹views› columns ‹view-columns› " + words.ShellWord(name+"=category") + " with the other columns to compare by"
	}
	return c.in.Fail(place, "%q is not a number, as most of the column are; correct it, or give ‹missing› median, mean or drop-rows, which take it for a missing number; name the column with ‹label-column› if it holds classes, with ‹id-column› if it holds names%s", message.Clip(field, 40), way)
}

// settle decides what the column of words is that is the ids or the classes, and what becomes of
// ids that nobody asked for and that two rows share.
func (c *csvCollector) settle() {
	unique, distinct := c.unique()
	switch n := len(c.ids); {
	case c.Either >= 0 && !unique && n > 10 && 2*distinct > n:
		c.in.Notef("Column %s holds %d different words in %d rows, which are neither names of their own nor classes, and is left out; ‹label-column› makes it the classes.", c.ColumnName(c.Either), distinct, n)
		c.Out, c.Either, c.ids = append(c.Out, c.Either), -1, nil
	case c.Either >= 0:
		c.in.Notef("%s", c.Decide(c.Columns, unique, c.in.opt.LabelsGiven))
		if c.Label >= 0 {
			c.words, c.ids = c.ids, nil
		} else if c.ID < 0 {
			c.ids = nil
		}
	case c.ID >= 0 && !unique && c.GuessedID && !slices.Contains(lexical.IDNames, strings.ToLower(c.Columns[c.ID].Name)):
		c.in.Notef("Column %s has a value that two rows share, so the documents have no names.", c.ColumnName(c.ID))
		c.Out, c.ID, c.ids = append(c.Out, c.ID), -1, nil
	}
}

// unique reports whether no two of ids are equal, and how many different ones there are.
func (c *csvCollector) unique() (bool, int) {
	seen := make(map[string]struct{}, len(c.ids))
	for _, id := range c.ids {
		seen[id] = struct{}{}
	}
	return len(seen) == len(c.ids), len(seen)
}

// nameColumns gives the columns of numbers their names, or without a header their numbers; beside
// categories, whose values have names, numbers are names.
func (c *csvCollector) nameColumns(d *draft) {
	for j, use := range c.uses {
		switch {
		case use != table.Number:
		case c.Header != nil:
			d.colNames = append(d.colNames, c.Header[j])
		case len(c.categories) > 0:
			d.colNames = append(d.colNames, columns.TermName(c.Columns, j))
		default:
			d.numbers = append(d.numbers, j)
		}
	}
}

// draft makes the matrix of the rows collected.
func (c *csvCollector) draft() (*draft, error) {
	if err := c.in.Mem.Take(int64(len(c.ids)), 48); err != nil {
		return nil, c.in.Wrap("", err)
	}
	c.settle()
	c.nameOrientation()
	c.in.Mem.Give(int64(len(c.ids)), 48)
	n, terms := c.store.rows, len(c.Columns)-len(c.Out)
	if len(c.categories) > 0 {
		terms -= len(c.categories) // their values are counted when they are known
		c.chooseValues()
		for _, k := range c.categories {
			terms += len(k.values)
		}
	}
	if c.ID >= 0 {
		terms--
	}
	if c.Label >= 0 {
		terms--
	}
	switch {
	case n == 0:
		return nil, input.NoDocuments(c.in.Fail("", "it has a header and no %ss below; a corpus needs at least one document and one term", c.Unit()))
	case terms <= 0:
		return nil, input.NoDocuments(c.in.Fail("", "it has names or classes of documents alone, and no numbers or texts; as a list of labels it goes with a corpus, by ‹truth› or ‹labels›; ‹views› columns compares the rows by their words as categories; otherwise name the columns with ‹id-column›, ‹label-column› and ‹text-column›, or none"))
	}
	if err := c.noteStrays(n); err != nil {
		return nil, err
	}
	if err := c.in.checkShape("", int64(n), int64(terms), int64(n)*int64(terms)); err != nil {
		return nil, err
	}
	if c.ID >= 0 && c.Header != nil && strings.EqualFold(c.Header[c.ID], spreadsheet.MarkedID) {
		for i, id := range c.ids {
			c.ids[i] = spreadsheet.Unescape(id)
		}
	}
	d := &draft{what: "the table", finite: true, rowNames: c.ids, rowLines: c.idLines, byRow: c.ID >= 0 || c.Label >= 0, missing: c.missing, firstGap: c.firstGap}
	d.column = func(term int) string {
		j := c.column(term)
		if name := c.Columns[j].Name; name != "" {
			return message.Clip(name, 40)
		}
		return fmt.Sprint(j + 1)
	}
	c.nameColumns(d)
	d.earlier = c.Earlier(c.Columns, c.Header != nil)
	if c.Label >= 0 {
		d.labels = &Labels{What: "column " + c.ColumnName(c.Label), File: c.in.Name, Without: "read without labels by ‹label-column› none", Words: c.words}
	}
	var x mat.Matrix
	var err error
	if c.store.cols > 0 {
		x, err = c.store.matrix(c.missing > 0)
	}
	if err != nil {
		return nil, c.in.wrapRows(err)
	}
	d.x = x
	return d, c.addCategories(d)
}
