package papers

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/scple"
	"gonum.org/v1/gonum/mat"
)

const (
	lecasPaper = "Zhou and Wang, Laplacian Eigenmaps Dimensionality Reduction Based on Clustering-Adjusted Similarity, Algorithms (2019)"
	// lecasProtocol is the part of the protocol that all experiments share.
	lecasProtocol = "Data are as they are in the files (no scaling; Msplice as 60 × 4 indicators; CNAE-9's 856 counts, where the paper's 857 columns count the class), empty rows included. " +
		"All methods: 10 neighbours (either way) in Euclidean distance, heat kernel exp(-d²/σ) with σ the mean squared distance of two points, eigenvectors of the smallest eigenvalues that are not zero; " +
		"then k-means into as many clusters as there are classes (10 k-means++ starts, best objective). " +
		"LE-CAS: kernel k-means (Gaussian, width the mean squared distance) into the k1 of 2 to 10 with the best silhouette of 5 starts; weights between its clusters times the heat kernel of their means. " +
		"The rivals' papers were not at hand and are read from this paper's sentences: GGLE joins each point to the 30 nearest along the graph, exp(-d²/σ) of that distance; S-LE keeps the 5 to 15 neighbours whose path is " +
		"not much longer than the straight line; SCPLE is given all labels, those that it is scored with, and so is no rival of the others (γ = 0.01, chosen on labelled sets, its own width, the constant left out). " +
		"A run draws the starts of LE-CAS's first clustering and of k-means; graphs and the other embeddings are the same in all runs. " +
		"F-measure is 2PR/(P + R) of pairs, where the paper prints a product below. The paper's sets SECOM, Soccer-sub1, DrivFace and ORL are not at hand; USPS and COIL20 are not in the paper. "
	lecasDims     = 10
	lecasRestarts = 40
)

// lecasCorpora are the corpora of the paper that we have, in its order, and two more.
var lecasCorpora = []Dataset{
	{Name: "Msplice", File: "Msplice.mat", read: readLetters},
	{Name: "w1a", File: "w1a.svm"},
	{Name: "Madelon", File: "Madelon.mat"},
	{Name: "FG-NET", File: "FG-NET.mat"},
	{Name: "Musk2", File: "Musk2.mat"},
	{Name: "CNAE-9", File: "CNAE-9.csv"},
	USPS,
	COIL20,
}

// lecasMetrics are the paper's.
var lecasMetrics = []Metric{{Key: "fmi", Name: "FMI"}, {Key: "f_measure", Name: "F-measure"}, {Key: "purity", Name: "Purity"}}

// between is the share of edges that the adjustment can change.
var between = Metric{Key: "between", Name: "Share of edges between first clusters", Of: []string{"le-cas"}}

// severalCorpora is the Dataset of an experiment that has these parts, without classes left out,
// weighted or scaled.
func severalCorpora(parts []Dataset) Dataset {
	var names, files []string
	out := Dataset{}
	for _, p := range parts {
		p.Weighting, p.Normalize = corpus.WeightTF, corpus.NormNone
		names, files = append(names, p.Name), append(files, p.File)
		out.Parts = append(out.Parts, p)
	}
	out.Name, out.File = strings.Join(names, ", "), strings.Join(files, ", ")
	return out
}

// readLetters reads whole numbers 1..m as m indicator columns each, m the largest of all.
func readLetters(ctx context.Context, path string) (*corpus.Corpus, error) {
	c, err := readFile(ctx, path)
	if err != nil {
		return nil, err
	}
	n, d := c.X.Dims()
	most := 0.0
	for i := range n {
		for j := range d {
			v := c.X.At(i, j)
			if v < 1 || v != math.Trunc(v) || v > 64 {
				return nil, &corpus.FormatError{File: filepath.Base(path), Place: fmt.Sprintf("row %d, column %d", i+1, j+1),
					Why: fmt.Sprintf("the letters are numbered from 1, but here is %v: put the original file there", v)}
			}
			most = max(most, v)
		}
	}
	x := mat.NewDense(n, d*int(most), nil)
	for i := range n {
		for j := range d {
			x.Set(i, j*int(most)+int(c.X.At(i, j))-1, 1)
		}
	}
	out := *c
	out.X, out.Terms = x, nil
	return &out, nil
}

// lecasSetting is a row's value of a parameter.
type lecasSetting struct {
	label string
	at    float64 // on the axis
	set   string  // of the row: Row.Settings
}

