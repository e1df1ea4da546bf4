package eigenmap

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
)

// A clustering that names no method and has known labels takes the method that places known labels
// best: each candidate learns from a part of them and is judged on the others. This file says which
// methods are compared, trials.go compares them, and methods/crossval has folds and verdicts.

// candidate is a method that known labels may choose.
type candidate struct {
	method string
	set    []setting // of its options, where they are not the defaults
	// work estimates the multiplications of one fit, beyond what all fits share.
	work func(s dataSize) float64
}

// dataSize is what the work of a fit grows with.
type dataSize struct {
	rows, columns, entries, classes float64
}

// graph estimates the multiplications of the search for neighbours.
func (s dataSize) graph() float64 { return s.entries * min(s.rows, 20_000) }

// The estimates are powers of the sizes times what was measured on the study's corpora.
func byEigenvectors(s dataSize) float64 { return 2000 * s.rows * (s.classes + 10) }
func byProducts(s dataSize) float64     { return 6000 * s.rows * s.classes }

// bySweeps returns an estimate of so many multiplications for each entry and class.
func bySweeps(n float64) func(dataSize) float64 {
	return func(s dataSize) float64 { return n * s.entries * s.classes }
}

// byDiscriminants is that of soft labels and discriminants. If all of the principal components can
// be found, the fits share them.
func byDiscriminants(s dataSize) float64 {
	if min(s.rows, s.columns) > 6000 {
		return bySweeps(1200)(s)
	}
	return bySweeps(200)(s)
}

// candidates are the methods that known labels choose from. Of equal verdicts the first is taken.
// The last one learns from no labels: it is what the program finds without them.
var candidates = []candidate{
	{method: "semi-ldc", work: byDiscriminants},
	{method: "tsvm", work: bySweeps(1000)},
	{method: "label-propagation", set: []setting{{"class-mass", "true"}}, work: byProducts},
	{method: "label-propagation", work: byProducts},
	{method: "lda", work: bySweeps(100)},
	{method: "semi-le", work: byEigenvectors},
	{method: "cle", work: byEigenvectors},
	{method: DefaultMethod, work: byEigenvectors},
}

// noMethod is why labels choose.
const noMethod = "no method was named, and labels are given"

// entrant is a candidate in one run.
type entrant struct {
	candidate
	request *request // nil if the candidate does not take the run's options
	out     string   // why it is not compared; "" if it is
}

// learns says whether the candidate looks at labels.
func (c candidate) learns() bool { return c.method != DefaultMethod }

// name is the candidate with its settings: "label-propagation, class-mass true".
func (c candidate) name() string {
	text := c.method
	for _, s := range c.set {
		text += " with " + words.Option(s.name)
		if s.value != "true" {
			text += " " + s.value
		}
	}
	return text
}

// leavesToLabels says whether the run names no method and gives labels, which then choose it.
func (o *Options) leavesToLabels() bool {
	gives := func(name string, field bool) bool {
		return field || slices.ContainsFunc(o.set, func(s setting) bool { return s.name == name })
	}
	return !gives("method", o.Method != "") && !gives("constraints", o.Constraints != "" || o.Links != nil) &&
		(gives("labels", o.Labels != "" || o.Known != nil) || gives("labeled-fraction", o.LabeledFraction > 0))
}

// requestByLabels makes the request of a run whose method the known labels choose: that of a method
// under which the documents can be read, with the candidates that take the run's other options.
func requestByLabels(opt Options, command string) (*request, error) {
	list, refused := make([]entrant, len(candidates)), map[string]error{}
	for i, c := range candidates {
		list[i].candidate = c
		var err error
		if list[i].request, err = c.request(opt, command); err != nil {
			list[i].request, list[i].out, refused[c.method] = nil, plainNames(strings.TrimSuffix(err.Error(), ".")), err
		}
	}
	r := requestOf(list, DefaultMethodLabels) // reads whatever any of them reads
	for i := 0; r == nil && i < len(list); i++ {
		if list[i].learns() {
			r = list[i].request
		}
	}
	if r == nil {
		return nil, refused[DefaultMethodLabels]
	}
	own := *r
	own.entrants, own.byDefault = list, noMethod
	return &own, nil
}

// requestOf is the request of a method with its defaults; nil if it does not take the run's
// options.
func requestOf(list []entrant, name string) *request {
	i := slices.IndexFunc(list, func(e entrant) bool { return e.method == name && e.set == nil })
	return list[i].request
}

// request is the run's request with the candidate as its method. One that does not look at labels
// gets none.
func (c candidate) request(opt Options, command string) (*request, error) {
	opt.Method, opt.set = c.method, slices.Clone(opt.set)
	for _, s := range c.set {
		if slices.ContainsFunc(opt.set, func(given setting) bool { return given.name == s.name }) {
			return nil, invalid.Errorf("%s was given", words.Option(s.name))
		}
		opt.set = append(opt.set, s)
	}
	if !c.learns() {
		opt.Labels, opt.LabeledFraction, opt.Known = "", 0, nil
		opt.set = slices.DeleteFunc(opt.set, func(s setting) bool { return s.name == "labels" || s.name == "labeled-fraction" })
	}
	return newRequest(opt, command)
}

// become makes the run one of another method, and leaves what was settled about the documents.
func (r *request) become(of *request) {
	r.Method, r.spec, r.given, r.KMeans = of.Method, of.spec, of.given, of.KMeans
	r.config, r.entrants = cloned(of.config), nil
}
