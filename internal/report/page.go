// Package report writes the result of a run as one HTML page, which needs no network. Of at most
// [MaxDocuments] documents it needs no other file either, and its policy allows no script but its
// own; of more, that script takes others, the tiles beside the page. The package also draws the
// pictures of the page.
package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Fact is a name and its value, both formatted for display.
type Fact struct{ Name, Value string }

// Cluster is one cluster of the result.
type Cluster struct {
	Number     int
	Size       int
	Class      string     // class of the given labels assigned to the cluster; "" = none
	Major      string     // its most frequent class; "" without labels
	MajorCount int        // documents of that class in it
	Labelled   int        // documents in it that have a class
	Terms      []string   // terms that distinguish it from the others, best first
	Weights    []float64  // of the terms, above 0; nil if they have none
	Means      []string   // what is said of each of Terms that is a column of measurements; nil of others
	Coherence  *Coherence // of the terms; nil if it is not known
	Without    string     // what it holds if no document has a term; else ""
	Nearest    []int      // the clusters whose centres are nearest to its own, the nearest first
}

// Coherence is how well the terms of a cluster belong together, from -1 to 1.
type Coherence struct {
	NPMI float64 `json:"npmi"`
	CV   float64 `json:"cv"`
}

// Level is the clustering with another number of clusters, merged or divided.
type Level struct {
	Of       []int          `json:"of"` // the cluster of each leaf, see Documents.Leaf
	Clusters []LevelCluster `json:"clusters"`
}

// MaxLevels is the largest number of levels on a page.
const MaxLevels = 12

// LevelCluster is a cluster of a level.
type LevelCluster struct {
	Size  int      `json:"size"`
	Terms []string `json:"terms,omitempty"`
}

// Direction is a coordinate that is a weighted sum of few terms: the terms with positive weight and
// those with negative weight, each sorted by descending magnitude.
type Direction struct {
	Number, Terms int
	Plus, Minus   []string
}

// RunnerUp is a second clustering of the same documents.
type RunnerUp struct {
	Text string // how it was found and how far it is from the clusters, in whole sentences
	Rows []RunnerUpRow
}

// RunnerUpRow is a cluster of the runner-up, and the clusters of the result that it is made of.
type RunnerUpRow struct {
	Number, Size int
	Terms        []string
	Of           []RunnerUpOf
}

// RunnerUpOf is how many documents of a cluster of the runner-up are in a cluster of the result.
type RunnerUpOf struct{ Number, Size int }

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

	OverTime *OverTime // nil if the documents have no times
	RunnerUp *RunnerUp // nil if the run has none, or the same clusters

	// Levels are clusterings with other numbers of clusters to colour the map by, at most
	// MaxLevels.
	Levels []Level

	// Directions are the interpretable coordinates: their terms, sorted by descending weight.
	Directions []Direction
	// Topics is true if the directions are the terms of topics, with the numbers of
	// the clusters.
	Topics bool

	// Documents are the documents that the page shows one by one; nil if it has none.
	Documents *Documents
	tiles     []Tile
	tiled     bool // tiles were made

	Pictures
	Spectrum      []float64
	SpectrumStart int // number of the first eigenvalue shown
	// SpectrumMark is the number of clusters that was chosen, after whose eigenvalue the spectrum
	// has a mark; 0: none.
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
	Sampled   string // how many documents are drawn, a sentence; "" if these are all
}

//go:embed page.html
var pageText string

//go:embed page.css
var styleText string

//go:embed explore.css
var exploreStyle string

//go:embed tools.js data.js draw.js map.js labels.js tiles.js fields.js panel.js explore.js page.js
var scripts embed.FS

// The files of the script of a page, and of a served one.
var (
	pageScripts   = []string{"tools.js", "data.js", "draw.js", "map.js", "labels.js", "tiles.js", "fields.js", "panel.js", "page.js"}
	servedScripts = []string{"tools.js", "data.js", "draw.js", "map.js", "labels.js", "tiles.js", "fields.js", "panel.js", "explore.js", "page.js"}
)

// scriptText is the script of the page.
var scriptText = sync.OnceValue(func() string { return scriptOf(pageScripts) })

