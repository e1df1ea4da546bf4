package shares

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/svm"
	"gonum.org/v1/gonum/stat/distuv"
)

// Rule says which shares of the documents without a label the classes have: one of the constants,
// or a list such as "sport=0.9,politics=0.1" with a share of every class, which are scaled to sum
// 1.
type Rule string

const (
	// Auto takes the shares of the labels, corrected if the documents contradict them
	// ([Estimate.Corrected]). Dense documents are not asked where most labels are of classes with
	// fewer than five: their scores are seldom normal, and means of three or four are farther from
	// the means of the class than the errors say. The default.
	Auto      Rule = "auto"
	Labels    Rule = "labels"    // the classes' shares of the known labels
	Estimated Rule = "estimated" // the shares that [Of] finds among the documents
)

// AsLabels is what [Rule.Of] says of shares that it took from the known labels.
const AsLabels = "as among the known labels"

// Validate refuses a rule that is neither a word nor a list of shares.
func (r Rule) Validate() error {
	switch r {
	case "", Auto, Labels, Estimated:
		return nil
	}
	_, _, err := r.list()
	return err
}

// list are the names and shares of a list.
func (r Rule) list() (names []string, list []float64, err error) {
	for part := range strings.SplitSeq(string(r), ",") {
		at := strings.LastIndex(part, "=")
		share, bad := strconv.ParseFloat(strings.TrimSpace(part[at+1:]), 64)
		if at < 1 || bad != nil || !(share > 0) || math.IsInf(share, 0) {
			return nil, nil, invalid.Errorf("‹class-shares› %q is none of auto, labels and estimated, and %q in it is no class and its share: give a list such as sport=0.9,politics=0.1", r, part)
		}
		name := strings.TrimSpace(part[:at])
		if slices.Contains(names, name) {
			return nil, nil, invalid.Errorf("‹class-shares› has two shares of the class %q: give one", name)
		}
		names, list = append(names, name), append(list, share)
	}
	return names, list, nil
}

// Of returns the shares of the classes given, of sum 1, for the documents of the input, and how
// they were found, in words. Documents of ranks and a graph without documents cannot be asked:
// there the labels' shares are taken for [Auto], and [Estimated] is refused.
func (r Rule) Of(ctx context.Context, in *method.Input) (list []float64, how string, err error) {
	return r.find(ctx, in, chance)
}

// OfPlain is Of for a method that finds by itself how large classes are: [Auto] corrects shares
// only if the documents contradict the labels at the level of 1 in 10,000.
func (r Rule) OfPlain(ctx context.Context, in *method.Input) (list []float64, how string, err error) {
	return r.find(ctx, in, plain)
}

// find is Of at a level of the test of all classes.
func (r Rule) find(ctx context.Context, in *method.Input, level float64) (list []float64, how string, err error) {
	names := in.Given.Names
	known := make([]int, len(in.Given.Labels))
	for i, k := range in.Given.Labels {
		known[i] = max(k, -1)
	}
	if in.Share.Divided() || in.X == nil {
		if r == Estimated {
			return nil, "", invalid.Errorf("‹class-shares› estimated asks the documents, and there are only parts of them or a graph here: give labels or a list of shares")
		}
		if r == Auto || r == "" {
			if r = Labels; in.Share.Divided() {
				in.Notef("‹class-shares› labels: the documents are divided among ranks, and are not asked whether the classes have other shares")
			}
		}
	}
	switch r {
	case Labels:
		counts := make([]float64, len(names))
		for k, n := range in.Given.Sizes() {
			counts[k] = float64(n)
		}
		in.Share.Sum(counts)
		return scaled(counts), AsLabels, nil
	case Auto, Estimated, "":
		return r.ask(ctx, in, known, level)
	}
	given, shares, err := r.list()
	if err != nil {
		return nil, "", err
	}
	list = make([]float64, len(names))
	for at, name := range given {
		k := slices.Index(names, name)
		if k < 0 {
			return nil, "", invalid.Errorf("‹class-shares› has a share of the class %q, and the known labels have none of it: the classes are %s", name, invalid.List(names, ", "))
		}
		list[k] = shares[at]
	}
	if k := slices.Index(list, 0); k >= 0 {
		return nil, "", invalid.Errorf("‹class-shares› has no share of the class %q: give one of every class", names[k])
	}
	return scaled(list), "as given", nil
}

