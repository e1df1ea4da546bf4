// Package report renders the result of a run as one HTML page that needs nothing else: no network,
// no other file, no script. The pictures in it are made here too.
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

// Fact is a name and its value, both ready to print.
type Fact struct{ Name, Value string }

// Cluster is one cluster of the result.
type Cluster struct {
	Number     int
	Size       int
	Class      string   // of the labels given, that the cluster is; "" where it is none
	Major      string   // its most frequent class; "" without labels
	MajorCount int      // documents of that class in it
	Labelled   int      // documents in it that have a class
	Terms      []string // terms that tell it from the rest, best first
}

// Direction is a coordinate that is a weighted sum of few terms: those of positive weight and those of negative, the heaviest first.
type Direction struct {
	Number, Terms int
	Plus, Minus   []string
}

// Uncertain is a document with its two most probable clusters and their probabilities.
type Uncertain struct {
	ID            string
	First, Second int
	P1, P2        string
}

// Page is everything that the report shows. Empty parts are left out.
type Page struct {
	Title    string
	Subtitle string // one line under it: the file, its size, the method
	Date     string
	Cards    []Fact // few large numbers at the top
	// ScoredOn says how many documents the scores rest on, where these are not all.
	ScoredOn string
	// MajorityHead is the heading of the clusters' majority classes; "" = "majority class".
	MajorityHead string
	Scores       []Fact
	Facts        []Fact // how it was done, a line each
	Notes        []string

	Clusters []Cluster
	// Table[i][j] counts the documents of class i in cluster TableClusters[j].
	Classes       []string
	TableClusters []int
	Table         [][]int

	// Uncertain lists the documents that a soft clustering is least certain of; UncertainNote says how many there are, "" of a hard clustering.
	Uncertain     []Uncertain
	UncertainNote string

	// Directions are the coordinates that can be read: their terms, the heaviest first.
	Directions []Direction
	// Topics says that they are the most probable terms of topics, numbered as the clusters.
	Topics bool

	Pictures
	Spectrum      []float64
	SpectrumStart int // number of the first eigenvalue shown

	Command  string // to repeat the run
	Config   string // its configuration, YAML
	Versions string
}

// Pictures show the documents as dots, PNG each; all nil where there is no plane to show them in.
type Pictures struct {
	ByCluster []byte // coloured by cluster
	ByClass   []byte // and by class; nil without labels
	All       []byte // both beside each other
	Note      string // what the axes are
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

// Write renders the page.
func Write(w io.Writer, p *Page) error {
	return pageTemplate.Execute(w, struct {
		*Page
		Largest  int
		HasTerms bool
		HasClass bool
		Heat     []heatRow
		Plot     *spectrum
	}{p, p.largest(), slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return len(c.Terms) > 0 }),
		slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return c.Class != "" }), p.heatRows(), newSpectrum(p.Spectrum, p.SpectrumStart)})
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

// share is a percentage for CSS and for people.
func share(part, whole int) string {
	if whole == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}

// heat colours a cell by its share of the class.
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