// scriptOf is a script of files, one after the other, in a scope of their own.
func scriptOf(names []string) string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range names {
		text, err := scripts.ReadFile(name)
		if err != nil {
			panic(err) // it is in the program
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("})();\n")
	return b.String()
}

// functions are what the templates of both pages call.
var functions = template.FuncMap{
	"png": func(b []byte) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b))
	},
	"swatch": swatch,
	"bar":    bar,
	"fill":   func(n int) string { return hex(Color(n)) },
	"share":  share,
	"step":   step,
	"commas": words.Thousands,
	"three":  func(v float64) string { return fmt.Sprintf("%.3f", v) },
}

// pageTemplate is read when the first page is written.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(functions).Parse(pageText))
})

// Tiles are the files that belong beside the page, which [Documents.WriteTile] writes; nil: none.
func (p *Page) Tiles() []Tile {
	if !p.tiled && p.Documents != nil {
		p.tiles, p.tiled = p.Documents.Tiles(), true
	}
	return p.tiles
}

// Write writes the page as HTML.
func Write(w io.Writer, p *Page) error {
	data, err := p.data()
	if err != nil {
		return err
	}
	script, beside := scriptText(), ""
	if len(p.Tiles()) > 0 {
		beside = dynamic
	}
	return pageTemplate().Execute(w, struct {
		*Page
		Largest  int
		HasTerms bool
		HasClass bool
		Heat     []heatRow
		Wide     bool // paper has no room for a column for each cluster
		Times    []timeRow
		Plot     *spectrum
		Search   *curve
		Data     *pageData
		Policy   string
		Style    template.CSS
		Script   template.JS
	}{p, p.largest(), slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return len(c.Terms) > 0 }),
		slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return c.Class != "" }), p.heatRows(), len(p.TableClusters) > printedColumns, p.timeRows(), newSpectrum(p.Spectrum, p.SpectrumStart, p.SpectrumMark), newCurve(p.Curve),
		data, policy(styleText, script, beside), template.CSS(styleText), template.JS(script)})
}

// dynamic is the source in a policy for the tiles beside a page in a file, which has no origin to
// name: the page's own script may load any script, from any place. It loads tiles alone, by names
// made of numbers.
const dynamic = "'strict-dynamic'"

// policy is the Content-Security-Policy of a page whose only style sheet and only script are these
// texts: the browser refuses every other one, every handler and style in an element, and all of the
// network. beside is the source of scripts that it allows as well, for tiles ([dynamic], or 'self'
// of a served page); "" without tiles.
func policy(style, script, beside string) string {
	rule := "default-src 'none'; style-src " + hashOf(style)
	if script != "" {
		rule += "; script-src " + hashOf(script)
		if beside != "" {
			rule += " " + beside
		}
	}
	return rule + "; img-src data:; base-uri 'none'; form-action 'none'"
}

// hashOf is the source of a text in a policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p *Page) largest() int {
	n := 1
	for _, c := range p.Clusters {
		n = max(n, c.Size)
	}
	return n
}

// swatch is the mark of group n, in its colour and shape. Styles in elements are against the
// policy, so it is a drawing.
func swatch(n int) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="swatch" viewBox="-10 -10 20 20" aria-hidden="true"><path fill="%s" d="%s"/></svg>`, hex(Color(n)), shapes[Shape(n)]))
}

// bar is a bar for a share of a whole in the colour of group n.
func bar(part, whole, n int) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="%s" height="8" fill="%s"/></svg>`, share(part, whole), hex(Color(n))))
}

// heatRow is one class of the contingency table.
type heatRow struct {
	Class  string
	Number int // of the class among the run's
	Size   int
	Cells  []heatCell
}

type heatCell struct{ Count, Of, Cluster int }

// printedColumns is the most clusters of the table of classes that have a column each in print. Of
// more the print has the clusters of each class one after the other, each with its number.
const printedColumns = 12

func (p *Page) heatRows() []heatRow {
	rows := make([]heatRow, len(p.Table))
	for i, counts := range p.Table {
		rows[i].Class, rows[i].Number = p.Classes[i], -1
		if p.Documents != nil {
			rows[i].Number = slices.Index(p.Documents.ClassNames, p.Classes[i])
		}
		for _, n := range counts {
			rows[i].Size += n
		}
		for j, n := range counts {
			rows[i].Cells = append(rows[i].Cells, heatCell{n, rows[i].Size, p.TableClusters[j]})
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

// step is the shade of a cell for its share of a whole: one of twenty steps, 0 for nothing.
func step(part, whole int) int {
	if whole == 0 || part == 0 {
		return 0
	}
	return max(1, int(math.Round(20*float64(part)/float64(whole))))
}
