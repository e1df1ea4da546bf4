package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	defaultsPaper    = "Which defaults: methods and settings beside each other, on public corpora (no paper)"
	defaultsProtocol = "Each draw takes 2,000 documents at random, or all of a smaller corpus, and as many clusters as there are classes. " +
		"Methods have their defaults but where a name says otherwise; k-means of coordinates has 10 k-means++ starts. No setting was searched but the 10 in the rule of diffusion. "
	defaultsText = "Texts are unit rows of tf-idf, of term frequencies where a name says so. English stop words out of raw texts, Snowball stems, terms of two documents at least; " +
		"the other corpora are the counts of their files. " + defaultsForms + ", either way."
	defaultsDense = "Pixels and shapes of molecules (Musk2) as they are. " + defaultsForms + " of texts, 7 of other data, either way."
	defaultsForms = "NMF: 3 starts; Isomap and LLE: parts of the graph are joined or placed each by itself; spectral and diffusion: 15 neighbours"

	// defaultsDocuments is the most documents of a draw.
	defaultsDocuments = 2000
)

// defaultsViews are the methods beside each other, and the choices of a graph, of texts and of
// pixels.
func defaultsViews() []*View {
	texts := &newSemildcStore().texts
	text := defaultsExperiment("defaults-text", defaultsText, []Dataset{
		debian, texts.newsgroups("20 Newsgroups"), texts.reutersTopics(), TDT2, {Name: "Reuters, 30", File: Reuters.File, Classes: Reuters.Classes},
		{Name: "CNAE-9", File: "CNAE-9.csv"}}, slices.Concat(defaultsMethods(true), defaultsSettings(true), defaultsWeighted(corpus.WeightTF), defaultsWeighted(corpus.WeightHellinger)))
	// These were named before anything was run on them; docs/studies/default.md says for which choice
	// each was held back.
	held := defaultsExperiment("defaults-held-back", defaultsText, []Dataset{texts.computerGroups(), texts.talkGroups(), texts.scienceGroups(), texts.recreationGroups()},
		slices.Concat(defaultsMethods(true), defaultsWeighted(corpus.WeightHellinger)))
	heldDense := defaultsExperiment("defaults-held-back-dense", defaultsDense,
		[]Dataset{{Name: "Musk2", File: "Musk2.mat"}, {Name: "MNIST, training", File: "mnist-train-images-idx3-ubyte.gz"}}, withoutNegative(defaultsMethods(false)))
	dense := defaultsExperiment("defaults-dense", defaultsDense, []Dataset{USPS, COIL20, {Name: "MNIST, test", File: "mnist-t10k-images-idx3-ubyte.gz"}},
		slices.Concat(defaultsMethods(false), defaultsSettings(false)))
	view := func(e *Experiment, name, of, what string, columns []Column) *View {
		v := &View{Name: name, Title: what + " on " + of, Shows: "accuracy and NMI of " + what + " on " + of, Paper: defaultsPaper, Kind: KindTable, Experiment: e,
			Source: "there is none", Digits: 2}
		for _, c := range columns {
			v.Methods = append(v.Methods, c.Method)
		}
		return v
	}
	settings := func(text bool) []Column {
		first := slices.IndexFunc(defaultsMethods(text), func(c Column) bool { return c.Method == "le" })
		return slices.Concat(defaultsMethods(text)[first:], defaultsSettings(text))
	}
	return []*View{
		view(text, "defaults/text", "texts", "methods", defaultsMethods(true)),
		view(text, "defaults/text-graph", "texts", "settings of the graph", settings(true)),
		view(text, "defaults/text-tf", "texts", "methods on term frequencies", defaultsWeighted(corpus.WeightTF)),
		view(text, "defaults/text-hellinger", "texts", "methods on roots of tf-idf", defaultsWeighted(corpus.WeightHellinger)),
		view(held, "defaults/held-back", "texts held back from the choice", "methods", defaultsMethods(true)),
		view(held, "defaults/held-back-hellinger", "texts held back from the choice", "methods on roots of tf-idf", defaultsWeighted(corpus.WeightHellinger)),
		view(heldDense, "defaults/held-back-dense", "dense data held back from the choice", "methods", withoutNegative(defaultsMethods(false))),
		view(dense, "defaults/dense", "images", "methods", defaultsMethods(false)),
		view(dense, "defaults/dense-graph", "images", "settings of the graph", settings(false)),
	}
}

// defaultsMethods are the methods that cluster without labels. PLSA takes counts alone.
func defaultsMethods(text bool) []Column {
	columns := []Column{
		{Method: "kmeans", Name: "k-means"},
		{Method: "lsi", Name: "LSI"},
		{Method: "lsi-unit", Name: "LSI, unit rows", Spec: "lsi", Options: "normalize-rows=true"},
		{Method: "nmf", Name: "NMF", Options: "restarts=3"},
		{Method: "nmf-plain", Name: "NMF, no weights", Spec: "nmf", Options: "nmf-weighting=none restarts=3"},
		{Method: "plsa", Name: "PLSA"},
		{Method: "gmm", Name: "GMM"},
		{Method: "isomap", Name: "Isomap", Options: "parts=join"},
		{Method: "lle", Name: "LLE", Options: "parts=all"},
		{Method: "le", Name: "LE"},
		{Method: "spectral", Name: "spectral"},
		{Method: "diffusion", Name: "diffusion"},
	}
	if !text {
		columns = slices.DeleteFunc(columns, func(c Column) bool { return c.Method == "plsa" })
	}
	return columns
}

