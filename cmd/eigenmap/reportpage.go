package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/goccy/go-yaml"
)

// report gathers what report.html shows.
func (c *clustering) report(ctx context.Context, settings yaml.MapSlice) (*report.Page, error) {
	config, err := yaml.Marshal(settings)
	if err != nil {
		return nil, err
	}
	v := versions()
	p := &report.Page{
		Title:    "Clusters of " + baseName(c.file),
		Subtitle: fmt.Sprintf("%s: %s. Method %s: %s.", c.file, c.corpusText(), c.method.name, c.method.summary),
		Date:     time.Now().Format("2 January 2006, 15:04"),
		Clusters: c.clusters,
		Notes:    c.notes(summarizeEigen(c.spectrum)),
		Command:  c.commandLine(settings),
		Config:   string(config),
		Versions: fmt.Sprintf("eigenmap %s, %s, backend %s: %s", v.Version, v.Go, v.Backend, v.Library),
	}
	p.Cards = []report.Fact{{Name: "documents", Value: report.Thousands(c.corpus.Len())}}
	if c.x != nil {
		p.Cards = append(p.Cards, report.Fact{Name: "terms", Value: report.Thousands(c.terms())})
	}
	p.Cards = append(p.Cards, report.Fact{Name: "clusters", Value: report.Thousands(len(c.clusters))})
	if c.given.labels != nil {
		p.Cards = append(p.Cards, report.Fact{Name: "labels given", Value: report.Thousands(c.given.count)})
		p.MajorityHead = c.majorityHead()
	}
	if c.table != nil {
		s := c.scores(c.table)
		p.Cards = append(p.Cards, report.Fact{Name: "accuracy", Value: fmt.Sprintf("%.3f", s.Accuracy)},
			report.Fact{Name: "NMI", Value: fmt.Sprintf("%.3f", s.NMI)})
		p.Scores, p.MajorityHead = scoreFields(s), c.majorityHead()
		if c.scored < c.corpus.Len() {
			p.ScoredOn = "Scored on " + c.scoredOf() + " documents."
		}
		if c.rest != nil {
			p.ScoredOn = strings.TrimSpace(p.ScoredOn + " " + c.restText())
		}
		for _, k := range c.table.Classes {
			p.Classes = append(p.Classes, c.corpus.ClassNames[k])
		}
		p.TableClusters, p.Table = c.table.Clusters, c.table.Counts
	}
	c.uncertainPart(p)
	p.Topics = c.topics
	for i, d := range c.directions {
		plus, minus := sides(d)
		number := i + 1
		if c.topics {
			number = i
		}
		p.Directions = append(p.Directions, report.Direction{Number: number, Terms: len(d), Plus: plus, Minus: minus})
	}
	for _, row := range c.howRows() {
		p.Facts = append(p.Facts, report.Fact{Name: row[0], Value: row[1]})
	}
	p.Facts = append(p.Facts, report.Fact{Name: "time", Value: c.times.String()})
	if c.spectrum != nil && c.spectrum.kind == "eigenvalue" && !c.spectrum.own && c.spectrum.classes == nil {
		zeros := c.leftOut()
		shown := min(zeros, 20)
		p.Spectrum, p.SpectrumStart = slices.Concat(make([]float64, shown), c.spectrum.values), 1+zeros-shown
	}
	pictures, err := await(ctx, c.draw)
	if err != nil {
		return nil, err
	}
	p.Pictures = *pictures
	return p, nil
}

// leftOut is how many eigenvalues 0 stand before those of the coordinates, whose eigenvectors the request leaves out.
func (c *clustering) leftOut() int {
	switch s := c.spectrum.stats; {
	case s == nil:
		return 0
	case c.opt.dropZeros:
		return s.Deflated
	case c.opt.dropFirst:
		return 1
	}
	return 0
}

// restText is the scores on the documents whose labels were not given.
func (c *clustering) restText() string {
	parts := []string{}
	for _, f := range scoreFields(c.scores(c.rest)) {
		parts = append(parts, f.Name+" "+f.Value)
	}
	return fmt.Sprintf("On the %s whose labels were not given: %s.", counted(c.restSize, "document"), strings.Join(parts, ", "))
}

