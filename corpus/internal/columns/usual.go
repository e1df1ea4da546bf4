package columns

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Usual are the columns of an earlier table of the same kind, by name. Each is taken where the
// table has it and nothing else is asked for in its role. Numbers of columns are not taken: another
// table may have other columns before it.
type Usual struct {
	Text  []string `json:"text,omitempty"` // several are joined; those that the table has
	ID    string   `json:"id,omitempty"`
	Label string   `json:"label,omitempty"`
	Time  string   `json:"time,omitempty"`
}

// Recall returns the request with the usual columns that the list has, as if they had been asked
// for. Columns of texts that it does not have are noted, since the texts then are others.
func (r Request) Recall(list []Column) Request {
	u := r.Usual
	r.Usual = Usual{}
	if r.Kind == Table && !r.Header {
		list = nil
	}
	asked := append(slices.Clone(r.Text), r.ID, r.Label, r.Time)
	has := func(name string) bool {
		_, err := strconv.Atoi(name)
		return name == None || err != nil && countNamed(list, name) == 1 && !slices.ContainsFunc(asked, func(a string) bool { return strings.EqualFold(a, name) })
	}
	var took []string
	take := func(to *string, name, role string) {
		if name == "" || *to != "" || !has(name) {
			return
		}
		if *to = name; name != None {
			took = append(took, words.Name(name)+" "+role)
		}
	}
	var missing []string
	if len(r.Text) == 0 {
		for _, name := range u.Text {
			if has(name) {
				r.Text = append(r.Text, name)
			} else if _, err := strconv.Atoi(name); err != nil && countNamed(list, name) == 0 {
				missing = append(missing, name)
			}
		}
		if len(r.Text) > 0 && r.Text[0] != None {
			took = append(took, words.Few(shownNames(r.Text), 6)+" (texts)")
		}
	}
	take(&r.ID, u.ID, "(names of the documents)")
	take(&r.Label, u.Label, "(classes)")
	take(&r.Time, u.Time, "(times)")
	if took != nil {
		r.recalled = append(r.recalled, "The columns are those of the model: "+strings.Join(took, ", ")+"; ‹text-column›, ‹id-column› and ‹label-column› name others.")
	}
	if missing != nil {
		r.recalled = append(r.recalled, "Columns of the model's texts were not found: "+words.Few(shownNames(missing), 6)+"; ‹text-column› names the columns of these texts.")
	}
	return r
}

// countNamed counts the columns of a name, whatever its case.
func countNamed(list []Column, name string) (n int) {
	for _, c := range list {
		if strings.EqualFold(c.Name, name) {
			n++
		}
	}
	return n
}

// shownNames are names as messages show them.
func shownNames(list []string) (out []string) {
	for _, name := range list {
		out = append(out, words.Name(name))
	}
	return out
}
