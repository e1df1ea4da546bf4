package eigenmap

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// flagName writes an option as a flag of the command line, which is how the report repeats a run.
func flagName(option string) string { return "--" + option }

// reportPage gathers what report.html shows.
func (r *Run) reportPage(ctx context.Context) (*report.Page, error) {
	list := r.Settings()
	config, err := yamlOf(list)
	if err != nil {
		return nil, err
	}
	v := version.Current()
	p := &report.Page{
		Title:    "Clusters of " + baseName(r.j.File),
		Subtitle: fmt.Sprintf("%s: %s. Method %s: %s.", r.j.File, r.j.CorpusText(), r.j.Spec.Name, r.j.Spec.Summary),
		Date:     time.Now().Format("2 January 2006, 15:04"),
		Notes:    r.NotesAs(flagName),
		Command:  r.commandLine(list),
		Config:   string(config),
		Versions: fmt.Sprintf("eigenmap %s, %s, backend %s: %s", v.Version, v.Go, v.Backend, v.Library),
	}
	p.Levels = r.pageLevels()
	for _, k := range r.Clusters {
		c := report.Cluster{Number: k.Number, Size: k.Size, Class: k.Class, Major: k.Major,
			MajorCount: k.MajorCount, Labelled: k.Labelled, Terms: k.Terms, Weights: k.Weights}
		if k.Coherence != nil {
			c.Coherence = &report.Coherence{NPMI: k.Coherence.NPMI, CV: k.Coherence.CV}
		}
		p.Clusters = append(p.Clusters, c)
	}
	r.cards(p)
	r.scoresPart(p)
	r.uncertainPart(p)
	r.directionsPart(p)
	for _, row := range r.Rows() {
		p.Facts = append(p.Facts, report.Fact{Name: row[0], Value: row[1]})
	}
	if r.Coherence != nil {
		p.Facts = append(p.Facts, report.Fact{Name: "coherence", Value: r.Coherence.String()})
	}
	p.Facts = append(p.Facts, report.Fact{Name: "time", Value: r.Timings.String()})
	if s := r.Fitted.Values; s != nil && s.Kind == method.Eigenvalue && !s.Own && s.Classes == nil {
		shown := min(s.LeftOut, 20)
		p.Spectrum, p.SpectrumStart = slices.Concat(make([]float64, shown), s.Values), 1+s.LeftOut-shown
	}
	r.searchPart(p)
	r.overTimePart(p)
	p.Methods = part(r.Choice)
	whole, err := job.Await(ctx, func() (*report.Page, error) { return p, r.documentsPart(ctx, p) })
	if err != nil {
		return nil, err
	}
	return whole, nil
}

// searchPart is how the number of clusters was chosen, with eigenvalues beyond it.
func (r *Run) searchPart(p *report.Page) {
	s := r.Search
	if s == nil {
		return
	}
	p.Curve = &report.Curve{Score: scoreWords[s.By], Note: how(s), Chosen: s.Clusters, Smaller: s.By.Smaller()}
	for _, point := range s.Points {
		p.Curve.Points = append(p.Curve.Points, report.CurvePoint{K: point.K, Score: score(s, point.K), Error: point.Error})
	}
	if len(s.Eigenvalues) > 0 {
		shown := min(s.LeftOut, 20)
		p.Spectrum, p.SpectrumStart = slices.Concat(make([]float64, shown), s.Eigenvalues), 1+s.LeftOut-shown
		p.SpectrumMark = s.Clusters
	}
}

// cards are the few large numbers at the top.
func (r *Run) cards(p *report.Page) {
	card := func(name, value string) { p.Cards = append(p.Cards, report.Fact{Name: name, Value: value}) }
	card("documents", words.Thousands(r.Corpus.Len()))
	if r.j.X != nil {
		card("terms", words.Thousands(r.j.Columns()))
	}
	card("clusters", words.Thousands(len(r.Clusters)))
	if r.j.Prior.Labels != nil {
		card("known labels", words.Thousands(r.j.Prior.Count))
	}
	if s := r.Scores; s != nil {
		card("accuracy", fmt.Sprintf("%.3f", s.Accuracy))
		card("NMI", fmt.Sprintf("%.3f", s.NMI))
	}
}

