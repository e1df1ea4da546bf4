package papers

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
)

const (
	byLabelsPaper    = "Known labels of a part of the documents: the method that they choose beside each single one (no paper)"
	byLabelsProtocol = "Each test draws the labels of a share of each class, one document of a class at least, and is a run of all documents with its seed, as `eigenmap cluster --labeled-fraction` makes it. " +
		"The figures are of the documents whose labels were not given. chosen: no method is named. Clusters without names, of semi-LE and of the run without labels, are matched with the classes one to one, which flatters them. " +
		"Raw texts without English stop words, Snowball stems, terms of two documents at least; counts of terms are weighed by each method's default, pixels are taken as they are, letters of DNA as four columns of 0 and 1 each."
	// byLabelsDocuments is how many film reviews are drawn.
	byLabelsDocuments = 5000
)

// byLabelsMetrics are shares of the documents whose labels were not given.
var byLabelsMetrics = []Metric{{Key: "accuracy", Name: "Accuracy"}, {Key: "macro_f1", Name: "Macro-F1"}}

// byLabelsViews are the choice of a method by known labels, on the corpora of the studies and on
// two that were held back from its rules.
func byLabelsViews() []*View {
	texts := &newSemildcStore().texts
	study := byLabelsExperiment("by-labels", []Dataset{debian, texts.newsgroups("20 Newsgroups"), TDT2, {Name: "Reuters, 30", File: Reuters.File, Classes: Reuters.Classes},
		texts.sixGroups(), {Name: "CNAE-9", File: "CNAE-9.csv"}, USPS, COIL20})
	held := byLabelsExperiment("by-labels-held-back", []Dataset{reviews, {Name: "Msplice", File: "Msplice.mat", read: readLetters}, {Name: "MNIST, test", File: "mnist-t10k-images-idx3-ubyte.gz"}})
	view := func(e *Experiment, name, of string) *View {
		return &View{Name: name, Title: "methods with known labels on " + of, Shows: "accuracy and macro-F1 of the method that known labels choose, and of each single method, on " + of,
			Paper: byLabelsPaper, Kind: KindCurves, Experiment: e, Source: "there is none", Digits: 1}
	}
	return []*View{view(study, "by-labels/study", "eight corpora"), view(held, "by-labels/held-back", "three corpora held back from the rules of the choice")}
}

// reviews are film reviews, for and against.
var reviews = Dataset{Name: "Film reviews", File: "aclImdb.tar.xz", read: func(ctx context.Context, path string) (*corpus.Corpus, error) {
	all, err := readTexts(ctx, path)
	if err != nil {
		return nil, err
	}
	if all, err = all.Select([]string{"neg", "pos"}); err != nil {
		return nil, err
	}
	rows := rand.New(rand.NewPCG(0, uint64(byLabelsDocuments))).Perm(all.Len())[:min(all.Len(), byLabelsDocuments)]
	slices.Sort(rows)
	return all.SelectRows(rows), nil
}}

// byLabelsColumns are the choice, each method that competes, and the answer without labels.
func byLabelsColumns() []Column {
	named := func(key, name, method string, set ...string) Column {
		return Column{Method: key, Name: name, Spec: cmp.Or(method, eigenmap.DefaultMethod), score: func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
			opt := eigenmap.Options{Method: method}
			for _, option := range set {
				if err := opt.Set(option, "true"); err != nil {
					return nil, err
				}
			}
			return withLabels(ctx, u, opt)
		}}
	}
	return []Column{
		named("by-labels", "chosen", ""),
		named("semi-ldc", "Semi-LDC", "semi-ldc"),
		named("tsvm", "TSVM", "tsvm"),
		named("label-propagation-mass", "label propagation, class mass", "label-propagation", "class-mass"),
		named("label-propagation", "label propagation", "label-propagation"),
		named("logistic", "logistic regression", "logistic"),
		named("lda", "LDA", "lda"),
		named("semi-le", "semi-LE", "semi-le"),
		named("cle", "CLE", "cle"),
		{Method: "diffusion", Name: "without labels", score: withoutLabels},
		{Method: "diffusion-named", Name: "without labels, named", Spec: eigenmap.DefaultMethod, score: namedByLabels},
	}
}

