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
	// GuessedText, GuessedID and GuessedLabel are columns that nobody asked for in the earlier table
	// of texts. They are taken where Text, ID and Label say nothing and the table has them.
	GuessedText  []string `json:"guessed_text,omitempty"`
	GuessedID    string   `json:"guessed_id,omitempty"`
	GuessedLabel string   `json:"guessed_label,omitempty"`
	// Numbers are columns that held numbers: in a file of statistics the values and not their labels.
	Numbers []string `json:"-"`
	// Earlier are the columns of an earlier table; nil of other files.
	Earlier *Earlier `json:"table,omitempty"`
	// Numbered says how an earlier file numbered its terms; nil of files that number none.
	Numbered *Numbered `json:"numbered,omitempty"`
}

// Numbered says how a file of svmlight or LDA-C numbered its terms. Such a file does not say it
// itself: another one of the same terms may hold fewer of them.
type Numbered struct {
	Format string `json:"format"`
	From   int    `json:"from"`  // number of the first term, 0 or 1
	Count  int    `json:"count"` // how many terms there are
}

// isGuessed reports whether there are columns that nobody asked for.
func (u *Usual) isGuessed() bool {
	return len(u.GuessedText) > 0 || u.GuessedID != "" || u.GuessedLabel != ""
}

// Recall returns the request with the usual columns that the list has, as if they had been asked
// for. Columns of texts that it does not have are noted, since the texts then are others.
func (r Request) Recall(list []Column) Request {
	u := r.Usual
	r.Usual = Usual{GuessedText: u.GuessedText, GuessedID: u.GuessedID, GuessedLabel: u.GuessedLabel, Earlier: u.Earlier}
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
	r.noteTaken(took)
	r.noteMissing(missing)
	return r
}

// recallGuessed returns the request with the columns that were guessed in the earlier table, where
// this one has them and would be read by others. Columns of texts that it lacks are noted.
func (r Request) recallGuessed(list []Column) Request {
	u := r.Usual
	r.Usual = Usual{Earlier: u.Earlier}
	if r.Kind == Table && !r.Header {
		return r
	}
	plain, err := settle(list, r)
	if err != nil {
		plain = &Roles{ID: -1, Label: -1, Either: -1}
	}
	var took []string
	if len(r.Text) == 0 {
		var have, missing []string
		for _, name := range u.GuessedText {
			if countNamed(list, name) == 1 {
				have = append(have, name)
			} else {
				missing = append(missing, name)
			}
		}
		if have != nil && !slices.EqualFunc(plain.Text, have, func(j int, name string) bool { return strings.EqualFold(list[j].Name, name) }) {
			r.Text = have
			took = append(took, words.Few(shownNames(have), 6)+" (texts)")
		}
		r.noteMissing(missing)
	}
	if id := u.GuessedID; r.ID == "" && countNamed(list, id) == 1 {
		j := slices.IndexFunc(list, func(c Column) bool { return strings.EqualFold(c.Name, id) })
		if j != plain.ID && j != plain.Either && list[j].unique() && !slices.Contains(r.Text, id) {
			r.ID = id
			took = append(took, words.Name(id)+" (names of the documents)")
		}
	}
	if label := u.GuessedLabel; r.Label == "" && !r.LabelsGiven && countNamed(list, label) == 1 {
		j := slices.IndexFunc(list, func(c Column) bool { return strings.EqualFold(c.Name, label) })
		if j != plain.Label && list[j].Odd == "" && !slices.Contains(r.Text, label) && r.ID != label {
			r.Label = label
			took = append(took, words.Name(label)+" (classes)")
		}
	}
	r.noteTaken(took)
	return r
}

// noteTaken notes the columns that were taken as the model says.
func (r *Request) noteTaken(took []string) {
	if took != nil {
		r.recalled = append(r.recalled, "The columns are those of the model: "+strings.Join(took, ", ")+"; ‹text-column›, ‹id-column› and ‹label-column› name others.")
	}
}

// noteMissing notes the columns of texts that the model names and the table lacks.
func (r *Request) noteMissing(names []string) {
	if names != nil {
		r.recalled = append(r.recalled, "Columns of the model's texts were not found: "+words.Few(shownNames(names), 6)+"; ‹text-column› names the columns of these texts.")
	}
}

// names returns the names of the columns of texts, of names of documents and of classes that nobody
// asked for, of a table of texts that names its columns.
func (r *Roles) names(list []Column, want Request) (u Usual) {
	if r.Text == nil {
		return u
	}
	if want.Kind == Table {
		u.Earlier = r.Earlier(list, want.Header)
	}
	if want.Kind == Table && !want.Header {
		return u
	}
	for _, j := range r.Text {
		if name := list[j].Name; len(want.Text) == 0 && name != "" {
			u.GuessedText = append(u.GuessedText, name)
		}
	}
	if want.ID == "" && r.ID >= 0 {
		u.GuessedID = list[r.ID].Name
	}
	if want.Label == "" && r.Label >= 0 {
		u.GuessedLabel = list[r.Label].Name
	}
	return u
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