// scoresPart is the comparison with the true labels.
func (r *Run) scoresPart(p *report.Page) {
	p.MajorityHead = r.MajorityHead()
	if r.table == nil {
		return
	}
	p.Scores = ScoreFacts(*r.Scores)
	if !r.AllScored() {
		p.ScoredOn = "Scored on " + r.ScoredOf() + " documents."
	}
	if r.Unlabeled != nil {
		parts := []string{}
		for _, f := range ScoreFacts(*r.Unlabeled) {
			parts = append(parts, f.Name+" "+f.Value)
		}
		p.ScoredOn = strings.TrimSpace(p.ScoredOn + fmt.Sprintf(" On the %s whose labels were not given: %s.", words.Counted(r.restSize, "document"), strings.Join(parts, ", ")))
	}
	for _, k := range r.table.Classes {
		p.Classes = append(p.Classes, r.Corpus.ClassNames[k])
	}
	p.TableClusters, p.Table = slices.Clone(r.table.Clusters), r.table.Counts
}

// uncertainPart is the list of uncertain documents.
func (r *Run) uncertainPart(p *report.Page) {
	if r.Posterior == nil {
		return
	}
	list := doubts(r.Posterior)
	p.UncertainNote = fmt.Sprintf("%s of %s have a probability below %g for their cluster", words.Thousands(len(list)), words.Counted(r.Corpus.Len(), "document"), certain)
	if len(list) > uncertainShown {
		p.UncertainNote += fmt.Sprintf("; here are the %d least certain, uncertain.csv has all", uncertainShown)
	}
	p.UncertainNote += "."
	for _, d := range list[:min(uncertainShown, len(list))] {
		p.Uncertain = append(p.Uncertain, report.Uncertain{ID: words.Clip(r.Corpus.ID(d.document), 60), First: d.first, Second: d.second,
			P1: fmt.Sprintf("%.3f", d.p1), P2: fmt.Sprintf("%.3f", d.p2)})
	}
}

func (r *Run) directionsPart(p *report.Page) {
	p.Topics = r.topics()
	for i, d := range r.directions() {
		plus, minus := sides(d)
		number := i + 1
		if r.topics() {
			number = i
		}
		p.Directions = append(p.Directions, report.Direction{Number: number, Terms: len(d), Plus: plus, Minus: minus})
	}
}

// Fact is a name and its value, both formatted for display.
type Fact = report.Fact

// ScoreFacts returns the scores by name, each with four decimals.
func ScoreFacts(s metrics.Scores) []Fact {
	f := func(name string, v float64) report.Fact {
		return report.Fact{Name: name, Value: fmt.Sprintf("%.4f", v)}
	}
	return []report.Fact{f("accuracy", s.Accuracy), f("NMI", s.NMI), f("ARI", s.ARI), f("FMI", s.FMI),
		f("purity", s.Purity), f("F", s.FMeasure), f("macro-F1", s.MacroF1)}
}

// draw makes the pictures: the documents by cluster, and by class if there are labels.
func (r *Run) draw(ctx context.Context, at *plane) (*report.Pictures, error) {
	p := new(report.Pictures)
	if at == nil {
		return p, nil
	}
	p.Note = at.note
	if n := r.Corpus.Len(); n > report.MaxPoints {
		p.Sampled = fmt.Sprintf("%s of %s documents are drawn here, a random sample that is the same at every run.", words.Thousands(report.MaxPoints), words.Thousands(n))
	}
	panels := []report.Panel{{Title: "by cluster", X: at.x, Y: at.y, Group: r.Labels, Names: r.clusterNames()}}
	if r.table != nil {
		panels = append(panels, report.Panel{Title: "by class", X: at.x, Y: at.y, Group: r.Corpus.Labels,
			Names: r.Corpus.ClassNames, Color: r.classColors()})
	}
	each, all, err := report.Scatter(ctx, panels...)
	if err != nil {
		return nil, err
	}
	if p.ByCluster, p.All = each[0], all; len(each) > 1 {
		p.ByClass = each[1]
	}
	return p, nil
}

// clusterNames are for the legend: the number, and the first terms or the majority class.
func (r *Run) clusterNames() []string {
	names := make([]string, len(r.Clusters))
	for i, k := range r.Clusters {
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

// classColors gives a class the colour of the cluster assigned to it, so that the two pictures can
// be compared; classes without one get colours that no cluster has.
func (r *Run) classColors() []int {
	colors := slices.Repeat([]int{-1}, len(r.Corpus.ClassNames))
	for col, row := range r.table.Assignment() {
		if row >= 0 {
			colors[r.table.Classes[row]] = r.table.Clusters[col]
		}
	}
	next := len(r.Clusters)
	for i, col := range colors {
		if col < 0 {
			colors[i] = next
			next++
		}
	}
	return colors
}
