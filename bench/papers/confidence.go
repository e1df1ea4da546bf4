package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

const (
	confidencePaper    = "Confidence beside accuracy, on public corpora (no paper)"
	confidenceProtocol = "Each draw takes 2,000 documents at random, or all of a smaller corpus, and as many clusters as there are classes. Methods have their defaults; texts are unit rows of tf-idf. " +
		"A document is right if its cluster is matched with its class. Raw: the mean of the method's own score, which says probability, share or ratio of distances. " +
		"Most confident: accuracy among the 80 and the 50 % of the documents that have the largest confidence; calibration does not change their order."
)

// confidenceMetrics are what a confidence is judged by.
var confidenceMetrics = []Metric{{Key: "accuracy", Name: "Accuracy"}, {Key: "confidence", Name: "Mean confidence"}, {Key: "raw", Name: "Mean of the method's own score"},
	{Key: "accuracy_80", Name: "Accuracy of the most confident 80 %"}, {Key: "accuracy_50", Name: "Accuracy of the most confident 50 %"}}

// confidenceGroups is how many groups of documents of neighbouring confidences are compared with
// the shares that are right.
const confidenceGroups = 10

const (
	labelledConfidencePaper    = "Confidence beside accuracy with few known labels, on public corpora (no paper)"
	labelledConfidenceProtocol = "Each draw takes 2,000 documents at random, or all of a smaller corpus, and knows the labels of a share of each class, of one document of a class at least. " +
		"The figures are of the other documents. Methods have their defaults; chosen: no method is named. A document is right if its cluster is named after its class; a cluster without a name is of the class of most of its known labels. " +
		"Distance: of the mean confidence from the accuracy. Calibration error: the mean distance of confidence and accuracy in ten groups of documents of neighbouring confidences."
)

// labelledConfidenceMetrics are what a confidence is judged by if few labels are known.
var labelledConfidenceMetrics = []Metric{{Key: "accuracy", Name: "Accuracy"}, {Key: "confidence", Name: "Mean confidence"}, {Key: "distance", Name: "Distance"}, {Key: "error", Name: "Calibration error"},
	{Key: "accuracy_80", Name: "Accuracy of the most confident 80 %"}, {Key: "accuracy_50", Name: "Accuracy of the most confident 50 %"}}

// confidenceViews sets the mean confidence beside the accuracy.
func confidenceViews() []*View {
	e := mixturesViews()[0].Experiment
	e.Name, e.Protocol, e.Tests, e.Metrics, e.Columns = "confidence", confidenceProtocol, 3, confidenceMetrics, nil
	for _, m := range []struct{ method, name string }{{"kmeans", "k-means"}, {"gmm", "GMM"}, {"lapgmm", "LapGMM"}, {"diffusion", "diffusion"}, {"lsi", "LSI"}} {
		e.Columns = append(e.Columns, Column{Method: m.method, Name: m.name, score: func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
			return confidence(ctx, m.method, u)
		}})
	}
	v := &View{Name: "confidence", Title: "confidence beside accuracy", Shows: "mean confidence, accuracy, and accuracy of the most confident documents", Paper: confidencePaper, Kind: KindTable,
		Experiment: e, Source: "there is none", Digits: 1}
	return []*View{v, labelledConfidenceView()}
}

// labelledConfidenceView sets the mean confidence beside the accuracy where few labels are known.
func labelledConfidenceView() *View {
	parts := []Dataset{debian, {Name: "Reuters 30", File: Reuters.File, Classes: Reuters.Classes}, {Name: "CNAE-9", File: "CNAE-9.csv"},
		TDT2, (&newSemildcStore().texts).sixGroups(), USPS}
	e := &Experiment{Name: "confidence-labels", Version: 2, Protocol: labelledConfidenceProtocol, Corpus: severalCorpora(parts), Param: "labels", Tests: 2, Cases: 1, Curve: true,
		Draws: "documents and labels", Metrics: labelledConfidenceMetrics}
	for _, c := range []struct{ key, name, method string }{{"by-labels", "chosen", ""}, {"semi-ldc", "Semi-LDC", "semi-ldc"}, {"tsvm", "TSVM", "tsvm"},
		{"label-propagation", "label propagation", "label-propagation"}, {"logistic", "logistic regression", "logistic"}, {"semi-le", "Semi-LE", "semi-le"}} {
		e.Columns = append(e.Columns, Column{Method: c.key, Name: c.name, Spec: cmp.Or(c.method, eigenmap.DefaultMethod), score: func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
			return labelledConfidence(ctx, u, c.method)
		}})
	}
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		for _, share := range []float64{0.01, 0.02, 0.05} {
			e.Rows = append(e.Rows, shareOf(part, share))
		}
	}
	e.prepare = func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		u, err := drawDocuments(all, row.Corpus.Name, test, seed)
		if err != nil {
			return nil, err
		}
		u.settings = settingsOf(row.Settings)
		u.known, err = labels.Draw(u.Truth, row.Value/100, u.Seed)
		return u, err
	}
	return &View{Name: e.Name, Title: "confidence beside accuracy, with few known labels", Shows: "mean confidence, its error, and accuracy of the most confident documents, with 1, 2 and 5 % of the labels known",
		Paper: labelledConfidencePaper, Kind: KindCurves, Experiment: e, Source: "there is none", Digits: 1}
}

