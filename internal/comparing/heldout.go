package comparing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
)

// HeldOut is the verdict on a method by known labels that it did not see.
type HeldOut struct {
	// Documents is how many were held out; those of classes with one label never are.
	Documents int     `json:"documents"`
	Accuracy  float64 `json:"accuracy"`       // share that got their class, 0 to 1
	Error     float64 `json:"standard_error"` // of Accuracy
	MacroF1   float64 `json:"macro_f1"`       // mean of F1 over their classes, 0 to 1
}

// known are the labels that the runs of a comparison know.
type known struct {
	labels []int // of each document, labels.Unknown without one
	names  []string
}

// readKnown reads the known labels of the first request that takes any; nil if none does, or if
// they are drawn from the corpus' own classes, by which the runs are then scored.
func (c *Comparison) readKnown(ctx context.Context, requests []*request.Request) (*known, error) {
	at := slices.IndexFunc(requests, func(r *request.Request) bool { return r.Labels != "" || r.Known != nil })
	if at < 0 || c.corpus.Labels != nil {
		return nil, nil
	}
	own := *requests[at]
	own.Observer = own.Observer.WithoutNotes()
	j := (&result.Prepared{Request: &own}).NewRun(c.File).J
	j.Corpus = c.corpus
	if err := j.ReadGiven(ctx); err != nil {
		return nil, j.InDocuments(err)
	}
	return &known{j.Prior.Labels, j.Prior.Names}, nil
}

// holdOut judges the methods by the known labels. These are dealt into folds as for the choice of a
// method, and each fold in turn is hidden: a method that learns from labels runs again, with the
// first seed, and is judged by the classes that it gives to the documents of the fold. A method
// that learns from none needs no further run. A cluster without a name takes the class of most of
// its labels that are not hidden. All folds are tried with all methods. One that fails on a fold
// has no verdict, and Failures says why.
func (c *Comparison) holdOut(ctx context.Context, requests []*request.Request, of *material, k *known) error {
	if k == nil || crossval.HeldOut(k.labels, len(k.names)) == 0 {
		return nil
	}
	first := requests[0]
	folds := crossval.Folds(k.labels, len(k.names), crossval.Number(k.labels, len(k.names)), first.Seed)
	race := crossval.NewRace(len(requests), len(k.names))
	for at, fold := range folds {
		hidden := &known{crossval.Without(k.labels, fold, labels.Unknown), k.names}
		race.Hold(labels.Pick(k.labels, fold))
		for m, r := range requests {
			first.Observer.Report("hold out labels", int64(at*len(requests)+m), int64(len(folds)*len(requests)), "runs")
			run := c.Runs[slices.IndexFunc(c.Runs, func(of Run) bool { return of.Method == r.Spec.Name })]
			if run.Failed != "" || !race.Runs(m) {
				race.Leave(m)
				continue
			}
			if run.known != nil {
				own := *r
				own.Confidence, own.Observer = confidence.ConfidenceRaw, own.Observer.WithoutNotes()
				_, again, err := compareOne(ctx, &result.Prepared{Request: &own}, c.File, of, r.Seed, hidden)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					c.unjudged = append(c.unjudged, fmt.Sprintf("%s, with labels held out: %s.", run.Method, words.Plain(strings.TrimSuffix(fault.Wrap(err).Error(), "."))))
					race.Leave(m)
					continue
				}
				run = again
			}
			race.Say(m, labels.Pick(run.classesOf(hidden), fold))
		}
	}
	c.heldOut = map[string]*HeldOut{}
	for _, m := range race.Rank() {
		name, s := requests[m].Spec.Name, race.Score(m)
		c.heldOut[name] = &HeldOut{Documents: s.Documents, Accuracy: s.Accuracy, Error: s.Error, MacroF1: s.MacroF1}
		c.ranked = append(c.ranked, name)
	}
	return nil
}

// classesOf are the classes that the run gives to all documents if these labels are known, -1 for
// none.
func (r *Run) classesOf(k *known) []int {
	return crossval.Classes(r.Labels, k.labels, r.classes, k.names)
}
