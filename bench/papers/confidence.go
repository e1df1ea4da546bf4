package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
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
	return []*View{v}
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
	order, right := make([]int, n), make([]bool, n)
	mean := []float64{0, 0}
	for i := range order {
		order[i] = i
		class := as[slices.Index(table.Clusters, run.Labels[i])]
		right[i] = class >= 0 && table.Classes[class] == u.Truth[i]
		mean[0], mean[1] = mean[0]+run.Confidence[i]/float64(n), mean[1]+raw.Confidence[i]/float64(n)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(run.Confidence[b], run.Confidence[a]) })
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
