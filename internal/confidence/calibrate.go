// Package confidence turns the scores of a method into confidences that mean the same in every
// method.
package confidence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Each method has a score of its own for how sure a cluster is: a probability, a ratio of
// distances, a margin. A calibration turns it into the share of documents like this one that get
// the same cluster again from a second look at the corpus: the method on one half of the documents
// and a part of the terms, which then places the other half. So a confidence means the same in
// every method. See docs/confidence.md.

// The values of Options.Confidence.
const (
	confidenceCalibrated = "calibrated"
	ConfidenceRaw        = "raw"
)

const (
	// lookDocuments is the most documents of a second look that are clustered, and the most that
	// are placed.
	lookDocuments = 2000
	// leastLook is the least number of documents that are clustered; there must be two per cluster.
	leastLook = 20
	// leastTerms is the least number of columns of a look, if there are so many.
	leastTerms = 16
)

// lookTerms are the shares of the columns that the second looks have: of texts all and half of the
// terms; of dense data, whose columns say the same several times, half and a quarter. Shares and
// looks were chosen so that the mean confidence comes near the accuracy (docs/confidence.md).
var lookTerms = map[option.Data][]float64{option.SparseData: {1, 0.5}, option.DenseData: {0.5, 0.25}}

// looks are second looks at the documents of a job.
type looks struct {
	j        *job.Job
	labels   []int // the cluster of each document
	clusters int
	scores   []float64 // by which the method orders the documents
}

// Calibrate returns the curve from the scores of the documents to calibrated confidences; nil, with
// a note, where there can be none. labels are the clusters of the documents, and config the options
// of the method before the fit. All ranks call it, and each makes the same curve.
func Calibrate(ctx context.Context, j *job.Job, config method.Options, labels []int, clusters int, scores []float64) (*model.Calibration, error) {
	defer j.Stage("calibrate")()
	l := &looks{j, labels, clusters, scores}
	why, curve := l.unfit(), (*model.Calibration)(nil)
	if why == "" {
		var err error
		curve, err = l.look(store.With(ranks.With(ctx, ranks.Alone{}), nil), config)
		if stop := ranks.Stopped(ctx); stop != nil {
			return nil, stop
		}
		if err = ranks.Agree(ranks.From(ctx), err); err != nil {
			why = words.Plain(strings.TrimSuffix(err.Error(), "."))
		}
	}
	if why != "" {
		j.Note("The confidence is the method's own score and not calibrated: " + why)
		return nil, nil
	}
	return curve, nil
}

// unfit says why there can be no second look at the corpus, "" if there can.
func (l *looks) unfit() string {
	j := l.j
	switch n := j.Corpus.Len() / 2; {
	case j.X == nil:
		return "the affinity alone was given"
	case j.Affinity != nil && j.Joined == nil:
		return "the graph was made elsewhere"
	case j.Prior.Groups != nil:
		return "links join documents of all of the corpus"
	case n < leastLook || n < 2*l.clusters:
		return fmt.Sprintf("%s are too few for %s", words.Counted(j.Corpus.Len(), "document"), words.Counted(l.clusters, "cluster"))
	}
	return ""
}

// look takes the second looks and makes the curve.
func (l *looks) look(ctx context.Context, config method.Options) (*model.Calibration, error) {
	var score []float64
	var same []bool
	for number, share := range lookTerms[l.j.Data()] {
		rng := rand.New(rand.NewPCG(l.j.Seed, uint64(number)+1))
		fitted, held := l.parts(rng)
		if len(held) == 0 {
			return nil, invalid.Errorf("every document has a known label, and none is left to be placed")
		}
		terms := someTerms(rng, l.j.Columns(), share)
		found, rows, err := l.second(ctx, config, uint64(number)+1, fitted, held, terms)
		if err != nil {
			return nil, err
		}
		own := job.Pick(l.labels, rows)
		table, err := metrics.NewTable(own, found)
		if err != nil {
			return nil, err
		}
		as := table.Assignment()
		for q, i := range rows {
			score = append(score, l.scores[i])
			same = append(same, as[slices.Index(table.Clusters, found[q])] == slices.Index(table.Classes, own[q]))
		}
	}
	return model.NewCalibration(score, same), nil
}

