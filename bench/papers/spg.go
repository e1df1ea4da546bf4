package papers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/spca"
	"github.com/eigenmap/eigenmap/methods/spg"
)

const (
	spgPaper = "Cai, He and Han, Sparse Projections over Graph, 23rd AAAI Conference on Artificial Intelligence (2008)"
	// spgSparse is the part of the protocol about the sparse methods.
	spgSparse = "SPCA (elastic nets of the principal components by turns, ridge 1e-6 of the variance): c components; SPG: graph of 7 neighbours (either way) with dot-product weights, which the paper " +
		"does not name, and c - 1 lasso directions, each scaled to the spread of its eigenvector: the paper's c dimensions with the constant eigenvector counted, which needs no direction. "
	spgProtocol = "For each c, classes are drawn at random, the 30 once; their documents are unit rows of term frequencies. Baseline: k-means on these rows; LSI: c dimensions (projections, not centred); " +
		spgSparse + "SPCA and SPG have 75 terms a direction in every row: the paper does not tell its numbers, its sparsities come to some 25 to 125. " +
		"k-means (k-means++ starts) and NMF (NCW weights, by HALS, the largest coefficient tells the cluster) from 10 starts, best objective. " +
		"Sparsity: the share of zeros among the coefficients of the terms that occur in the draw. The average is over c = 2 to 10."
)

// spgFigureClasses is the c of figure 1, which the paper does not name.
const spgFigureClasses = 5

// spgCardinalities are the places on the axis of figure 1.
var spgCardinalities = []int{5, 10, 25, 50, 75, 150, 300}

// spgMetrics are agreement and the share of zeros, which sparse methods have.
var spgMetrics = append(slices.Clone(agreementMetrics), Metric{Key: "sparsity", Name: "Sparsity", Of: []string{"spca", "spg"}})

// spgViews are table 3, the same for the paper's other corpus, and figure 1.
func spgViews() []*View {
	tdt2, reuters, figure := spgExperiment("spg-tdt2", TDT2), spgExperiment("spg-reuters", Reuters), spgCurve()
	const shows = "accuracy, NMI and sparsity of five methods by number of classes"
	return []*View{
		{Name: "spg/table3", Title: "table 3: five methods on TDT2", Shows: shows, Paper: spgPaper, Source: "table 3", Digits: 1, Kind: KindTable,
			Experiment: tdt2, Printed: spgPrinted(tdt2, spgTable3)},
		{Name: "spg/table3-reuters", Title: "table 3 for Reuters-21578: five methods", Shows: shows, Paper: spgPaper,
			Source: "our copy of the paper has none for this corpus", Kind: KindTable, Experiment: reuters},
		{Name: "spg/figure1", Title: "figure 1: accuracy and NMI by cardinality on TDT2", Shows: "accuracy and NMI of SPCA and SPG by terms a direction", Paper: spgPaper,
			Source: "figure 1, which has no numbers", Kind: KindTable, Experiment: figure},
	}
}

// spgTerms is the setting of the tables: 75 terms per direction.
const spgTerms = "cardinality=75"

// spgOptions are the options of SPG: the paper's graph.
const spgOptions = "neighbors=7 edge-weight=dot "

// nmfByHALS are options of NMF. HALS is faster at the same objective if there are many classes.
const nmfByHALS = "nmf-weighting=ncw nmf-solver=hals nmf-tol=0.0001 restarts=10"

// spgColumns are the paper's methods, in its order.
func spgColumns() []Column {
	return []Column{
		{Method: "kmeans", Name: "Baseline", Options: "restarts=10"},
		{Method: "lsi", Name: "LSI"},
		{Method: "spca", Name: "SPCA", Options: "cardinality=$cardinality", more: zeros},
		{Method: "spg", Name: "SPG", Options: spgOptions + "cardinality=$cardinality", more: zeros},
		{Method: "nmf", Name: "NMF", Options: nmfByHALS},
	}
}

// zeros is the share of zeros among the coefficients of sparse directions.
func zeros(u *Unit, f *method.Fitted) float64 {
	switch m := f.Model.(type) {
	case *spg.Model:
		return m.Sparsity()
	case *spca.Model:
		_, terms := u.X.Dims()
		return 1 - float64(m.Loadings.NNZ())/float64(terms*u.K)
	}
	return math.NaN()
}

func spgExperiment(name string, d Dataset) *Experiment {
	e := &Experiment{
		Name: name, Version: 1, Protocol: spgProtocol, Corpus: d, Param: "c", Tests: 50, Cases: 1, Metrics: spgMetrics, Columns: spgColumns(),
		prepare: func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
			u, _, err := drawRows(all, row, test, seed)
			return u, err
		},
	}
	for c := 2; c <= 10; c++ {
		e.Rows = append(e.Rows, Row{Key: strconv.Itoa(c), Value: float64(c), Settings: spgTerms})
	}
	e.Rows = append(e.Rows, Row{Key: "30", Value: 30, Tests: 1, Apart: true, Whole: true, Settings: spgTerms})
	return e
}

