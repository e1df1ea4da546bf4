package papers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
)

const (
	mixturesPaper    = "Mixtures of Gaussians beside k-means, on public corpora (no paper)"
	mixturesProtocol = "Each draw takes 2,000 documents at random, or all of a smaller corpus, and as many clusters as there are classes. " +
		"Few documents: 12 to 50 of each class of TDT2, 10 images of each object of COIL20. Texts are unit rows of tf-idf; pixels, shapes of faces and sentence vectors as they are. " +
		"k-means has 10 k-means++ starts and works on all columns; GMM and LapGMM have their defaults: 20 or 2·K principal components, covariances drawn towards a sphere by as much as the documents are too few. " +
		"Ridge: a ridge of 1e-6 in place of that. 98 %: as many components as explain 98 % of the variance of dense data, of texts as many as a quarter of the documents of a cluster at most; that and the ridge were the defaults before."
	// mixturesRowsPerDim is how many documents of a cluster there were for one component of a text.
	mixturesRowsPerDim = 4
)

// mixturesFew is how many documents of class c of a corpus of few documents are drawn.
var mixturesFew = map[string]func(c int) int{
	"TDT2 few":   func(c int) int { return max(12, 50-38*c/29) },
	"COIL20 few": func(int) int { return 10 },
}

// mixturesViews are mixtures beside k-means, with their defaults and as they were before.
func mixturesViews() []*View {
	texts := &newSemildcStore().texts
	few := func(d Dataset) Dataset {
		d.Name += " few"
		return d
	}
	e := &Experiment{Name: "mixtures", Version: 1, Protocol: mixturesProtocol, Param: "corpus", Tests: 10, Cases: 1, Draws: "documents", Metrics: agreementMetrics,
		Corpus: severalCorpora([]Dataset{debian, texts.newsgroups("20 Newsgroups"), TDT2, few(TDT2), {Name: "Reuters 30", File: Reuters.File, Classes: Reuters.Classes},
			{Name: "CNAE-9", File: "CNAE-9.csv"}, {Name: "Debian's vectors", File: "debian-minilm.npy", read: readVectors}, USPS, COIL20, few(COIL20),
			{Name: "MNIST test", File: "mnist-t10k-images-idx3-ubyte.gz"}, {Name: "FG-NET", File: "FG-NET.mat"}}),
		Columns: []Column{
			{Method: "kmeans", Name: "k-means", Options: "restarts=10"},
			{Method: "gmm", Name: "GMM"},
			{Method: "lapgmm", Name: "LapGMM"},
			{Method: "gmm-ridge", Name: "GMM, ridge", Spec: "gmm", Options: "ridge=1e-06"},
			{Method: "gmm-before", Name: "GMM, ridge, 98 %", Spec: "gmm", Options: "ridge=1e-06 pca=$pca"},
			{Method: "lapgmm-before", Name: "LapGMM, ridge, 98 %", Spec: "lapgmm", Options: "ridge=1e-06 pca=$pca"},
		}}
	v := &View{Name: "mixtures", Title: "mixtures beside k-means", Shows: "accuracy and NMI of k-means, GMM and LapGMM", Paper: mixturesPaper, Kind: KindTable, Experiment: e,
		Source: "there is none", Digits: 2}
	for _, c := range e.Columns {
		v.Methods = append(v.Methods, c.Method)
	}
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		e.Rows = append(e.Rows, Row{Key: part.Name, Value: float64(n), Corpus: part, Whole: slices.Contains([]string{"CNAE-9", COIL20.Name, "FG-NET"}, part.Name)})
	}
	e.prepare = func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		if size := mixturesFew[row.Key]; size != nil {
			all = fewOfEach(all, size, LabelSeed(seed, row.Key, test, 0, 0), seed)
		}
		u, err := drawDocuments(all, row.Key, test, seed)
		if err != nil {
			return nil, err
		}
		n, columns := u.X.Dims()
		switch {
		case u.Counts != nil:
			most := max(2, n/(mixturesRowsPerDim*u.K))
			u.settings = map[string]string{"pca": fmt.Sprint(min(most, max(20, 2*u.K), n-1, columns))}
		case columns > 50:
			u.settings = map[string]string{"pca": "0.98"}
		}
		return u, nil
	}
	return []*View{v}
}

// fewOfEach are some documents of each class, drawn at random.
func fewOfEach(all *corpus.Corpus, size func(class int) int, seed, more uint64) *corpus.Corpus {
	rng := rand.New(rand.NewPCG(seed, more+1))
	left := make([]int, len(all.ClassNames))
	for c := range left {
		left[c] = size(c)
	}
	var rows []int
	for _, i := range rng.Perm(len(all.Labels)) {
		if c := all.Labels[i]; c >= 0 && left[c] > 0 {
			left[c]--
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return all.SelectRows(rows)
}

// readVectors reads the sentence vectors of the shipped texts, whose classes the texts have.
func readVectors(ctx context.Context, path string) (*corpus.Corpus, error) {
	c, err := readFile(ctx, path)
	if err != nil {
		return nil, err
	}
	place, _ := debian.path("")
	texts, err := readTexts(ctx, place)
	if err != nil {
		return nil, err
	}
	if n := len(texts.Labels); n != c.Len() {
		return nil, fmt.Errorf("%s holds %d vectors, but %s %d texts", filepath.Base(path), c.Len(), place, n)
	}
	c.Labels, c.ClassNames = texts.Labels, texts.ClassNames
	return c, nil
}
