package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/methods/spca"
	"github.com/eigenmap/eigenmap/methods/spg"
	"gonum.org/v1/gonum/mat"
)

// spgDims: the constant being left out, c clusters have c − 1 directions, unless -d says otherwise.
func spgDims(j *job) (int, string) {
	o := j.opt
	if o.responses == "" {
		o.responses = "neighbors"
		if j.given.labels != nil {
			o.responses = "semi"
		}
	}
	if o.responses == "classes" && j.given.labels != nil {
		return len(j.given.names) - 1, "one direction fewer than classes given"
	}
	if o.dims == 0 && o.clusters > 1 {
		return o.clusters - 1, "one direction fewer than clusters"
	}
	return 0, ""
}

// ldaDims: as many directions part the means of the classes.
func ldaDims(j *job) (int, string) {
	if j.opt.dims > 0 && j.opt.dims < len(j.given.names) {
		return 0, ""
	}
	return len(j.given.names) - 1, "one direction fewer than classes given"
}

func (j *job) spgOptions() spg.Options {
	o := j.opt
	s := spg.Options{Dims: o.dims, Penalty: spg.Penalty(o.penalty), Terms: o.cardinality.number, Share: o.cardinality.share,
		Eigen: eigen.Options{Tol: o.tol, MaxIter: o.maxIter, Solver: eigen.Solver(o.solver), Seed: o.seed, Observer: j.ui.observe}, Observer: j.ui.observe}
	if s.Penalty != spg.Lasso {
		s.Ridge = o.alpha
	}
	return s
}

// uselessForSPG tells whether a flag means nothing beside the penalty or the responses that were chosen.
func (o *options) uselessForSPG(flag string) bool {
	if o.method != "spg" {
		return false
	}
	return flag == "alpha" && o.penalty == string(spg.Lasso) || flag == "cardinality" && o.penalty == string(spg.Ridge) ||
		slices.Contains(graphFlags, flag) && (o.responses == "pca" || o.responses == "classes")
}

// checkSPG refuses what contradicts the responses or the penalty.
func (j *job) checkSPG() error {
	o := j.opt
	labelled := j.given.labels != nil
	switch {
	case labelled && (o.responses == "neighbors" || o.responses == "pca"):
		return requestf("--responses %s does not look at labels: leave --labels and --labeled-fraction out, or give --responses semi or classes", o.responses)
	case !labelled && (o.responses == "semi" || o.responses == "classes"):
		return requestf("--responses %s needs labels of a part of the documents: give --labels FILE or --labeled-fraction 0.05", o.responses)
	case o.penalty == string(spg.Ridge) && o.cardinality != (numberOrShare{}):
		return requestf("--cardinality means nothing with --penalty ridge, which uses all terms: leave it out")
	case o.penalty == string(spg.ElasticNet) && o.alpha == 0:
		return requestf("--alpha 0 makes an elastic net a lasso: give --penalty lasso without --alpha")
	case o.penalty == string(spg.Lasso) && j.set.Changed("alpha"):
		return requestf("--alpha is the ridge of --penalty ridge or elastic-net: give one of these with it")
	case o.responses == "pca" || o.responses == "classes":
		return refuseWith(j.set, "--responses "+o.responses+", which has no graph", graphFlags)
	}
	return nil
}

func embedSPG(ctx context.Context, j *job) (*outcome, error) {
	out := new(outcome)
	if err := j.checkSPG(); err != nil {
		return out, err
	}
	o := j.opt
	if o.cardinality == (numberOrShare{}) && o.penalty != string(spg.Ridge) {
		o.cardinality.number = spg.DefaultTerms
	}
	opt := j.spgOptions()
	var r *spg.Responses
	var err error
	switch o.responses {
	case "classes":
		r, err = spg.ClassResponses(j.given.labels, len(j.given.names))
	case "pca":
		r, err = spg.PCAResponses(ctx, j.x, opt)
	default:
		if o.neighbors == 0 && o.epsilon == 0 {
			o.neighbors = max(1, min(spg.DefaultNeighbors, j.corpus.Len()-1))
		}
		if out.graph, err = j.affinity(ctx); err != nil {
			return out, err
		}
		end := j.stage("eigen")
		if o.responses == "semi" {
			r, err = spg.SemiResponses(ctx, out.graph, j.given.labels, len(j.given.names), opt)
		} else {
			r, err = spg.NeighborResponses(ctx, out.graph, opt)
		}
		end()
	}
	if err != nil {
		return out, inFile(j.file, err)
	}
	defer j.stage("regression")()
	m, err := spg.FitResponses(ctx, j.x, r, opt)
	if m != nil {
		out.model = m
		out.embedding = j.rowsOf(m.Embedding)
		out.spectrum = &spectrum{kind: "eigenvalue", values: r.Values, residuals: r.Residuals,
			how: fmt.Sprintf("%s of %s, %s a direction, %.4g %% zeros", counted(len(m.Cardinality), "direction"), o.responses, termRange(m.Cardinality), 100*m.Sparsity())}
		for _, d := range m.Directions(j.corpus.Terms, 0) {
			out.directions = append(out.directions, d.Weights)
		}
	}
	return out, inFile(j.file, err)
}

// termRange is "75 terms" or "12 to 75 terms".
func termRange(counts []int) string {
	low, high := math.MaxInt, 0
	for _, c := range counts {
		low, high = min(low, c), max(high, c)
	}
	if low < high {
		return fmt.Sprintf("%d to %d terms", low, high)
	}
	return counted(high, "term")
}

