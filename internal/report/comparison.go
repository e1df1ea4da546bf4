package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
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

//go:embed compare.html
var compareText string

var compareTemplate = template.Must(template.New("compare").Funcs(template.FuncMap{
	"swatch": func(n int) template.CSS { return template.CSS(hex(Color(n))) },
	"share":  share,
	"three":  func(v float64) string { return fmt.Sprintf("%.3f", v) },
	"shade": func(v float64) template.CSS {
		return heat(heatCell{Count: int(1000 * min(max(v, 0), 1)), Of: 1000})
	},
	"style": func() template.CSS { return styleOf(pageText) },
}).Parse(compareText))

// WriteComparison writes the page as HTML.
func WriteComparison(w io.Writer, c *Comparison) error { return compareTemplate.Execute(w, c) }

// styleOf is the style sheet of the report's page, so that both look alike.
func styleOf(page string) template.CSS {
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	return template.CSS(style)
}
