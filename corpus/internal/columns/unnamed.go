package columns

import "slices"

// Of tables without a header: a class that is a number has so many rows, and of so many other
// columns of numbers one may count few values too.
const (
	rowsOfClass   = 5
	othersToCount = 4
)

// countsClasses reports whether a column holds the numbers of few classes, which count from 0 or 1,
// each several times.
func (c *Column) countsClasses() bool {
	return c.Odd == "" && c.Rows > 0 && c.Whole == c.Rows && (c.Least == 0 || c.Least == 1) && c.Distinct > 1 && c.Distinct <= codesOfClasses && int(c.Most-c.Least)+1 == c.Distinct && c.Rows >= rowsOfClass*c.Distinct
}

// hasTwoCodes reports whether a column holds two whole numbers of one digit, such as 2 and 4, or -1
// and 1, each several times.
func (c *Column) hasTwoCodes() bool {
	return c.Odd == "" && c.Rows >= 2*rowsOfClass && c.Whole == c.Rows && c.Distinct == 2 && c.Least >= -1 && c.Most < 10
}

// numberedClasses is the first or last column of a table of texts without a header, if it holds the
// numbers of few classes; -1 for none.
func (s *settling) numberedClasses() int {
	if s.want.Kind == Field || slices.ContainsFunc(s.list, func(c Column) bool { return c.Name != "" }) {
		return -1
	}
	for _, j := range []int{0, len(s.list) - 1} {
		if s.free(j) && s.list[j].countsClasses() {
			return j
		}
	}
	return -1
}

// unnamed settles the outer columns of a table of numbers without a header, as the archives of data
// sets have them: numbers of documents in the first column are left out, and the first or last
// column is the classes if it alone of the two holds few numbers as classes have them, and hardly
// another column does. Answers and counts, of which each column holds few values, have none.
func (s *settling) unnamed() {
	w := &s.want
	if w.Header || w.Later || w.Transposed || w.Kind == Field || s.earlierTerms != nil || len(w.Aside) > 0 || s.terms() < manyTerms {
		return
	}
	if s.ID < 0 && w.ID == "" && s.free(0) && s.numbersDocuments() {
		s.Out, s.coded = append(s.Out, 0), s.coded+1
		s.note("Column 1 holds numbers that look like ids, whose sizes mean nothing, and is left out; ‹id-column› 1 makes it the names of the documents, and ‹id-column› none takes it for a term.")
	}
	if s.Label < 0 && w.Label == "" && !w.LabelsGiven && len(s.words()) == 0 {
		s.Label = s.outerClasses()
	}
}

// outerClasses is the outer column of a table of numbers without a header that holds the classes;
// -1 for none.
func (s *settling) outerClasses() int {
	var outer []int
	few, terms, first := 0, 0, 0
	if !s.free(0) || slices.Contains(s.Out, 0) {
		first = 1
	}
	for j := range s.list {
		c := &s.list[j]
		if !s.free(j) || slices.Contains(s.Out, j) || !c.holdsNumbers() {
			continue
		}
		terms++
		if !c.countsClasses() && !c.hasTwoCodes() {
			continue
		}
		if few++; j == first || j == len(s.list)-1 {
			outer = append(outer, j)
		}
	}
	if len(outer) == 1 && othersToCount*(few-1) <= terms-1 {
		return outer[0]
	}
	return -1
}

// numbersDocuments reports whether a first column without a name holds numbers of documents: whole
// numbers of four digits or more, hardly two alike, beside columns of fractions or of much smaller
// numbers alone.
func (s *settling) numbersDocuments() bool {
	const much = 10
	c := &s.list[0]
	if !c.holdsNumbers() || c.Missing > 0 || c.Whole != c.Rows || c.Rows < keyRows || c.Least < longCode || !c.differs() {
		return false
	}
	return !slices.ContainsFunc(s.list[1:], func(d Column) bool {
		return d.Numbers > 0 && d.Whole == d.Numbers && much*d.Most >= c.Least
	})
}

// saysNothing reports whether all rows of a table have the same value in a column, and are so many
// that others would be there if it held classes.
func (s *settling) saysNothing(j int) bool {
	const fewest = 30
	return s.want.All && s.list[j].isConstant() && s.list[j].Rows >= fewest
}

// oneClass reports whether a column that nobody asked for as the classes has one value in all rows,
// as the kind of a payment in an account may have, and notes it: such a corpus would have one
// cluster.
func (s *settling) oneClass() bool {
	if s.Label < 0 || s.want.Label != "" || s.want.LabelsGiven || s.labelAgain || !s.saysNothing(s.Label) {
		return false
	}
	s.note("%s %s has the same value in all rows, which is no class; ‹label-column› %s makes it one.", s.title(), s.at(s.Label), s.word(s.Label))
	return true
}