// draw makes the pictures: the documents by cluster, and by class where there are labels.
func (c *clustering) draw() (*report.Pictures, error) {
	p := new(report.Pictures)
	x, unit := c.x, false
	p.Note = "Each dot is a document, in the plane of the weighted terms in which the cluster centres lie farthest apart."
	if c.embedding != nil {
		x, unit = c.embedding, true
		_, dims := c.embedding.Dims()
		p.Note = fmt.Sprintf("Each dot is a document, in the plane of the %d-dimensional embedding (rows scaled to length 1) in which the cluster centres lie farthest apart; clusters that overlap here may be apart in other directions.", dims)
	}
	if x == nil {
		return p, nil // a precomputed kernel has no plane to draw
	}
	px, py, ok := report.View(x, c.partition.labels, len(c.clusters), unit)
	if !ok {
		return p, nil
	}
	if moved := report.Clamp(px, 0.995) + report.Clamp(py, 0.995); moved > 0 {
		p.Note += fmt.Sprintf(" %s far outside, drawn at the edge.", plural(moved, "document lies", "documents lie"))
	}
	panels := []report.Panel{{Title: "by cluster", X: px, Y: py, Group: c.partition.labels, Names: c.clusterNames()}}
	var err error
	if p.ByCluster, err = report.Scatter(panels[0]); err != nil {
		return nil, err
	}
	if c.table != nil {
		panels = append(panels, report.Panel{Title: "by class", X: px, Y: py, Group: c.corpus.Labels,
			Names: c.corpus.ClassNames, Color: c.classColors()})
		if p.ByClass, err = report.Scatter(panels[1]); err != nil {
			return nil, err
		}
	}
	p.All, err = report.Scatter(panels...)
	return p, err
}

// clusterNames are for the legend: the number, and the first terms or the majority class.
func (c *clustering) clusterNames() []string {
	names := make([]string, len(c.clusters))
	for i, k := range c.clusters {
		names[i] = fmt.Sprintf("%2d", k.Number)
		switch {
		case len(k.Terms) > 0:
			names[i] += "  " + strings.Join(k.Terms[:min(3, len(k.Terms))], " ")
		case k.Major != "":
			names[i] += "  mostly " + k.Major
		}
	}
	return names
}

// classColors gives a class the colour of the cluster that stands for it, so that the two pictures can be
// compared; classes that none stands for get colours that no cluster has.
func (c *clustering) classColors() []int {
	colors := make([]int, len(c.corpus.ClassNames))
	for i := range colors {
		colors[i] = -1
	}
	for col, row := range c.table.Assignment() {
		if row >= 0 {
			colors[c.table.Classes[row]] = c.table.Clusters[col]
		}
	}
	next := len(c.clusters)
	for i, col := range colors {
		if col < 0 {
			colors[i] = next
			next++
		}
	}
	return colors
}

// commandLine repeats the run from a shell.
func (c *clustering) commandLine(settings yaml.MapSlice) string {
	var b strings.Builder
	b.WriteString("eigenmap cluster " + shellWord(c.file))
	for _, item := range settings {
		name := item.Key.(string)
		f := c.set.Lookup(name)
		if f == nil || name == fileKey {
			continue
		}
		value := f.Value.String()
		switch {
		case f.Value.Type() == "bool" && value == "true":
			b.WriteString(" --" + name)
		case f.Value.Type() != "bool" && (f.Changed || decided[name]):
			b.WriteString(" --" + name + " " + shellWord(value))
		}
	}
	return b.String()
}

// decided are the settings that a run decides by itself from the file.
var decided = map[string]bool{"method": true, "clusters": true, "dims": true, "weighting": true, "normalize": true,
	"neighbors": true, "edge-weight": true, "heat-width": true, "reach": true, "seed": true, "classes": true, "pca": true,
	"sigma": true, "first-clustering": true}

// shellWord quotes a word where a shell would read it as something else.
func shellWord(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./,:=+@%", r))
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func baseName(file string) string {
	s := strings.TrimRight(file, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	return s
}
