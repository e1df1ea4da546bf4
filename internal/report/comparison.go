package report

import (
	_ "embed"
	"html/template"
	"io"
	"sync"
)

// Comparison is the content of the page that compares methods.
type Comparison struct {
	Title, Subtitle, Date string
	Table                 [][]string // a heading, and a line per method
	Between               []CompareRow
	Reference             string // the run whose numbers of clusters the others take; "": none
	Runs                  []CompareRun
	Notes                 []string
	Versions              string
}

// CompareRow is one method's agreement with all methods.
type CompareRow struct {
	Name  string
	Cells []CompareCell
}

// CompareCell is the agreement of two methods.
type CompareCell struct {
	Has      bool
	NMI, ARI float64
}

// CompareRun is one run with the sizes of its clusters, numbered alike in all runs.
type CompareRun struct {
	Name  string
	Sizes []int
	Of    int // documents
}

// Parts are the clusters that are not empty, side by side.
func (r CompareRun) Parts() []ComparePart {
	var parts []ComparePart
	from := 0
	for n, size := range r.Sizes {
		if size > 0 {
			parts = append(parts, ComparePart{n, from, size})
		}
		from += size
	}
	return parts
}

// ComparePart is a cluster of a run: its number, the documents before it, and its size.
type ComparePart struct{ Number, From, Size int }

//go:embed compare.html
var compareText string

var compareTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("compare").Funcs(functions).Funcs(template.FuncMap{
		"shade": func(v float64) int { return step(int(1000*min(max(v, 0), 1)), 1000) },
	}).Parse(compareText))
})

// WriteComparison writes the page as HTML. It has the style of the report, and no script.
func WriteComparison(w io.Writer, c *Comparison) error {
	return compareTemplate().Execute(w, struct {
		*Comparison
		Policy string
		Style  template.CSS
	}{c, policy(styleText, "", ""), template.CSS(styleText)})
}
