package predicting

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// placeInMap places the new documents in the model's map, if it has one.
// coords are their coordinates.
func (p *Prediction) placeInMap(ctx context.Context, coords *mat.Dense) (err error) {
	if m := p.Model.m.Map; m != nil && coords != nil {
		p.Map, err = layout.Place(ctx, m.Places, m.Coordinates, coords, p.Run.J.Observe)
	}
	return err
}

// place puts the documents where the method would, and finds their clusters: the nearest centre,
// the lower one on a tie, or those that the method finds itself. It takes a block of documents at a
// time: only one block's rows are in memory.
func (p *Prediction) place(ctx context.Context) error {
	defer p.Run.J.Stage("predict")()
	defer native.Hold()()
	m := p.Model.m
	if m.Part == nil {
		return invalid.Errorf("the model takes no new documents: %s", m.Why)
	}
	p.Corpus = p.Run.J.Corpus
	if err := ranks.Agree(ranks.From(ctx), p.match()); err != nil {
		return err
	}
	if err := p.sameOnRanks(ctx); err != nil {
		return err
	}
	if p.Held() {
		if err := p.placeBlocks(ctx); err != nil {
			return err
		}
	} else if err := p.placeInto(ctx); err != nil {
		return err
	}
	if p.OneView {
		p.Run.J.Note(fmt.Sprintf("The model compares documents by %s; the new ones have %s alone, by which they are placed, and their novelty is not known.", p.all, p.only))
	}
	if p.Held() {
		if err := p.decide(ctx); err != nil {
			return err
		}
		p.tally, p.unsure = TallyOf(p), p.Confidence != nil
	}
	p.noteDecided()
	if m.Clusters != nil {
		p.takeTrained(len(m.Clusters.Sizes))
	}
	return nil
}

// decide makes confidences of the scores of documents that are placed, and leaves those in no
// cluster that are to be in none.
func (p *Prediction) decide(ctx context.Context) error {
	m := p.Model.m
	if m.Clusters == nil {
		return nil
	}
	own := p.Run.J.Confidence == confidence.ConfidenceRaw
	if !own {
		if err := p.Model.Calibrate(ctx); err != nil {
			return err
		}
	}
	curve := p.Model.curve()
	if curve != nil && p.Confidence != nil && !own {
		p.Confidence = result.Calibrated(curve, p.Orders, p.Isolated)
	}
	if p.Run.J.RejectAuto {
		return p.rejectUnlike()
	}
	if p.RejectBelow = p.Run.J.Reject; p.RejectBelow == 0 && (curve == nil || !own) {
		p.RejectBelow = m.Reject
	}
	p.LeaveUnsure()
	return nil
}

// noteDecided says how many documents are in no cluster.
func (p *Prediction) noteDecided() {
	switch {
	case p.Model.m.Clusters == nil:
	case p.Run.J.RejectAuto:
		p.NoteRejected(fmt.Sprintf("%s more unlike the model's documents than %g %% of these are unlike each other, by the distance from the cluster and by terms that the model does not know, and left in no cluster (-1)",
			words.Plural(p.RejectedCount, "document is", "documents are"), 100*Novel))
	case p.unsure && p.RejectBelow > 0:
		p.NoteUnsure()
	}
}

// placeHere is place of the documents at work, all in one block, but for what is calibrated and
// rejected.
func (p *Prediction) placeHere(ctx context.Context) error {
	m := p.Model.m
	p.Corpus = p.Run.J.Corpus
	raw, err := p.rows(ctx)
	if err = ranks.Agree(ranks.From(ctx), err); err != nil {
		return err
	}
	at, err := p.placeRows(ctx, raw)
	if err != nil {
		return err
	}
	if err := p.checkFinite(at.Embedding); err != nil {
		return err
	}
	if err := p.placeInMap(ctx, at.Embedding); err != nil {
		return err
	}
	p.Embedding, p.Isolated, p.Known = at.Embedding, at.Isolated, len(at.Known)
	if m.Clusters == nil {
		return nil
	}
	if at.Posterior != nil && at.Posterior == at.Embedding { // shares of topics: coordinates only if there are no clusters
		p.Embedding = nil
	}
	p.Labels, p.Posterior = at.Labels, at.Posterior
	x := raw
	if at.Embedding != nil {
		x = at.Embedding
	}
	if p.Labels == nil {
		if m.Clusters.Centers == nil {
			return invalid.Errorf("the model has clusters but no centres to find them by")
		}
		of := &method.Clusters{Sizes: m.Clusters.Sizes, Centers: m.Clusters.Centers, Terms: m.Clusters.Terms}
		if p.Labels, err = kmeans.Nearest(ctx, of, x, raw); err != nil {
			return err
		}
	}
	if err := p.count(at.Certainty); err != nil {
		return err
	}
	if m.Novelty != nil && !p.OneView {
		p.Novelty = m.Novelty.Of(raw, p.Labels)
		for _, i := range at.Isolated {
			p.Novelty[i] = 1
		}
		p.Unlike = p.unlike()
		for _, i := range at.Known { // documents of the model are of its clusters
			p.Unlike[i] = 0
		}
	}
	return p.Assess(ctx, x, raw, m.Clusters.Sizes, at.Isolated, at.Known)
}