// lecasViews are table 2 and figures 2 to 7 of the paper.
func lecasViews() []*View {
	store := newLECASStore()
	table := lecasExperiment(store, "lecas", lecasCorpora, "set", nil)
	table.Metrics = append(slices.Clone(lecasMetrics), between)
	table.Protocol += fmt.Sprintf("Here c = %d dimensions. ± is our standard error over the runs; the paper's ± is a deviation of single runs and is not shown.", lecasDims)
	table.Columns = lecasColumns(true)[:5]

	dims := lecasExperiment(store, "lecas-dims", lecasCorpora, "c", lecasByDims([]int{2, 5, 10, 15, 20, 30, 50}))
	dims.Protocol += "c is the row's; the first c of 50 eigenvectors. The values of c in the paper's figures are not in our copy of it."
	neighbours := lecasExperiment(store, "lecas-neighbours", lecasCorpora, "k2", lecasByNeighbours(5, 12))
	neighbours.Protocol += fmt.Sprintf("c = %d; the neighbours k2 are the row's (GGLE: 3·k2 along the graph).", lecasDims)
	sigmas := lecasExperiment(store, "lecas-sigma", lecasCorpora, "σ", lecasBySigma(-2, 5))
	sigmas.Protocol += fmt.Sprintf("c = %d; σ is the row's in all heat kernels of LE, GGLE and LE-CAS, the first clustering stays. LE is not in the paper's figure. "+
		"Edges whose weight is 0 in double precision are gone; where less than c eigenvalues are left that are not zero, the dimensions are as many, and without any all points are one cluster. Where weights differ by hundreds of orders, the eigensolver may not be sure "+
		"of its pairs after %d restarts: those it has are taken.", lecasDims, lecasRestarts)
	only := func(e *Experiment, methods ...string) {
		e.Columns = slices.DeleteFunc(e.Columns, func(c Column) bool { return !slices.Contains(methods, c.Method) })
	}
	only(neighbours, "le", "ggle", "le-cas")
	only(sigmas, "le", "ggle", "le-cas")

	five := []string{"le", "s-le", "ggle", "scple", "le-cas"}
	curve := func(number string, e *Experiment, title, metric string, methods []string) *View {
		return &View{Name: "lecas/figure" + number, Title: "figure " + number + ": " + title, Shows: title, Paper: lecasPaper, Source: "figure " + number + ", which has no numbers",
			Kind: KindCurves, Experiment: e, Metrics: []string{metric}, Methods: methods}
	}
	return []*View{
		{Name: "lecas/table2", Title: "table 2: five methods on eight sets", Shows: "FMI, F-measure and purity of five methods on eight sets", Paper: lecasPaper, Source: "table 2", Digits: 2,
			Spread: "its own ± is a deviation of single runs; counted is the error of as many runs with our spread", Kind: KindTable, Experiment: table, Printed: lecasPrinted(table, lecasTable2)},
		curve("2", dims, "FMI of five methods by dimensions", "fmi", five),
		curve("3", dims, "F-measure of five methods by dimensions", "f_measure", five),
		curve("4", dims, "purity of five methods by dimensions", "purity", five),
		curve("5", neighbours, "FMI of three methods by neighbours", "fmi", nil),
		curve("6", sigmas, "FMI of three methods by σ", "fmi", nil),
		curve("7", dims, "FMI of LE-CAS with two first clusterings by dimensions", "fmi", []string{"le", "le-cas", "le-cas-kmeans"}),
	}
}

// lecasExperiment has a row for every setting of every corpus, or one per corpus if there are no
// settings.
func lecasExperiment(store *lecasStore, name string, parts []Dataset, param string, settings []lecasSetting) *Experiment {
	e := &Experiment{Name: name, Version: 1, Protocol: lecasProtocol, Corpus: severalCorpora(parts), Param: param, Tests: 30, Cases: 1, Curve: true, Runs: "the starts",
		Metrics: lecasMetrics, Columns: lecasColumns(false)}
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		if settings == nil {
			e.Rows = append(e.Rows, Row{Key: part.Name, Value: float64(n), Corpus: part})
		}
		for _, s := range settings {
			e.Rows = append(e.Rows, Row{Key: part.Name + "/" + s.label, Value: s.at, Corpus: part, Label: s.label, Settings: s.set})
		}
	}
	e.prepare = func(ctx context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		return store.unit(ctx, all, row, seed+uint64(test))
	}
	return e
}

func lecasByDims(dims []int) []lecasSetting {
	var out []lecasSetting
	for _, c := range dims {
		out = append(out, lecasSetting{strconv.Itoa(c), float64(c), fmt.Sprintf("used=%d dims=%d", c, slices.Max(dims))})
	}
	return out
}

