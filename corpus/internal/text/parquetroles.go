package text

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/parquet"
)

// role is what a column of Parquet holds.
type role uint8

const (
	textRole role = iota
	idRole
	labelRole
	besideRole
)

// parquetRole is a column that is read.
type parquetRole struct {
	role role
	leaf int    // its number among the leaves of the schema
	name string // its path
	// names are the names of the classes 0, 1, ... of a column of labels; nil for none.
	names []string
}

// shown is the name of the column in messages: the name of its role if it is the usual one.
func (c *parquetRole) shown() string {
	for _, usual := range []string{"text", "id", "label"} {
		if strings.EqualFold(c.name, usual) {
			return usual
		}
	}
	return message.Clip(c.name, 60)
}

// choose settles what the columns are, as the fields of JSON lines are settled. Columns inside
// others have the names of all, with points between them.
func (p *parquetFile) choose(in *source) error {
	if p.Footer.Encrypted {
		return p.Encrypted()
	}
	if in.numbers {
		return p.chooseNumbers(in)
	}
	list, leaves := p.profiles()
	if err := needColumns(p.In, in.opt.PageColumns, p.paths()); err != nil {
		return err
	}
	want := in.opt.columns()
	want.Kind, want.Header, want.Index = columns.Field, true, p.index()
	if want = want.Recall(list); len(want.Text) == 1 && want.Text[0] == columns.None {
		return p.refuseTexts(list, leaves)
	}
	if err := p.refuseKinds(list, &want); err != nil {
		return err
	}
	named := func(name string) bool {
		return slices.ContainsFunc(list, func(c columns.Column) bool { return strings.EqualFold(c.Name, name) })
	}
	settled := (len(want.Text) > 0 || named("text")) && (want.Label != "" || named("label"))
	p.sample(list, leaves, settled)
	roles, err := columns.Settle(list, want)
	var fault *columns.Fault
	if errors.As(err, &fault) && fault.Numbers {
		return p.refuseTexts(list, leaves)
	}
	if fault != nil {
		return p.In.Fail(strings.Replace(fault.Place, "field", "column", 1), "%s", strings.ReplaceAll(fault.Why, "field", "column"))
	}
	if err != nil {
		return err
	}
	if roles.Text == nil {
		return p.refuseTexts(list, leaves)
	}
	for _, j := range roles.Text {
		p.columns = append(p.columns, parquetRole{role: textRole, leaf: leaves[j], name: list[j].Name})
	}
	if j := roles.ID; j >= 0 && list[j].Odd == "" {
		p.columns = append(p.columns, parquetRole{role: idRole, leaf: leaves[j], name: list[j].Name})
		p.repeats = roles.GuessedID && !strings.EqualFold(list[j].Name, lexical.IDNames[0])
	}
	if j := roles.Label; j >= 0 {
		if list[j].Odd != "" {
			return p.In.Fail("column "+message.Clip(list[j].Name, 60), "is %s, where classes are needed; name another with ‹label-column›, or none", list[j].Odd)
		}
		p.columns = append(p.columns, parquetRole{role: labelRole, leaf: leaves[j], name: list[j].Name, names: p.classNames(list[j].Name)})
	}
	if in.opt.Beside {
		p.chooseBeside(list, leaves, settled)
	}
	if !in.settled {
		in.settled = true
		in.Notes = append(in.Notes, p.noteVectors(list, leaves)...)
		for _, n := range roles.Notes {
			in.Notes = append(in.Notes, strings.ReplaceAll(strings.ReplaceAll(n, " field ", " column "), "fields", "columns"))
		}
	}
	return nil
}

// isTime says whether a column holds dates or times, and these are read. They are neither names nor
// classes nor texts unless they are asked for, so that all passes over a file find the same roles.
func (p *parquetFile) isTime(leaf int) bool {
	c := &p.Footer.Leaves[leaf]
	return p.dates && c.Most == 0 && timeUnit(c.Logical) != noTime
}

// paths are the names of all columns.
func (p *parquetFile) paths() (names []string) {
	for _, c := range p.Footer.Leaves {
		names = append(names, strings.Join(c.Path, "."))
	}
	return names
}

// chooseBeside adds the columns that have no role and hold short values. settled says that the
// roles were settled by names alone, and nothing else is known of the columns.
func (p *parquetFile) chooseBeside(list []columns.Column, leaves []int, settled bool) {
	if settled {
		list, leaves = p.profiles()
		p.sample(list, leaves, false)
	}
	for j := range list {
		c := &list[j]
		has := func(r parquetRole) bool { return r.leaf == leaves[j] }
		if (c.Odd == "" || p.isTime(leaves[j])) && c.Letters <= longValue*max(1, c.Words) && !slices.ContainsFunc(p.columns, has) {
			p.columns = append(p.columns, parquetRole{role: besideRole, leaf: leaves[j], name: c.Name})
		}
	}
}

// profiles lists the columns by the schema, and the leaf of each. A list is one column.
func (p *parquetFile) profiles() (list []columns.Column, leaves []int) {
	for leaf, c := range p.Footer.Leaves {
		col := columns.Column{Name: strings.Join(c.Path, ".")}
		switch kind := p.kind(leaf); {
		case c.Most > 0:
			col.Name, col.Odd = c.Path[0], "a list"
			if slices.ContainsFunc(list, func(o columns.Column) bool { return o.Name == col.Name }) {
				continue
			}
		case kind == parquet.Null:
			continue
		case kind != "" && !(p.isTime(leaf) && strings.EqualFold(col.Name, p.label)):
			col.Odd = "of type " + kind
		}
		list, leaves = append(list, col), append(leaves, leaf)
	}
	return list, leaves
}