// labelledConfidence runs a method with the known labels of a unit, and judges the confidences of
// the documents whose labels were not given. A cluster is of the class that it is named after, or
// of most of its known labels.
func labelledConfidence(ctx context.Context, u *Unit, name string) ([]float64, error) {
	all := &corpus.Corpus{Name: "draw", X: u.X, Labels: u.Truth, ClassNames: classNames(u.K)}
	if u.Counts != nil {
		all.X = u.Counts
	}
	opt := eigenmap.Options{Method: name, Seed: u.Seed}
	if err := opt.Set("labeled-fraction", u.settings["share"]); err != nil {
		return nil, err
	}
	run, err := eigenmap.ClusterCorpus(ctx, all, opt)
	if err != nil {
		return nil, err
	}
	var sure []float64
	var right []bool
	for i, class := range crossval.Classes(run.Labels, u.known, run.Classes, all.ClassNames) {
		if u.known[i] == labels.Unknown {
			sure, right = append(sure, run.Confidence[i]), append(right, class == u.Truth[i])
		}
	}
	order := indices.Falling(sure)
	mean := func(from, to int) (confidence, accuracy float64) {
		for _, i := range order[from:to] {
			if confidence += sure[i]; right[i] {
				accuracy++
			}
		}
		return confidence / float64(to-from), accuracy / float64(to-from)
	}
	n, off := len(order), 0.0
	for g := range confidenceGroups {
		from, to := g*n/confidenceGroups, (g+1)*n/confidenceGroups
		confidence, accuracy := mean(from, to)
		off += math.Abs(confidence-accuracy) * float64(to-from) / float64(n)
	}
	confidence, accuracy := mean(0, n)
	_, most := mean(0, 8*n/10)
	_, half := mean(0, n/2)
	return []float64{accuracy, confidence, math.Abs(confidence - accuracy), off, most, half}, nil
}

// confidence clusters a unit as the program does and judges the confidences.
func confidence(ctx context.Context, name string, u *Unit) ([]float64, error) {
	all := &corpus.Corpus{Name: "draw", X: u.X}
	opt := eigenmap.Options{Method: name, Clusters: u.K, Seed: u.Seed}
	if u.Counts != nil {
		all.X, opt.Weighting, opt.Normalize = u.Counts, corpus.WeightTFIDF, corpus.NormL2
	}
	run, err := eigenmap.ClusterCorpus(ctx, all, opt)
	if err != nil {
		return nil, err
	}
	opt.Confidence = "raw"
	raw, err := eigenmap.ClusterCorpus(ctx, all, opt)
	if err != nil {
		return nil, err
	}
	table, err := metrics.NewTable(u.Truth, run.Labels)
	if err != nil {
		return nil, err
	}
	as, n := table.Assignment(), len(u.Truth)
	if len(run.Confidence) != n || len(raw.Confidence) != n {
		return nil, fmt.Errorf("%s knows no confidence", name)
	}
	right, mean := make([]bool, n), []float64{0, 0}
	for i := range right {
		class := as[slices.Index(table.Clusters, run.Labels[i])]
		right[i] = class >= 0 && table.Classes[class] == u.Truth[i]
		mean[0], mean[1] = mean[0]+run.Confidence[i]/float64(n), mean[1]+raw.Confidence[i]/float64(n)
	}
	order := indices.Falling(run.Confidence)
	first := func(share float64) float64 {
		most, hits := int(share*float64(n)), 0
		for _, i := range order[:most] {
			if right[i] {
				hits++
			}
		}
		return float64(hits) / float64(most)
	}
	return []float64{first(1), mean[0], mean[1], first(0.8), first(0.5)}, nil
}
