// Package report writes the result of a run as one self-contained HTML page: it needs no network,
// no other file and no script. The package also draws the pictures of the page.
package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"github.com/eigenmap/eigenmap/internal/words"
	"html/template"
	"io"
	"slices"
	"strings"
)

// Fact is a name and its value, both formatted for display.
type Fact struct{ Name, Value string }

// Cluster is one cluster of the result.
type Cluster struct {
	Number     int
	Size       int
	Class      string   // class of the given labels assigned to the cluster; "" = none
	Major      string   // its most frequent class; "" without labels
	MajorCount int      // documents of that class in it
	Labelled   int      // documents in it that have a class
	Terms      []string // terms that distinguish it from the others, best first
}

// Direction is a coordinate that is a weighted sum of few terms: the terms with positive weight and
// those with negative weight, each sorted by descending magnitude.
type Direction struct {
	Number, Terms int
	Plus, Minus   []string
}

// Methods are the methods that were compared by known labels.
type Methods struct {
	How  string // a sentence with its full stop
	Rows []MethodRow
}

// MethodRow is the verdict on one of them; Accuracy and MacroF1 are "" if there is none.
type MethodRow struct{ Name, Accuracy, MacroF1, Documents, Note string }

// Uncertain is a document with its two most probable clusters and their probabilities.
type Uncertain struct {
	ID            string
	First, Second int
	P1, P2        string
}

// Page is the content of the report. Empty parts are left out.
type Page struct {
	Title    string
	Subtitle string // one line under the title: the file, its size, the method
	Date     string
	Cards    []Fact // few large numbers at the top
	// ScoredOn is the number of documents that the scores are based on, as text; "" if these are
	// all.
	ScoredOn string
	// MajorityHead is the heading of the majority classes of the clusters; "" = "majority class".
	MajorityHead string
	Scores       []Fact
	Facts        []Fact // how the result was computed, one line each
	Notes        []string

	Clusters []Cluster
	// Table[i][j] counts the documents of class i in cluster TableClusters[j].
	Classes       []string
	TableClusters []int
	Table         [][]int

	// Uncertain lists the least certain documents of a soft clustering. UncertainNote states how
	// many there are; it is "" for a hard clustering.
	Uncertain     []Uncertain
	UncertainNote string

	// Directions are the interpretable coordinates: their terms, sorted by descending weight.
	Directions []Direction
	// Topics is true if the directions are the most probable terms of topics, with the numbers of
	// the clusters.
	Topics bool

	Pictures
	Spectrum      []float64
	SpectrumStart int // number of the first eigenvalue shown
	// SpectrumMark is the number of clusters that was chosen, after whose eigenvalue the spectrum has
	// a mark; 0: none.
	SpectrumMark int
	// Curve shows how the number of clusters was chosen; nil if it was given.
	Curve *Curve
	// Methods shows how the method was chosen; nil if it was named, or not by a comparison.
	Methods *Methods

	Command  string // the command that repeats the run
	Config   string // its configuration, YAML
	Versions string
}

// Pictures show the documents as dots. Each is a PNG file; all are nil if there is no plane to
// draw.
type Pictures struct {
	ByCluster []byte // coloured by cluster
	ByClass   []byte // coloured by class; nil without labels
	All       []byte // both side by side
	Note      string // description of the axes
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"png": func(b []byte) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b))
	},
	"swatch": func(n int) template.CSS { return template.CSS(hex(Color(n))) },
	"share":  share,
	"heat":   heat,
	"join":   func(s []string) string { return strings.Join(s, ", ") },
	"commas": words.Thousands,
}).Parse(pageText))

// Write writes the page as HTML.
func Write(w io.Writer, p *Page) error {
	return pageTemplate.Execute(w, struct {
		*Page
		Largest  int
		HasTerms bool
		HasClass bool
		Heat     []heatRow
		Plot     *spectrum
		Search   *curve
	}{p, p.largest(), slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return len(c.Terms) > 0 }),
		slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return c.Class != "" }), p.heatRows(), newSpectrum(p.Spectrum, p.SpectrumStart, p.SpectrumMark), newCurve(p.Curve)})
}

func (p *Page) largest() int {
	n := 1
	for _, c := range p.Clusters {
		n = max(n, c.Size)
	}
	return n
}

// heatRow is one class of the contingency table.
type heatRow struct {
	Class string
	Size  int
	Cells []heatCell
}

type heatCell struct{ Count, Of int }

func (p *Page) heatRows() []heatRow {
	rows := make([]heatRow, len(p.Table))
	for i, counts := range p.Table {
		rows[i].Class = p.Classes[i]
		for _, n := range counts {
			rows[i].Size += n
		}
		for _, n := range counts {
			rows[i].Cells = append(rows[i].Cells, heatCell{n, rows[i].Size})
		}
	}
	return rows
}

// share formats a percentage for CSS and for display.
func share(part, whole int) string {
	if whole == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}

// heat returns the background colour of a cell for its share of the class.
func heat(c heatCell) template.CSS {
	if c.Of == 0 || c.Count == 0 {
		return ""
	}
	s := float64(c.Count) / float64(c.Of)
	ink := "#1d2733"
	if s > 0.55 {
		ink = "#fff"
	}
	return template.CSS(fmt.Sprintf("background:rgba(31,95,153,%.3f);color:%s", 0.06+0.9*s, ink))
}
