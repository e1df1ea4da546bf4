// Package view shows what a run found: as rows of text, as JSON, as the settings that repeat it,
// and as the page of the report.
package view

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// overTimePart is the chart of the clusters over time.
func overTimePart(r *result.Run, p *report.Page) {
	v := r.OverTime
	if v == nil {
		return
	}
	p.OverTime = &report.OverTime{Length: v.Length}
	for _, period := range v.Periods {
		p.OverTime.Starts, p.OverTime.Shares = append(p.OverTime.Starts, period.Start), append(p.OverTime.Shares, period.Shares)
	}
	if v.Undated > 0 {
		p.OverTime.Note = fmt.Sprintf("%s no time.", words.Plural(v.Undated, "document has", "documents have"))
	}
}

// ReportPage gathers what report.html shows.
func ReportPage(ctx context.Context, r *result.Run) (*report.Page, error) {
	fields, err := fieldsOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if f := runnerUpField(r); f != nil {
		fields = append([]*report.Field{f}, fields...)
	}
	config, err := yamlOf(r.Settings())
	if err != nil {
		return nil, err
	}
	repeating, _ := r.Repeating()
	v := version.Current()
	p := &report.Page{
		Title:    "Clusters of " + BaseName(r.J.File),
		Subtitle: fmt.Sprintf("%s: %s. Method %s: %s.", r.J.File, r.J.CorpusText(), r.J.Spec.Name, r.J.Spec.Summary),
		Date:     time.Now().Format("2 January 2006, 15:04"),
		Notes:    r.NotesAs(FlagName),
		Command:  commandLine(r, repeating),
		Config:   string(config),
		Versions: fmt.Sprintf("eigenmap %s, %s, backend %s: %s", v.Version, v.Go, v.Backend, v.Library),
	}
	p.Levels = pageLevels(r)
	for _, k := range r.Clusters {
		c := report.Cluster{Number: k.Number, Size: k.Size, Class: k.Class, Major: k.Major,
			MajorCount: k.MajorCount, Labelled: k.Labelled, Terms: k.Terms, Weights: k.Weights, Without: k.Without}
		if k.Differences != nil {
			c.Weights, c.Means = make([]float64, len(k.Weights)), make([]string, len(k.Weights))
			for t, d := range k.Differences {
				c.Weights[t], c.Means[t] = math.Abs(d.Deviations), fmt.Sprintf("mean %.4g, elsewhere %.4g", d.Mean, d.Others)
			}
		}
		if k.Coherence != nil {
			c.Coherence = &report.Coherence{NPMI: k.Coherence.NPMI, CV: k.Coherence.CV}
		}
		p.Clusters = append(p.Clusters, c)
	}
	cards(r, p)
	scoresPart(r, p)
	uncertainPart(r, p)
	directionsPart(r, p)
	for _, row := range Rows(r) {
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
	searchPart(r, p)
	overTimePart(r, p)
	runnerUpPart(r, p)
	p.Methods = part(r.Choice)
	whole, err := job.Await(ctx, func() (*report.Page, error) { return p, documentsPart(ctx, r, fields, p) })
	if err != nil {
		return nil, err
	}
	return whole, nil
}

// searchPart is how the number of clusters was chosen, with eigenvalues beyond it.
func searchPart(r *result.Run, p *report.Page) {
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
func cards(r *result.Run, p *report.Page) {
	card := func(name, value string) { p.Cards = append(p.Cards, report.Fact{Name: name, Value: value}) }
	card("documents", words.Thousands(r.Corpus.Len()))
	if r.J.X != nil { // with vectors, the documents' own terms
		name := "terms"
		if result.DifferencesOf(r.Clusters) != nil {
			name = "columns"
		}
		_, count := r.J.Corpus.X.Dims()
		card(name, words.Thousands(count))
	}
	card("clusters", words.Thousands(len(r.Clusters)))
	if r.J.Prior.Labels != nil {
		card("known labels", words.Thousands(r.J.Prior.Count))
	}
	if s := r.Scores; s != nil {
		card("accuracy", fmt.Sprintf("%.3f", s.Accuracy))
		card("NMI", fmt.Sprintf("%.3f", s.NMI))
	}
}

// uncertainPart is the list of uncertain documents.
func uncertainPart(r *result.Run, p *report.Page) {
	if r.Posterior == nil {
		return
	}
	list := result.Doubts(r.Posterior)
	p.UncertainNote = fmt.Sprintf("%s of %s have a probability below %g for their cluster", words.Thousands(len(list)), words.Counted(r.Corpus.Len(), "document"), result.Certain)
	if len(list) > result.UncertainShown {
		p.UncertainNote += fmt.Sprintf("; here are the %d least certain, uncertain.csv has all", result.UncertainShown)
	}
	p.UncertainNote += "."
	for _, d := range list[:min(result.UncertainShown, len(list))] {
		p.Uncertain = append(p.Uncertain, report.Uncertain{ID: words.Clip(r.Corpus.ID(d.Document), 60), First: d.First, Second: d.Second,
			P1: fmt.Sprintf("%.3f", d.P1), P2: fmt.Sprintf("%.3f", d.P2)})
	}
}

func directionsPart(r *result.Run, p *report.Page) {
	p.Topics = r.Topics()
	for i, d := range r.Directions() {
		plus, minus := sides(r, d)
		number := i + 1
		if r.Topics() {
			number = i
		}
		p.Directions = append(p.Directions, report.Direction{Number: number, Terms: len(d), Plus: plus, Minus: minus})
	}
}