// byLabelsExperiment has one row per corpus and share of labels; a test is a draw of labels.
func byLabelsExperiment(name string, parts []Dataset) *Experiment {
	e := &Experiment{Name: name, Version: 3, Protocol: byLabelsProtocol, Corpus: severalCorpora(parts), Param: "labels", Tests: 3, Cases: 1, Curve: true, Draws: "labels",
		Metrics: byLabelsMetrics, Columns: byLabelsColumns()}
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		for _, share := range []float64{0.01, 0.02, 0.05, 0.1} {
			e.Rows = append(e.Rows, shareOf(part, share))
		}
	}
	e.prepare = func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		u := &Unit{X: all.X, Truth: all.Labels, K: len(all.ClassNames), Seed: seed + uint64(test), settings: settingsOf(row.Settings)}
		if counts, ok := all.X.(*sparse.CSR); ok {
			u.X = withTermsOf(counts, 1)
		}
		var err error
		u.known, err = labels.Draw(u.Truth, row.Value/100, u.Seed)
		return u, err
	}
	return e
}

// shareOf is the row of a corpus with a share of its labels known.
func shareOf(part *Dataset, share float64) Row {
	return Row{Key: shareText(share) + " of " + strings.ReplaceAll(part.Name, ",", ""), Value: 100 * share, Label: shareText(share), Settings: "share=" + shortest(share), Corpus: part}
}

// classNames are names of classes by their numbers.
func classNames(count int) []string {
	list := make([]string, count)
	for k := range list {
		list[k] = fmt.Sprintf("%03d", k)
	}
	return list
}

// Known are the labels that the methods of the unit learn from, the class of each document or -1;
// nil if there are none.
func (u *Unit) Known() []int { return u.known }

// withLabels are the figures of a run that is given the known labels of a unit.
func withLabels(ctx context.Context, u *Unit, opt eigenmap.Options) ([]float64, error) {
	all := &corpus.Corpus{Name: "all", X: u.X, Labels: u.Truth, ClassNames: classNames(u.K)}
	opt.Seed = u.Seed
	if err := opt.Set("labeled-fraction", u.settings["share"]); err != nil {
		return nil, err
	}
	r, err := eigenmap.ClusterCorpus(ctx, all, opt)
	if err != nil {
		return nil, err
	}
	if r.Unlabeled == nil {
		return nil, invalid.Errorf("no document has a label that was not given")
	}
	return []float64{r.Unlabeled.Accuracy, r.Unlabeled.MacroF1}, nil
}

// withoutLabels are the figures of the unsupervised default on the same documents, its clusters
// matched with the classes one to one.
func withoutLabels(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	found, truth, err := u.blind(ctx)
	if err != nil {
		return nil, err
	}
	s, err := metrics.Score(truth, found)
	return []float64{s.Accuracy, s.MacroF1}, err
}

// namedByLabels are the figures of the same clusters, each with the class of most of its known
// labels; documents of a cluster without one are wrong.
func namedByLabels(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	found, truth, err := u.blind(ctx)
	if err != nil {
		return nil, err
	}
	names := crossval.Majority(found, u.known, 1+slices.Max(found), u.K)
	var hidden, classes []int
	for i, k := range truth {
		if k >= 0 {
			class := -1
			if found[i] >= 0 {
				class = names[found[i]]
			}
			hidden, classes = append(hidden, k), append(classes, class)
		}
	}
	race := crossval.NewRace(1, u.K)
	race.Hold(hidden)
	race.Say(0, classes)
	s := race.Score(0)
	return []float64{s.Accuracy, s.MacroF1}, nil
}

// blind returns the clusters of the unsupervised default, and the classes of the documents whose
// labels were not given, -1 for the others.
func (u *Unit) blind(ctx context.Context) (found, truth []int, err error) {
	r, err := eigenmap.ClusterMatrix(ctx, u.X, eigenmap.Options{Method: eigenmap.DefaultMethod, Clusters: u.K, Seed: u.Seed})
	if err != nil {
		return nil, nil, err
	}
	truth = slices.Clone(u.Truth)
	for i, k := range u.known {
		if k != labels.Unknown {
			truth[i] = -1
		}
	}
	return r.Labels, truth, nil
}