// ask estimates the shares, and takes them if the rule says so or they contradict the labels.
func (r Rule) ask(ctx context.Context, in *method.Input, known []int, level float64) ([]float64, string, error) {
	classes := len(in.Given.Names)
	if r != Estimated && !in.Sparse() && crossval.Number(known, classes) < folds {
		return OfLabels(known, classes), AsLabels, nil
	}
	defer in.Stage("class shares")()
	e, err := method.Common(in, "class shares", in.X, []any{known, in.Seed}, func() (*Estimate, error) {
		return Of(ctx, in.X, known, classes, in.Seed)
	})
	var stopped *svm.NotConvergedError
	if r != Estimated && errors.As(err, &stopped) {
		in.Notef("‹class-shares› labels: the documents could not be asked for the shares of the classes, as columns of unlike units or large numbers make it hard")
		return OfLabels(known, classes), AsLabels, nil
	}
	if err != nil {
		return nil, "", err
	}
	if r == Estimated {
		if !slices.Contains(e.Asked, true) {
			in.Notef("‹class-shares› labels: fewer than two classes have the %d labels that it takes to estimate a share", leastKnown)
			return slices.Clone(e.Shares), AsLabels, nil
		}
		return slices.Clone(e.Shares), "estimated from the documents", nil
	}
	list, contradicts := e.corrected(known, level)
	if !contradicts {
		return list, AsLabels, nil
	}
	k := farthest(known, list)
	in.Notef("‹class-shares›: the classes do not have the shares of their labels; %s has %s of the labels, and about %.2g %% of the other documents by what they contain", words.Clip(in.Given.Names[k], 24), words.Percent(in.Given.Sizes()[k], in.Given.Count()), 100*list[k])
	return list, "corrected by the documents", nil
}

// farthest is the class whose share differs most from the share of its labels, as a factor.
func farthest(known []int, list []float64) (class int) {
	most := -1.0
	for k, v := range OfLabels(known, len(list)) {
		if far := math.Abs(math.Log(max(list[k], 1e-6) / v)); far > most {
			class, most = k, far
		}
	}
	return class
}

const (
	// inaccurate is a further standard error of a share, as a part of it: scores are not quite
	// normal.
	inaccurate = 0.2
	// chance is the level of the test of all classes, and away the χ² of a single class from which
	// it takes part in the contradiction, at the level of 10 %.
	chance, away = 0.1, 2.71
	// plain is the level for methods that find shares by themselves.
	plain = 1e-4
)

// Corrected returns the shares of the labels, corrected where the documents contradict them, and
// whether they do: whether labels drawn at random among all documents would hardly ever have the
// shares that these have, if the classes have the estimated shares. That is χ² over the classes for
// which the documents were asked, at the level of 10 %, with the errors of the estimates in the
// variances. Classes that contradict by themselves take their estimates, one standard error nearer
// to the labels, and the others share the rest as their labels do.
func (e *Estimate) Corrected(known []int) (list []float64, contradicts bool) {
	return e.corrected(known, chance)
}

// corrected is Corrected at a level of the test.
func (e *Estimate) corrected(known []int, level float64) (list []float64, contradicts bool) {
	m, statistic, terms, left, rest := 0.0, 0.0, 0, 1.0, 0.0
	for _, k := range known {
		if k >= 0 {
			m++
		}
	}
	given := OfLabels(known, len(e.Shares))
	list = slices.Clone(given)
	for k, share := range given {
		term := 0.0
		if e.Asked[k] {
			expected := max(m*e.Shares[k], 0.1)
			far, wrong := m*share-expected, m*e.Errors[k]
			term = far * far / (expected + wrong*wrong + inaccurate*inaccurate*expected*expected)
			statistic += term
			terms++
		}
		if list[k] = -1; term > away { // -1: as the labels
			list[k] = toward(share, e.Shares[k], e.Errors[k])
			left -= list[k]
		} else {
			rest += share
		}
	}
	if terms < 2 || (distuv.ChiSquared{K: float64(terms - 1)}).Survival(statistic) >= level {
		return given, false
	}
	if rest == 0 {
		return scaled(list), true
	}
	for k, share := range list {
		if share < 0 {
			list[k] = max(0, left) * given[k] / rest
		}
	}
	return scaled(list), true
}

// toward is an estimate moved by its error to the share of the labels, at most up to that.
func toward(given, estimate, err float64) float64 {
	if given > estimate {
		return min(given, estimate+err)
	}
	return max(given, estimate-err)
}

// scaled divides by the sum.
func scaled(list []float64) []float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	for k := range list {
		list[k] /= sum
	}
	return list
}

// Text lists shares with the names of their classes: "sport 90 %, politics 10 %".
func Text(names []string, list []float64) string {
	const shown = 8
	parts := make([]string, 0, shown+1)
	for k, v := range list[:min(shown, len(list))] {
		parts = append(parts, fmt.Sprintf("%s %.3g %%", words.Clip(names[k], 24), 100*v))
	}
	if len(list) > shown {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}
