package columns

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Earlier are the columns of an earlier table by what they were, asked for or guessed.
type Earlier struct {
	Columns int     `json:"columns"`          // how many there were
	Header  bool    `json:"header,omitempty"` // they had names
	ID      Place   `json:"id,omitzero"`      // names of the documents
	Label   Place   `json:"label,omitzero"`   // classes
	Text    []Place `json:"text,omitempty"`   // texts; nil of a table of numbers
	Out     []Place `json:"out,omitempty"`    // left out, of a table of numbers
	// Terms are the names of the columns that were terms; nil if they had none.
	Terms []string `json:"terms,omitempty"`
}

// Place is a column of a table: its name, "" without one, and its number from 1. The zero value is
// no column.
type Place struct {
	Name   string `json:"name,omitempty"`
	Number int    `json:"number"`
}

// Earlier returns the columns for a later table of the same kind, without the terms.
func (r *Roles) Earlier(list []Column, header bool) *Earlier {
	at := func(j int) (p Place) {
		if j >= 0 {
			p = Place{list[j].Name, j + 1}
		}
		return p
	}
	e := &Earlier{Columns: len(list), Header: header, ID: at(r.ID), Label: at(r.Label)}
	for _, j := range r.Text {
		e.Text = append(e.Text, at(j))
	}
	if r.Text != nil {
		return e
	}
	for _, j := range r.Out {
		e.Out = append(e.Out, at(j))
	}
	return e
}

// Names are the names of the columns.
func (e *Earlier) Names() []string {
	if e == nil || !e.Header {
		return nil
	}
	names := slices.Clone(e.Terms)
	for _, p := range slices.Concat([]Place{e.ID, e.Label}, e.Text, e.Out) {
		names = append(names, p.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// finder returns how the columns of an earlier table are found in this one: by their names, or by
// their numbers if one of the two has no names and both have as many columns; nil if neither goes.
func (s *settling) finder(e *Earlier) func(Place) int {
	if e.Header && s.want.Header {
		at := make(map[string]int, len(s.list))
		for j, c := range s.list {
			name := strings.ToLower(c.Name)
			if _, twice := at[name]; twice {
				j = -1
			}
			at[name] = j
		}
		return func(p Place) int {
			if j, found := at[strings.ToLower(p.Name)]; found && p.Name != "" {
				return j
			}
			return -1
		}
	}
	if len(s.list) != e.Columns {
		return nil
	}
	return func(p Place) int { return p.Number - 1 }
}

// earlier gives the columns the roles that they had in an earlier table, where nothing else is
// asked for and this table has them; the others are settled as those of any table. A table with
// none of the earlier one's terms is another kind of table.
func (s *settling) earlier() {
	e := s.want.Usual.Earlier
	if e == nil || e.Text != nil || s.want.Transposed || s.Text != nil {
		return
	}
	find := s.finder(e)
	if find == nil {
		return
	}
	terms := make([]bool, len(s.list))
	some := false
	mark := func(j int) {
		if j >= 0 && s.free(j) && !slices.Contains(s.Out, j) {
			terms[j], some = true, true
		}
	}
	if e.Header && s.want.Header {
		for _, name := range e.Terms {
			mark(find(Place{Name: name}))
		}
	} else {
		other := map[int]bool{e.ID.Number: true, e.Label.Number: true}
		for _, p := range e.Out {
			other[p.Number] = true
		}
		for j := range s.list {
			if !other[j+1] {
				mark(j)
			}
		}
	}
	if !some {
		return
	}
	s.takeEarlier(e, find)
	s.earlierTerms = terms
}

// byNumbers returns the request with the columns of an earlier table of texts by their numbers, if
// one of the two tables has no names and both have as many columns.
func (r Request) byNumbers(list []Column) Request {
	e := r.Usual.Earlier
	if e == nil || e.Text == nil || r.Kind != Table || e.Header && r.Header || len(list) != e.Columns || len(r.Text) > 0 {
		return r
	}
	var took []string
	r.recalled = nil // by names nothing was found
	for _, p := range e.Text {
		r.Text = append(r.Text, strconv.Itoa(p.Number))
		took = append(took, strconv.Itoa(p.Number)+" (texts)")
	}
	for _, c := range []struct {
		to   *string
		from Place
		role string
	}{{&r.ID, e.ID, " (names of the documents)"}, {&r.Label, e.Label, " (classes)"}} {
		if *c.to == "" && c.from.Number > 0 && list[c.from.Number-1].Odd == "" {
			*c.to = strconv.Itoa(c.from.Number)
			took = append(took, *c.to+c.role)
		}
	}
	r.recalled = append(r.recalled, "The columns are those of the model, by their numbers: "+strings.Join(took, ", ")+"; ‹text-column›, ‹id-column› and ‹label-column› name others.")
	return r
}

// wasTerm reports whether the column is a term of the earlier table.
func (s *settling) wasTerm(j int) bool { return s.earlierTerms != nil && s.earlierTerms[j] }

// takeEarlier takes the names, the classes and the columns that were left out.
func (s *settling) takeEarlier(e *Earlier, find func(Place) int) {
	var took []string
	take := func(to *int, p Place, asked, role string) bool {
		j := find(p)
		if asked != "" || *to >= 0 || j < 0 || !s.free(j) || slices.Contains(s.Out, j) || s.list[j].isEmpty() {
			return false
		}
		*to = j
		took = append(took, role+" "+s.at(j))
		return true
	}
	s.idAgain = take(&s.ID, e.ID, s.want.ID, "names of the documents")
	s.labelAgain = take(&s.Label, e.Label, s.want.Label, "classes")
	var out []string
	for _, p := range append([]Place{e.ID, e.Label}, e.Out...) {
		if j := find(p); j >= 0 && s.free(j) && !slices.Contains(s.Out, j) {
			s.Out = append(s.Out, j)
			out = append(out, s.at(j))
		}
	}
	if out != nil {
		took = append(took, "left out "+words.Few(out, 6))
	}
	if took != nil {
		by := ""
		if !e.Header || !s.want.Header {
			by = ", by their numbers"
		}
		s.note("The %ss are those of the model%s: %s; ‹id-column› and ‹label-column› name others.", s.want.Kind, by, strings.Join(took, ", "))
	}
}

// leaveNew leaves out columns of words that the earlier table did not have: its terms are known.
// One of values that recur may be the classes. It returns the columns that stay without a role.
func (s *settling) leaveNew(list []int) []int {
	if s.earlierTerms == nil || s.want.Categories || len(list) == 0 {
		return list
	}
	if len(list) == 1 && s.Label < 0 && s.want.Label == "" {
		switch c := &s.list[list[0]]; {
		case s.ID < 0 && s.want.ID == "" && c.Rows > 1:
			s.Either = list[0]
			return nil
		case 2*c.Distinct <= c.Rows && s.mayBeClasses(list[0]):
			s.Label = list[0]
			return nil
		}
	}
	s.Out = append(s.Out, list...)
	if len(list) == 1 {
		s.note("%s %s holds words, was not in the model's table and is left out; ‹label-column› %s makes it the classes.", s.title(), s.at(list[0]), s.word(list[0]))
	} else {
		s.note("%ss %s hold words, were not in the model's table and are left out; ‹label-column› makes one of them the classes.", s.title(), s.many(list))
	}
	return nil
}