func lecasByNeighbours(from, to int) []lecasSetting {
	var out []lecasSetting
	for k := from; k <= to; k++ {
		out = append(out, lecasSetting{strconv.Itoa(k), float64(k), fmt.Sprintf("neighbors=%d", k)})
	}
	return out
}

// lecasBySigma has the powers of ten.
func lecasBySigma(from, to int) []lecasSetting {
	var out []lecasSetting
	for p := from; p <= to; p++ {
		out = append(out, lecasSetting{"1e" + strconv.Itoa(p), float64(p), fmt.Sprintf("sigma=1e%d max-iter=%d", p, lecasRestarts)})
	}
	return out
}

// wideSCPLE gives SCPLE a basis of 200 vectors. Its eigenvalues are multiple on COIL20, so that
// there the coordinates depend on the solver's settings: the tables keep one.
func wideSCPLE() method.Options {
	o := new(scple.Options)
	o.LE.Eigen.Subspace = 200
	return o
}

// lecasColumns are the paper's methods and LE-CAS with k-means first. If share is set, LE-CAS has
// the share of edges between first clusters too.
func lecasColumns(share bool) []Column {
	const own = "dims=$dims max-iter=$max-iter "
	columns := []Column{
		{Method: "le", Name: "LE", Options: own + "drop-zeros=true"},
		{Method: "s-le", Name: "S-LE", Options: own + "drop-zeros=true neighbors=$candidates heat-width=$sigma"},
		{Method: "ggle", Name: "GGLE", Options: own + "drop-zeros=true neighbors=$neighbors heat-width=$sigma"},
		{Method: "scple", Name: "SCPLE", Options: own + "neighbors=$neighbors", Config: wideSCPLE(), given: allClasses},
		{Method: "le-cas", Name: "LE-CAS", Options: own + "drop-zeros=true neighbors=$neighbors sigma=$sigma", given: firstClusters(lecas.KernelKMeans)},
		{Method: "le-cas-kmeans", Name: "LE-CAS, k-means", Spec: "le-cas", Options: own + "drop-zeros=true neighbors=$neighbors sigma=$sigma", given: firstClusters(lecas.KMeans)},
	}
	for i := range columns {
		columns[i].Shared = true
	}
	if share {
		columns[4].more = adjustedShare
	}
	return columns
}

// lecasPrinted reads the table as the paper prints it: one line per set and method with FMI,
// F-measure and purity.
func lecasPrinted(e *Experiment, table string) Printed {
	p := Printed{}
	for text := range strings.Lines(strings.TrimSpace(table)) {
		fields := strings.Fields(text)
		if len(fields) != 2+len(lecasMetrics) {
			panic(fmt.Sprintf("%s: %d figures in the line %q", e.Name, len(fields)-2, text))
		}
		for i, m := range lecasMetrics {
			p.set(m.Key, fields[0], fields[1], fields[2+i], 1)
		}
	}
	return p
}

const lecasTable2 = `
Msplice le-cas 0.6133 0.5425 0.7284
Msplice le 0.3247 0.1871 0.4914
Msplice s-le 0.5552 0.2956 0.5324
Msplice ggle 0.4925 0.4025 0.6354
Msplice scple 0.5852 0.3928 0.6203
w1a le-cas 0.9285 0.4691 0.9608
w1a le 0.6429 0.2488 0.6541
w1a s-le 0.7042 0.3158 0.7028
w1a ggle 0.8731 0.4021 0.7936
w1a scple 0.8392 0.4210 0.8333
Madelon le-cas 0.6967 0.3024 0.7804
Madelon le 0.5852 0.1921 0.5046
Madelon s-le 0.6082 0.2235 0.5478
Madelon ggle 0.6552 0.3023 0.6532
Madelon scple 0.6923 0.3008 0.6378
FG-NET le-cas 0.6515 0.5042 0.7520
FG-NET le 0.4952 0.3895 0.5923
FG-NET s-le 0.4652 0.4014 0.6752
FG-NET ggle 0.5558 0.4977 0.6936
FG-NET scple 0.5874 0.5044 0.7233
Musk2 le-cas 0.6832 0.4724 0.8804
Musk2 le 0.4956 0.2121 0.5376
Musk2 s-le 0.5982 0.3055 0.5895
Musk2 ggle 0.6458 0.3623 0.6989
Musk2 scple 0.6823 0.4078 0.7277
CNAE-9 le-cas 0.9285 0.7051 0.9409
CNAE-9 le 0.6541 0.4621 0.6746
CNAE-9 s-le 0.7028 0.5738 0.5478
CNAE-9 ggle 0.8731 0.7023 0.8032
CNAE-9 scple 0.8392 0.6708 0.7978`