// unlike says how unlike the model's documents each document is, by its novelty and by its terms.
func (p *Prediction) unlike() []float64 {
	var terms []corpus.Rarity
	if from, _ := p.views(); from != nil && p.matching != nil {
		terms = p.matching.Rarities(from)
	}
	out := slices.Clone(p.Novelty)
	for i := range terms {
		out[i] = p.Model.m.Novelty.UnlikeOf(p.Novelty[i], terms[i])
	}
	return out
}

// rejectUnlike leaves the documents in no cluster that are of none: 19 in 20 of the training
// documents are less unlike the others.
func (p *Prediction) rejectUnlike() error {
	switch m := p.Model.m; {
	case p.OneView:
		return invalid.Errorf("‹reject› auto: the novelty of documents with one view alone is not known: give a number, such as ‹reject› 0.2")
	case m.Novelty == nil:
		return invalid.Errorf("‹reject› auto: the model does not measure the novelty of documents: make it again, or give a number, such as ‹reject› 0.2")
	}
	p.LeaveOut(func(i int) bool { return p.Unlike[i] >= Novel })
	return nil
}

// count counts the documents of each cluster, and describes the clusters to Run.
func (p *Prediction) count(sure method.Certainty) error {
	p.Sizes = make([]int, len(p.Model.m.Clusters.Sizes))
	for i, k := range p.Labels {
		if k < 0 || k >= len(p.Sizes) {
			return fmt.Errorf("document %d was put into cluster %d of %d", i+1, k, len(p.Sizes))
		}
		p.Sizes[k]++
	}
	if classes := p.Model.Summary.Classes; len(classes) == len(p.Sizes) {
		p.Classes = classes
	}
	p.Run.TakeClusters(&method.Clusters{Labels: p.Labels, Sizes: p.Sizes, Posterior: p.Posterior, Classes: p.Classes,
		Centers: p.Model.m.Clusters.Centers, Terms: p.Model.m.Clusters.Terms, Certainty: sure, By: p.Model.Method()})
	return nil
}

func (p *Prediction) checkFinite(y *mat.Dense) error {
	if y == nil {
		return nil
	}
	n, _ := y.Dims()
	for i := range n {
		for j, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return invalid.Errorf("%s: coordinate %d of document %s is beyond the largest number: its entries, or the model's, are too large", p.Corpus.Name, j+1, p.Corpus.ID(i))
			}
		}
	}
	return nil
}

// Farther says of k documents that they are far from their cluster.
func Farther(k int) string {
	if k == 1 {
		return "is farther from its cluster"
	}
	return "are farther from their cluster"
}

func (p *Prediction) notePlaced() {
	j := p.Run.J
	j.Note(p.Terms.String())
	n := p.Corpus.Len()
	if k := p.tally.Isolated; k > 0 {
		j.Warn(fmt.Sprintf("Without anything in common with the model's documents, so that their places and clusters are arbitrary: %d of %s.", k, words.Plural(n, "document", "documents")))
	}
	if p.Known == n && n == 1 {
		j.Note("Nothing new: the document has the terms of one of the model's, and so is where that is.")
	} else if p.Known == n {
		j.Note(fmt.Sprintf("Nothing new: all %s have the terms of one of the model's, and so are where that is.", words.Counted(n, "document")))
	} else if p.Known > 0 {
		j.Note(fmt.Sprintf("Documents with the terms of one of the model's, and so where that is: %d of %d.", p.Known, n))
	}
	switch k := p.NovelCount(); {
	case p.OneView:
	case p.Sizes != nil && !p.tally.Measured:
		j.Note("The model does not measure the novelty of documents: a model that is made again does.")
	case 5*k > n && (k >= 3 || k == n):
		j.Warn(fmt.Sprintf("New documents that may be of none of the model's clusters: %d of %s %s than %g %% of the model's documents are from theirs (novelty of %g and more); their clusters are the least unlike, whatever the confidence says.",
			k, words.Counted(n, "document"), Farther(k), 100*Novel, Novel))
	case !j.RejectAuto && manyUnlike(p.tally.Unlike, n, p.Model.Documents()):
		j.Note(fmt.Sprintf("Documents that may be of none of the model's clusters, such as those of a new subject: %s of %s are more unlike the model's documents than %g %% of these are unlike each other, by the distance from the cluster and by terms that the model does not know. ‹reject› auto leaves them in no cluster (-1).",
			words.Thousands(p.tally.Unlike), words.Counted(n, "document"), 100*Novel))
	}
}

// manyUnlike reports whether k of n documents are more than chance has of documents like the
// model's m, of which one in twenty is as unlike: more than a tenth, and than three standard
// deviations above what is expected. The bound of one in twenty varies with the m documents too.
func manyUnlike(k, n, m int) bool {
	const expected = 1 - Novel
	all := float64(n)
	deviation := math.Sqrt(expected * (1 - expected) * all * (1 + all/float64(max(m, 1))))
	return 10*k > n && k >= 3 && float64(k) > expected*all+3*deviation
}