// rowsOf is the embedding with rows of unit length where that is asked for.
func (j *job) rowsOf(y *mat.Dense) *mat.Dense {
	if j.opt.normalizeRows {
		return le.NormalizedRows(y)
	}
	return y
}

func embedLPP(ctx context.Context, j *job) (*outcome, error) {
	out, o := new(outcome), j.opt
	if o.neighbors == 0 && o.epsilon == 0 {
		o.neighbors = max(1, min(lpp.DefaultNeighbors, j.corpus.Len()-1))
	}
	var err error
	if out.graph, err = j.affinity(ctx); err != nil {
		return out, err
	}
	defer j.stage("regression")()
	m, err := lpp.FitGraph(ctx, j.x, lpp.Of(out.graph), lpp.Options{Dims: o.dims, Ridge: o.alpha, Centre: true, Solver: eigen.Solver(o.solver), Tol: o.tol, Seed: o.seed, Observer: j.ui.observe})
	if m != nil {
		out.model, out.embedding = m, j.rowsOf(m.Embedding)
		out.spectrum = &spectrum{kind: "eigenvalue", values: m.Values, residuals: m.Residuals, stats: &m.Stats}
	}
	return out, inFile(j.file, err)
}

func embedLDA(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("regression")()
	out, o := new(outcome), j.opt
	m, err := lda.Fit(ctx, j.x, j.given.labels, len(j.given.names), lda.Options{Dims: o.dims, Ridge: o.alpha, Observer: j.ui.observe})
	if m != nil {
		out.model, out.embedding = m, j.rowsOf(m.Embedding)
		out.spectrum = &spectrum{kind: "share between classes", values: m.Values, how: fmt.Sprintf("%s that part %d classes", counted(len(m.Values), "direction"), len(j.given.names))}
	}
	return out, inFile(j.file, err)
}

func embedSPCA(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("svd")()
	out, o := new(outcome), j.opt
	terms := o.cardinality.number
	if s := o.cardinality.share; s > 0 {
		terms = max(1, int(math.Round(s*float64(j.terms()))))
	}
	m, err := spca.Fit(ctx, j.x, spca.Options{Components: o.dims, Terms: terms, Seed: o.seed, Observer: j.ui.observe})
	if m != nil {
		share := 0.0
		for _, v := range m.AdjustedVariance {
			share += v / m.TotalVariance
		}
		out.model, out.embedding = m, j.rowsOf(m.Embedding)
		out.spectrum = &spectrum{kind: "variance", values: m.AdjustedVariance,
			how: fmt.Sprintf("%s of %s, %.3g %% of the variance, %s", counted(len(m.Cardinality), "component"), termRange(m.Cardinality), 100*share, counted(m.Rounds, "round"))}
		out.directions = m.Directions(j.corpus.Terms, 0)
	}
	return out, inFile(j.file, err)
}

// directionTerms is how many terms of a direction a person is shown; directions.csv has all.
const directionTerms = 8

// sides is the heaviest terms of a direction, those of positive weight and those of negative.
func sides(weights []spg.Weight) (plus, minus []string) {
	for _, w := range weights[:min(directionTerms, len(weights))] {
		if w.Weight >= 0 {
			plus = append(plus, w.Term)
		} else {
			minus = append(minus, w.Term)
		}
	}
	return plus, minus
}

// shownTerms is the two sides in a line.
func shownTerms(weights []spg.Weight) string {
	plus, minus := sides(weights)
	text := strings.Join(plus, " ")
	if len(minus) > 0 {
		text = strings.TrimSpace(text + " − " + strings.Join(minus, " "))
	}
	return text
}

// directionRows is the directions as a table for a person.
func (o *outcome) directionRows() [][]string {
	rows := [][]string{{"direction", "terms", "heaviest"}}
	if o.topics {
		rows[0] = []string{"topic", "most probable terms"}
		for i, d := range o.directions {
			name := fmt.Sprintf("%5d", i)
			if p := o.partition; p != nil && p.classes != nil && p.classes[i] != "" {
				name += " " + report.Clip(p.classes[i], 24)
			}
			rows = append(rows, []string{name, shownTerms(d)})
		}
		return rows
	}
	for i, d := range o.directions {
		rows = append(rows, []string{fmt.Sprintf("%9d", i+1), fmt.Sprintf("%5d", len(d)), shownTerms(d)})
	}
	return rows
}

// printDirections prints them, as far as there are any.
func (a *app) printDirections(o *outcome) {
	if o.directions != nil {
		a.table(o.directionRows())
		a.printf("\n")
	}
}

// writeDirections writes direction,term,weight, the heaviest first; of topics topic,term,probability, numbered as their clusters are.
func (o *outcome) writeDirections(w io.Writer) error {
	t := csv.NewWriter(w)
	head, from := []string{"direction", "term", "weight"}, 1
	if o.topics {
		head, from = []string{"topic", "term", "probability"}, 0
	}
	if err := t.Write(head); err != nil {
		return err
	}
	for i, d := range o.directions {
		for _, v := range d {
			if err := t.Write([]string{strconv.Itoa(i + from), v.Term, strconv.FormatFloat(v.Weight, 'g', 9, 64)}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}

// addDirections adds directions.csv or topics.csv where the method has directions to read.
func (o *outcome) addDirections(ctx context.Context, out *output) error {
	if o.directions == nil {
		return nil
	}
	name := "directions.csv"
	if o.topics {
		name = "topics.csv"
	}
	return out.add(ctx, name, o.writeDirections)
}