// refuseKinds refuses columns of the usual names whose types do not fit, as far as nothing else was
// asked for. A label is left out in that case.
func (p *parquetFile) refuseKinds(list []columns.Column, want *columns.Request) error {
	for _, f := range p.Footer.Fields {
		if len(want.Text) > 0 || !strings.EqualFold(f.Name, "text") {
			continue
		}
		place := "column " + message.Clip(f.Name, 60)
		if f.Leaf < 0 || f.Repeated {
			return p.In.Fail(place, "is nested, where a string is needed in every row; name a column inside it with ‹text-column› (such as %s.a), or write it as a column of its own", message.Clip(f.Name, 60))
		}
		stored := p.Footer.Leaves[f.Leaf].Kind
		switch kind := p.kind(f.Leaf); {
		case kind == parquet.Null:
			return p.In.Fail(place, "every text is null, where a string is needed; write the texts into it")
		case kind != "" || stored != parquet.Bytes:
			if kind == "" {
				kind = stored.String()
			}
			return p.In.Fail(place, "holds values of type %s, where a string is needed; convert it, or name another with ‹text-column›", kind)
		}
	}
	for _, c := range list {
		if c.Odd != "" && (want.ID == "" && strings.EqualFold(c.Name, "id") || want.ID == c.Name) {
			return p.In.Fail("column "+message.Clip(c.Name, 60), "holds values %s, where a string or a number is needed; convert it, or name another with ‹id-column›, or none", c.Odd)
		}
		if c.Odd != "" && want.Label == c.Name {
			return p.In.Fail("column "+message.Clip(c.Name, 60), "holds values %s, where a string or a number is needed; convert it, or name another with ‹label-column›, or none", c.Odd)
		}
	}
	return nil
}

func (p *parquetFile) columnNames(list []columns.Column) string {
	if len(list) == 0 {
		return "none"
	}
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return message.List(names, 12)
}

// kind names the type of a column that is not read; "" for one that is. Of a column of nulls alone
// it is parquet.Null.
func (p *parquetFile) kind(leaf int) string {
	c := &p.Footer.Leaves[leaf]
	name := c.Logical.Name
	read := name == ""
	switch c.Kind {
	case parquet.Bytes:
		read = read || name == "string" || name == "enum" || name == "json"
	case parquet.Int32, parquet.Int64:
		read = read || name == "int"
	case parquet.Fixed:
		read = name == parquet.HalfFloat
	case parquet.Int96:
		read = false
	}
	switch {
	case name == parquet.Null:
		return parquet.Null
	case read:
		return ""
	case name != "":
		return name
	}
	return c.Kind.String()
}

// Bounds of what is read to find out what columns hold.
const (
	sampledParquet = 100 // rows
	mostSampled    = 64  // columns
)

// sample looks at the first rows of the columns, as far as they can be read and their roles are not
// settled by names alone.
func (p *parquetFile) sample(list []columns.Column, leaves []int, settled bool) {
	g := slices.IndexFunc(p.first[1:], func(end int) bool { return end > 0 })
	for j := range list {
		c := &list[j]
		if c.Odd != "" {
			continue
		}
		if settled || g < 0 || j >= mostSampled || p.sampleColumn(c, g, leaves[j]) != nil || c.Rows == 0 || c.Missing == c.Rows {
			*c = columns.Column{Name: c.Name}
			switch p.Footer.Leaves[leaves[j]].Kind {
			case parquet.Bytes:
				c.Add("a text", 0, false)
			case parquet.Bool:
				c.Add("true", 0, false)
				c.Add("true", 0, false)
			default:
				c.Add("0.5", 0.5, true)
				c.Add("0.5", 0.5, true)
			}
		}
	}
}

// sampleColumn looks at the first rows of a column in a group of rows. A column of bytes that are
// no text, such as pictures, has no role.
func (p *parquetFile) sampleColumn(c *columns.Column, g, leaf int) error {
	return p.guard("", func() error {
		column, err := p.openColumn(g, leaf)
		if err != nil {
			return err
		}
		defer func() {
			column.release()
			column.Pages.Close()
		}()
		binary := 0
		defer func() {
			if 2*binary > c.Rows-c.Missing {
				c.Odd = "of bytes that are no text"
			}
		}()
		for n := min(sampledParquet, p.first[g+1]-p.first[g]); n > 0; n -= len(column.values) {
			if err := column.take(n, counting.BatchBytes); err != nil {
				return err
			}
			if len(column.values) == 0 {
				return nil
			}
			for _, v := range column.values {
				if v.present && p.Footer.Leaves[leaf].Kind == parquet.Bytes && isBinary(v.text) {
					binary++
				}
				number, ok := 0.0, false
				if k := p.Footer.Leaves[leaf].Kind; k != parquet.Bytes && k != parquet.Bool && v.present {
					number, ok = lexical.Number(v.text)
				}
				c.Add(v.text, number, ok)
			}
			column.release()
		}
		return nil
	})
}

// isBinary reports whether a value holds bytes that stand in no text.
func isBinary(value string) bool {
	return !utf8.ValidString(value) && strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }) || strings.IndexByte(value, 0) >= 0
}

// openColumn opens a column of a group of rows.
func (p *parquetFile) openColumn(g, leaf int) (*parquetColumn, error) {
	pages, err := p.Open(g, leaf)
	if err != nil {
		return nil, err
	}
	of := &p.Footer.Leaves[leaf]
	column := &parquetColumn{Values: parquet.Values{Pages: pages, Leaf: of, Budget: p.In.Mem}, limit: p.limit}
	column.print = column.printing(of)
	return column, nil
}
