package papers

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/sparse"
)

const (
	kautoPaper    = "The number of clusters without labels: what -k auto finds, on public corpora (no paper)"
	kautoProtocol = "Each test is a run of all documents with another seed, as `eigenmap cluster` makes it: copies count once, counts of terms are weighed by roots of tf-idf, pixels are taken as they are. " +
		"Raw texts without English stop words, Snowball stems, terms of two documents at least. auto: the method diffusion with -k auto; Leiden: communities by modularity at resolution 1, as many as there are; " +
		"Leiden, auto: these with -k auto; true k: diffusion with as many clusters as classes. Clusters found are percent of the number of classes."
)

// kautoMetrics are agreement and the number of clusters found, as a share of the number of classes.
var kautoMetrics = append(slices.Clone(agreementMetrics), Metric{Key: "found", Name: "Clusters found, of the number of classes"})

// kautoViews are the number of clusters that runs choose, and what that gives, on the corpora of
// the study and on four that were held back.
func kautoViews() []*View {
	texts := &newSemildcStore().texts
	study := kautoExperiment("k-auto", []Dataset{
		debian, texts.newsgroups("20 Newsgroups"), texts.sixGroups(), TDT2,
		{Name: "Reuters, 30", File: Reuters.File, Classes: Reuters.Classes}, {Name: "Reuters, 9", File: Reuters.File, Classes: 9},
		{Name: "CNAE-9", File: "CNAE-9.csv"}, USPS, COIL20, {Name: "MNIST, test", File: "mnist-t10k-images-idx3-ubyte.gz"}})
	held := kautoExperiment("k-auto-held-back", []Dataset{texts.computerGroups(), texts.talkGroups(), texts.scienceGroups(), texts.recreationGroups()})
	view := func(e *Experiment, name, of string) *View {
		return &View{Name: name, Title: "the number of clusters on " + of, Shows: "clusters found, accuracy and NMI of -k auto on " + of,
			Paper: kautoPaper, Kind: KindTable, Experiment: e, Source: "there is none", Digits: 2}
	}
	return []*View{view(study, "k-auto/study", "ten corpora"), view(held, "k-auto/held-back", "four corpora held back from the choice")}
}

// sixGroups are six groups of 20 Newsgroups of different subjects.
func (s *textCorpora) sixGroups() Dataset {
	return s.newsgroups("20 Newsgroups, six", "comp.graphics", "rec.autos", "rec.sport.hockey", "sci.crypt", "sci.med", "talk.politics.mideast")
}

// kautoExperiment has one row per corpus; a test is a seed.
func kautoExperiment(name string, parts []Dataset) *Experiment {
	run := func(opt eigenmap.Options, known bool) func(context.Context, *Unit, uint64) ([]float64, error) {
		return func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
			if opt := opt; known {
				opt.Clusters = u.K
				return clustered(ctx, u, opt)
			}
			return clustered(ctx, u, opt)
		}
	}
	auto := eigenmap.KRange{Auto: true}
	e := &Experiment{Name: name, Version: 2, Protocol: kautoProtocol, Corpus: severalCorpora(parts), Param: "corpus", Tests: 3, Cases: 1, Runs: "the seeds",
		Metrics: kautoMetrics, Columns: []Column{
			{Method: "auto", Name: "auto", Spec: "diffusion", score: run(eigenmap.Options{Method: "diffusion", ClusterRange: auto}, false)},
			{Method: "leiden", Name: "Leiden", score: run(eigenmap.Options{Method: "leiden"}, false)},
			{Method: "leiden-auto", Name: "Leiden, auto", Spec: "leiden", score: run(eigenmap.Options{Method: "leiden", ClusterRange: auto}, false)},
			{Method: "diffusion", Name: "true k", score: run(eigenmap.Options{Method: "diffusion"}, true)},
		}}
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		e.Rows = append(e.Rows, Row{Key: part.Name, Value: float64(n), Corpus: part, Whole: true})
	}
	e.prepare = func(_ context.Context, all *corpus.Corpus, _ Row, test int, seed uint64) (*Unit, error) {
		u := &Unit{X: all.X, Truth: all.Labels, K: len(all.ClassNames), Seed: seed + uint64(test), compare: agreement}
		if counts, ok := all.X.(*sparse.CSR); ok {
			u.X = withTermsOf(counts, 1)
		}
		return u, nil
	}
	return e
}

// clustered are the figures of a run over the documents of a unit, as the command line makes it.
func clustered(ctx context.Context, u *Unit, opt eigenmap.Options) ([]float64, error) {
	opt.Seed = u.Seed
	r, err := eigenmap.ClusterMatrix(ctx, u.X, opt)
	if err != nil {
		return nil, err
	}
	scores, err := u.compare(u, r.Labels)
	return append(scores, float64(len(r.Sizes))/float64(u.K)), err
}