// ofPart are the options of a method for a part of the documents: with the decisions of all of
// them, and no more landmarks or neighbours than the part has documents.
func ofPart(j *job.Job, config method.Options, documents int) method.Options {
	own := option.Clone(config).(method.Options)
	if d, ok := own.(method.Deciding); ok {
		own = d.Decided(j.Corpus.Len(), j.Columns())
	}
	for name, most := range map[string]int{"landmarks": documents, "neighbors": documents - 1} {
		f := option.Find(option.Of(own), name)
		if f == nil || !f.IsSet() {
			continue
		}
		if n, err := strconv.Atoi(f.String()); err == nil && n > most {
			if err := f.Set(strconv.Itoa(most)); err != nil {
				panic(err) // a number of at least 1
			}
		}
	}
	return own
}

// parts are the documents of a look that are clustered and that are placed, ascending: halves, or
// lookDocuments each. Documents with a known label are never placed: they are clustered, up to
// twice lookDocuments in all.
func (l *looks) parts(rng *rand.Rand) (fitted, held []int) {
	n := l.j.Corpus.Len()
	most := min(n/2, lookDocuments)
	for _, i := range rng.Perm(n) {
		known := l.j.Prior.Labels != nil && l.j.Prior.Labels[i] >= 0
		switch {
		case known && len(fitted) < 2*lookDocuments || !known && len(fitted) < most:
			fitted = append(fitted, i)
		case !known && len(held) < most:
			held = append(held, i)
		}
	}
	slices.Sort(fitted)
	slices.Sort(held)
	return fitted, held
}

// someTerms are the columns of a look, ascending.
func someTerms(rng *rand.Rand, columns int, share float64) []int {
	terms := rng.Perm(columns)[:max(int(share*float64(columns)), min(columns, leastTerms))]
	slices.Sort(terms)
	return terms
}

// second clusters a part of the documents by a part of the terms and places others: it returns the
// clusters of these, and which documents they are. Of a method that places no new documents it
// returns the clusters of the first part.
func (l *looks) second(ctx context.Context, config method.Options, more uint64, fitted, held, terms []int) (found, rows []int, err error) {
	j := l.j
	known := j.Prior.Labels
	t := j.Trial(j.Request, known)
	t.Seed, t.Affinity, t.InMemory, t.Confidence = j.Seed+more, nil, true, ConfidenceRaw
	// The ranks gather the rows together, and each then works on all of them alone.
	if t.X, fitted, err = j.View(j.X, fitted, terms, true); err != nil {
		return nil, nil, err
	}
	t.MethodOptions = ofPart(j, config, len(fitted))
	counts := t.X
	// The columns of vectors are others, and no method sees counts then.
	given, ok := j.RowsHere().X.(*sparse.CSR)
	if raw := ok && j.X == mat.Matrix(given) && j.Normalize != corpus.NormL2; j.VectorsRead == nil && !raw {
		if counts, _, err = j.View(j.RowsHere().X, fitted, terms, false); err != nil {
			return nil, nil, err
		}
	}
	x, held, err := j.View(j.X, held, terms, true)
	if err != nil {
		return nil, nil, err
	}
	t.Corpus = &corpus.Corpus{Name: j.Corpus.Name, X: counts}
	if known != nil {
		t.Prior.Labels = job.Pick(known, fitted)
	}
	placer, clusters, err := l.fit(ctx, t)
	if err == nil && placer == nil {
		found, rows = clusters.Labels, fitted
	} else if err == nil {
		rows = held
		found, err = place(ctx, placer, clusters.Centers, x)
	}
	return found, rows, ranks.Agree(j.Share, err)
}

// fit clusters the part of the documents that the look takes, the documents of t.
func (l *looks) fit(ctx context.Context, t *job.Job) (placer method.Placer, found *method.Clusters, err error) {
	if l.j.Affinity != nil {
		if t.Affinity, err = graph.Build(ctx, t.X, *l.j.Joined); err != nil {
			return nil, nil, err
		}
	}
	in := t.Input()
	in.Together = l.j.CountsOnce()
	f, found, err := t.FitOnce(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return f.Placer, found, nil
}

// place finds the clusters of further documents.
func place(ctx context.Context, placer method.Placer, centers *mat.Dense, x mat.Matrix) ([]int, error) {
	at, err := placer.Place(ctx, x, nil)
	if err != nil {
		return nil, err
	}
	if at.Labels == nil {
		if at.Embedding != nil {
			x = at.Embedding
		}
		at.Labels, err = (&kmeans.Model{Centers: centers}).Predict(ctx, x)
	}
	return at.Labels, err
}