// spgFitsKept is the most draws that are computed at the same time before fits are made twice.
const spgFitsKept = 8

// spgDraw is a draw of classes of a corpus, which its seed names.
type spgDraw struct {
	all  *corpus.Corpus
	seed uint64
}

// spgCurve is figure 1. The rows of a draw share its graph, eigenvectors and lasso paths: they are
// computed for the row with the most terms, and cut for the others.
func spgCurve() *Experiment {
	e := &Experiment{
		Name: "spg-tdt2-terms", Version: 1, Corpus: TDT2, Param: "terms", Tests: 50, Cases: 1, Metrics: spgMetrics, Curve: true, Columns: spgColumns()[2:4],
		Protocol: fmt.Sprintf("c = %d classes are drawn at random; our copy of the paper does not say of how many its figure is. Their documents are unit rows of term frequencies. ", spgFigureClasses) +
			spgSparse + "Terms a direction are the row's. k-means from 10 k-means++ starts, best objective.",
	}
	for _, k := range spgCardinalities {
		e.Rows = append(e.Rows, Row{Key: strconv.Itoa(k), Value: math.Log2(float64(k)), Settings: "cardinality=" + strconv.Itoa(k)})
	}
	sparse := &e.Columns[1]
	sparse.Options, sparse.Shared, sparse.cut = spgOptions+"cardinality="+strconv.Itoa(slices.Max(spgCardinalities)), true, cutPaths
	fits := &memo[fitKey, *method.Fitted]{most: spgFitsKept}
	e.prepare = func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		row.Value = spgFigureClasses
		u, _, err := drawRows(all, row, test, seed)
		if err != nil {
			return nil, err
		}
		u.fits, u.of = fits, spgDraw{all, u.Seed}
		return u, nil
	}
	return e
}

// cutPaths cuts lasso paths at the number of terms of the unit.
func cutPaths(ctx context.Context, u *Unit, f *method.Fitted) (*method.Fitted, error) {
	terms, err := strconv.Atoi(u.settings["cardinality"])
	if err != nil {
		return nil, err
	}
	m := f.Model.(*spg.Model)
	if m.Asked == terms {
		return f, nil
	}
	if m, err = m.WithTerms(ctx, terms); err != nil {
		return nil, err
	}
	return &method.Fitted{Embedding: m.Embedding, Model: m}, nil
}

// spgPrinted reads the table as the paper prints it, in percent: one line per row with accuracy and
// NMI of Baseline, LSI, SPCA, SPG and NMF, then sparsity of SPCA and SPG.
func spgPrinted(e *Experiment, table string) Printed {
	p := Printed{}
	for text := range strings.Lines(strings.TrimSpace(table)) {
		fields := strings.Fields(text)
		at := 1
		for _, m := range e.Metrics {
			for _, c := range e.Columns {
				if m.Aside || !m.of(c.Key()) {
					continue
				}
				p.set(m.Key, fields[0], c.Key(), fields[at], 100)
				at++
			}
		}
		if at != len(fields) {
			panic(fmt.Sprintf("%s: %d figures in the line %q", e.Name, len(fields)-1, text))
		}
	}
	return p
}

// The paper's figures for all 30 classes are not in our copy of it.
const spgTable3 = `
2 97.7 98.7 99.2 99.9 99.2 91.3 94.7 96.6 98.4 96.6 98.3 98.5
3 88.4 91.0 94.3 99.7 95.7 81.5 84.3 88.1 97.4 90.7 99.4 99.3
4 85.7 87.4 90.8 99.5 92.4 82.0 82.3 85.2 96.9 87.7 99.5 99.3
5 82.4 81.7 85.1 98.8 92.2 79.0 77.7 79.9 95.1 86.6 99.8 99.5
6 79.0 79.0 83.3 98.5 88.0 78.1 78.0 80.4 95.5 84.2 99.3 99.3
7 74.5 72.4 76.7 98.1 83.1 74.5 73.2 75.0 94.1 79.9 99.3 99.2
8 70.1 68.1 71.8 97.1 79.7 71.5 69.4 71.2 93.3 76.2 99.4 99.3
9 72.3 70.6 73.6 96.5 84.8 75.1 73.9 74.6 92.4 81.8 99.6 99.7
10 69.2 66.7 71.0 95.0 81.5 73.1 71.3 72.6 90.8 78.3 99.8 99.6
average 79.9 79.5 82.9 98.1 88.5 78.5 78.3 80.4 94.9 84.7 99.4 99.3`