// withoutNegative leaves out the method that takes no negative values.
func withoutNegative(columns []Column) []Column {
	return slices.DeleteFunc(columns, func(c Column) bool { return c.Method == "nmf" || c.Spec == "nmf" })
}

// defaultsSettings change one setting of spectral or le each.
func defaultsSettings(text bool) []Column {
	change := func(key, name, options string) Column {
		return Column{Method: "spectral-" + key, Name: "spectral, " + name, Spec: "spectral", Options: options}
	}
	columns := []Column{
		change("5", "5 neighbours", "neighbors=5"),
		change("30", "30 neighbours", "neighbors=30"),
		change("mutual", "mutual", "symmetry=mutual"),
		change("binary", "0-1 weights", "edge-weight=binary"),
	}
	other := change("heat", "heat", "edge-weight=heat")
	diffusion := []string{"5", "30"}
	if !text {
		diffusion = []string{"5", "15", "30"}
		columns = slices.Insert(columns, 1, change("15", "15 neighbours", "neighbors=15"))
		other = change("dot", "dot product", "edge-weight=dot")
	}
	columns = append(columns, other, change("local", "self-tuning", "edge-weight=heat heat-rule=local"),
		change("10", "10 dimensions", "dims=10"), change("50", "50 dimensions", "dims=50"),
		Column{Method: "spectral-rotated", Name: "spectral, rotated", Spec: "spectral", assign: rotated},
		Column{Method: "le-without", Name: "LE, no constant", Spec: "le", Options: "drop-first=true"},
		Column{Method: "le-half", Name: "LE times D^½", Spec: "le", assign: timesDegrees})
	for _, n := range diffusion {
		columns = append(columns, Column{Method: "diffusion-" + n, Name: "diffusion, " + n + " neighbours", Spec: "diffusion", Options: "neighbors=" + n})
	}
	return columns
}

// rotated are the clusters of the rotation that brings unit rows nearest to unit vectors, in place
// of k-means.
func rotated(ctx context.Context, u *Unit, f *method.Fitted) ([]int, error) {
	return spectral.Discretize(ctx, f.Embedding, u.Starts)
}

// timesDegrees are the clusters of k-means on the eigenvectors of D^-½WD^-½, D^½ times the
// eigenvectors of Laplacian Eigenmaps.
func timesDegrees(ctx context.Context, u *Unit, f *method.Fitted) ([]int, error) {
	y := mat.DenseCopyOf(f.Embedding)
	for i, d := range f.Graph.Degrees {
		floats.Scale(math.Sqrt(d), y.RawRowView(i))
	}
	return u.cluster(ctx, y, false)
}

// defaultsWeighted are the methods of texts on unit rows of other weights than tf-idf, but PLSA,
// which takes the counts in any case.
func defaultsWeighted(weighting string) []Column {
	var columns []Column
	for _, c := range defaultsMethods(true) {
		if c.Method != "plsa" {
			c.Spec, c.rows = cmp.Or(c.Spec, c.Method), func(_ context.Context, u *Unit) (mat.Matrix, error) {
				return (&corpus.Corpus{X: u.Counts}).Weighted(weighting, corpus.NormL2)
			}
			c.Method, c.Name = c.Method+"-"+weighting, c.Name+", "+weighting
			columns = append(columns, c)
		}
	}
	return columns
}

// debian are the package descriptions that the repository ships.
var debian = Dataset{Name: "Debian's", File: "packages.jsonl.gz", Shipped: "examples/debian/packages.jsonl.gz", read: readTexts}

// readTexts reads raw texts as the experiments of other papers do.
func readTexts(ctx context.Context, path string) (*corpus.Corpus, error) {
	var opt corpus.ReadOptions
	opt.Text.MinDF = leastDocuments
	return corpus.Read(ctx, path, opt)
}

// defaultsExperiment has one row per corpus.
func defaultsExperiment(name, about string, parts []Dataset, columns []Column) *Experiment {
	e := &Experiment{Name: name, Version: 1, Protocol: defaultsProtocol + about, Corpus: severalCorpora(parts), Param: "corpus", Tests: 10, Cases: 1,
		Draws: "documents", Metrics: agreementMetrics, Columns: columns}
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		// CNAE-9 has 1,080 documents, COIL20 1,440.
		e.Rows = append(e.Rows, Row{Key: part.Name, Value: float64(n), Corpus: part, Whole: part.Name == "CNAE-9" || part.Name == COIL20.Name})
	}
	e.prepare = func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		return drawDocuments(all, row.Key, test, seed)
	}
	return e
}

// drawDocuments makes the unit of some documents of a corpus, drawn by the seed, the corpus' name
// and the test.
func drawDocuments(all *corpus.Corpus, name string, test int, seed uint64) (*Unit, error) {
	n := len(all.Labels)
	if n == 0 {
		return nil, fmt.Errorf("%s has no classes", name)
	}
	rng := rand.New(rand.NewPCG(LabelSeed(seed, name, test, 0, 0), seed))
	rows := rng.Perm(n)[:min(n, defaultsDocuments)]
	slices.Sort(rows)
	part := all.SelectRows(rows)
	u := &Unit{X: part.X, Truth: part.Labels, K: len(all.ClassNames), Seed: seed + uint64(test), Starts: seed + uint64(test), compare: agreement}
	counts, ok := part.X.(*sparse.CSR)
	if !ok {
		return u, nil
	}
	counts = withTermsOf(counts, 1)
	u.Counts = counts
	var err error
	u.X, err = (&corpus.Corpus{X: counts}).Weighted(corpus.WeightTFIDF, corpus.NormL2)
	return u, err
}
