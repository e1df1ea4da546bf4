package explore

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
)

const (
	// usualDocuments is how many documents of a named cluster get its name, unless the page says
	// otherwise.
	usualDocuments = 20
	// maxName bounds a label in characters.
	maxName = 200
)

// edits are what a person did in the page.
type edits struct {
	// Names are the names of clusters by number. Clusters of one name are merged.
	Names map[int]string `json:"names"`
	// Documents are labels by the document's place on the page; "" takes its label away.
	Documents map[int]string `json:"documents"`
	// Per is how many of the surest documents of each named cluster get its name; 0 = 20.
	Per int `json:"per"`
}

// labeling is the file of labels as known labels and edits make it.
type labeling struct {
	results   *eigenmap.Results
	known     []string // by document, "" for none
	names     map[int]string
	documents map[int]string // by number
	per       int
	surest    [][]int // documents of each cluster, the surest first
}

// newLabeling begins with the labels of the run and of the file; "": none.
func newLabeling(ctx context.Context, r *eigenmap.Results, file string) (*labeling, error) {
	l := &labeling{results: r, per: usualDocuments}
	var err error
	if l.known, err = r.KnownLabels(ctx, file); err != nil {
		return nil, err
	}
	for i, k := range r.Clusters {
		if k < 0 || r.CopyOf != nil && r.CopyOf[i] != "" || r.Placed != nil && r.Placed[i] == eigenmap.PlacedIsolated {
			continue
		}
		for k >= len(l.surest) {
			l.surest = append(l.surest, nil)
		}
		l.surest[k] = append(l.surest[k], i)
	}
	if r.Confidence != nil {
		for _, list := range l.surest {
			slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.Confidence[b], r.Confidence[a]) })
		}
	}
	return l, nil
}

// edited returns the labeling with other edits; rows are the documents on the page. Errors: names
// that no label can be, and places beyond the page.
func (l *labeling) edited(e edits, rows []int) (*labeling, error) {
	next := *l
	next.names, next.documents, next.per = make(map[int]string), make(map[int]string), usualDocuments
	if e.Per > 0 {
		next.per = e.Per
	}
	for k, name := range e.Names {
		name = strings.TrimSpace(name)
		if k < 0 || k >= len(l.surest) {
			return nil, fmt.Errorf("there is no cluster %d", k)
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		if name != "" {
			next.names[k] = name
		}
	}
	for at, name := range e.Documents {
		name = strings.TrimSpace(name)
		if at < 0 || at >= len(rows) {
			return nil, fmt.Errorf("the page has no document %d", at)
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		next.documents[rows[at]] = name
	}
	return &next, nil
}

// checkName refuses what is no label when it is read again; "" is none.
func checkName(name string) error {
	if name == "" {
		return nil
	}
	if utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return fmt.Errorf("a label is one line of at most %d characters", maxName)
	}
	if known, _ := (&corpus.Labeling{Labels: []string{name}}).Known(); known[0] == "" {
		return fmt.Errorf("%q means that a document has no label: choose another name", name)
	}
	return nil
}

// all are the labels of all documents, "" for none. A label of a document counts before its known
// one, and that before the name of its cluster. Where clusters are classes of known labels, their
// new names rename these; of two clusters of one class the first does.
func (l *labeling) all() []string {
	renamed := make(map[string]string)
	if l.results.Classes != nil {
		for _, k := range slices.Backward(slices.Sorted(maps.Keys(l.names))) {
			if of := l.surest[k]; len(of) > 0 {
				renamed[l.results.Classes[of[0]]] = l.names[k]
			}
		}
	}
	delete(renamed, "")
	labels := make([]string, len(l.known))
	for k, name := range l.names {
		count := 0
		for _, i := range l.surest[k] {
			if _, corrected := l.documents[i]; !corrected && l.known[i] == "" && count < l.per {
				labels[i] = name
				count++
			}
		}
	}
	for i, name := range l.known {
		if name != "" {
			labels[i] = cmp.Or(renamed[name], name)
		}
	}
	for i, name := range l.documents {
		labels[i] = name
	}
	return labels
}

// count counts the labels and their classes.
func (l *labeling) count() (labels, classes int) {
	seen := make(map[string]bool)
	for _, name := range l.all() {
		if name != "" {
			seen[name] = true
			labels++
		}
	}
	return labels, len(seen)
}

// onPage are the edits with documents by their places on the page. shown has these by name.
func (l *labeling) onPage(shown map[string]int, ids []string) edits {
	e := edits{maps.Clone(l.names), make(map[int]string), l.per}
	if e.Names == nil {
		e.Names = make(map[int]string)
	}
	for i, name := range l.documents {
		e.Documents[shown[ids[i]]] = name
	}
	return e
}

// write writes id,label, and escaped if a text is escaped for spreadsheets. The file appears whole
// or not at all.
func (l *labeling) write(file string) error {
	labels := l.all()
	head := []string{"id", "label"}
	marked := spreadsheet.Changes(l.results.IDs...) || spreadsheet.Changes(labels...)
	if marked {
		head = append(head, spreadsheet.Mark)
	}
	return atomicfile.Write(file, func(w io.Writer) error {
		t := csv.NewWriter(w)
		t.Write(head) // Error tells of it
		for i, name := range labels {
			if name == "" {
				continue
			}
			record := []string{l.results.IDs[i], name}
			if marked {
				escaped := ""
				if spreadsheet.Changes(record...) {
					escaped = spreadsheet.Changed
				}
				record = []string{spreadsheet.Escape(record[0]), spreadsheet.Escape(name), escaped}
			}
			t.Write(record)
		}
		t.Flush()
		return t.Error()
	})
}
