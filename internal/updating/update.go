// Package updating lets a model take new documents: it places them, grows by them, and measures how
// far they are from what the model was made from.
package updating

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// mostGrowth is how many times the documents and the terms of its fit a model has at most.
const mostGrowth = 2

// Updated is a model with new documents: the prediction of these, and what they say of the model.
type Updated struct {
	*predicting.Prediction
	// Drift is of these documents, Updates of all since the fit.
	Drift   drift.Counts
	Updates drift.Updates
	// Added and AddedTerms are by how much the model grew now.
	Added, AddedTerms int
	// Refit says why the model should be made again, each in words without a full stop; nil: it
	// need not be.
	Refit []string

	grew *model.Model // nil: the model is as it was, byte for byte
	new  fresh
}

// Update places new documents by a model, as [predicting.Predict] does, lets the model grow by
// them, and measures how far they are from what it was made from.
//
// Models of le, semi-le, cle, spectral and diffusion with a neighbour graph grow: the new documents
// become neighbours by which later ones are placed, at the coordinates that they got, and terms
// that two of them have and the model lacks become columns, with ln(documents/df) as idf. Their
// clusters, coordinates and eigenvalues stay. A model grows to twice the documents and twice the
// terms of its fit at most. Models of other methods place each document alone, and count it.
//
// [Updated.Refit] follows the rule of [drift.Reasons], on these documents and on all since the fit:
// more than 5 % have nothing in common with the model's, more than 10 % have a novelty of 0.95 or
// more, a one-sided Kolmogorov–Smirnov distance of novelties above 0.15, more than 20 % new terms,
// or half as many documents as the fit had. Known
// documents count in the first three as documents like the model's, and documents without a term in
// none.
//
// The model does not grow by documents that are its own: an update by these alone, and by documents
// without a term, gives the same model, byte for byte. Time: as of Predict, and for the graph of
// all documents if the model grows. Errors: as of Predict.
func Update(ctx context.Context, modelFile, file string, opt request.Options) (*Updated, error) {
	p, err := predicting.Predict(ctx, modelFile, file, opt)
	return updated(ctx, p, err)
}

// UpdateMatrix is [Update] of a model in memory by the rows of a matrix, as
// [predicting.PredictMatrix] takes them.
func UpdateMatrix(ctx context.Context, m *predicting.Model, x mat.Matrix, opt request.Options) (*Updated, error) {
	p, err := predicting.PredictMatrix(ctx, m, x, opt)
	return updated(ctx, p, err)
}

// UpdateTexts is [Update] of a model in memory by texts, one document each.
func UpdateTexts(ctx context.Context, m *predicting.Model, texts []string, opt request.Options) (*Updated, error) {
	p, err := predicting.PredictTexts(ctx, m, texts, opt)
	return updated(ctx, p, err)
}

// UpdateInto is [Update] of documents that are written as they are placed, and not kept: see
// [predicting.PredictInto].
func UpdateInto(ctx context.Context, modelFile, file string, opt request.Options, into predicting.Into) (*Updated, error) {
	u := new(Updated)
	into.Watch = u.watch
	p, err := predicting.PredictInto(ctx, modelFile, file, opt, into)
	if err != nil {
		return nil, err
	}
	u.Prediction = p
	if err := u.update(ctx); err != nil {
		p.Abort()
		return nil, fault.Wrap(p.Run.J.InDocuments(err))
	}
	if into.Folder == nil && u.grew != nil {
		p.Run.J.Note("Nothing was written, so the model is as it was: ‹out› names the folder that keeps the model with the new documents.")
	}
	u.Timings = p.Run.J.Times
	return u, nil
}

// updated lets the model of a prediction grow by its documents.
func updated(ctx context.Context, p *predicting.Prediction, err error) (*Updated, error) {
	if err != nil {
		return nil, err
	}
	u := &Updated{Prediction: p}
	if err = u.watch(p); err == nil {
		err = u.update(ctx)
	}
	if err != nil {
		return nil, fault.Wrap(p.Run.J.InDocuments(err))
	}
	u.Timings = p.Run.J.Times
	return u, nil
}

// Next is the model with the new documents; the model itself where there are none. It shares memory
// with the model before it, which stays as it is.
func (u *Updated) Next() (*predicting.Model, error) {
	if u.grew == nil {
		return u.Model, nil
	}
	m, err := predicting.NewModel("", u.grew)
	return m, fault.Wrap(err)
}

func (u *Updated) update(ctx context.Context) error {
	j, m := u.Run.J, predicting.Stored(u.Model)
	defer j.Stage("update")()
	defer native.Hold()()
	if err := u.Model.Calibrate(ctx); err != nil {
		return err
	}
	u.Updates = updatesOf(u.Model)
	if err := u.measure(m); err != nil {
		return err
	}
	if u.Drift.Documents == 0 {
		u.Refit = u.Updates.Reasons(u.Updates.Since)
		u.noteTerms()
		return nil
	}
	u.Updates.Count++
	u.Updates.Since = u.Updates.Since.Plus(u.Drift)
	u.Refit = u.Updates.Reasons(u.Drift)
	for _, why := range u.Updates.Reasons(u.Updates.Since) {
		if u.Refit == nil || u.Updates.Count > 1 && !slices.Contains(u.Refit, why) {
			u.Refit = append(u.Refit, why)
		}
	}
	if err := u.grow(ctx); err != nil {
		return err
	}
	u.noteUpdate()
	return nil
}

// updatesOf are the updates of a model before this one.
func updatesOf(m *predicting.Model) drift.Updates {
	if before := m.Summary.Updates; before != nil {
		return *before
	}
	stored := predicting.Stored(m)
	return drift.Updates{Fitted: stored.Documents, Distinct: m.Documents() > stored.Documents, Terms: stored.Rows.Columns}
}

// measure counts the new documents.
func (u *Updated) measure(m *model.Model) error {
	u.Drift = u.new.drift
	if u.Corpus.Terms == nil || u.Drift.Documents == 0 {
		return nil
	}
	unknown, err := m.Rows.Unknown(u.Corpus)
	if err != nil {
		return err
	}
	for _, n := range u.new.df {
		if n >= leastNewTerm {
			u.Drift.Terms++
		}
	}
	for _, c := range unknown {
		if u.new.df[c] >= leastNewTerm {
			u.Drift.NewTerms++
		}
	}
	return nil
}

// noteTerms says how many terms of the documents the model lacks still, and what takes them.
func (u *Updated) noteTerms() {
	lacks := u.Terms.New - u.AddedTerms
	if lacks <= 0 {
		return
	}
	from := ""
	if u.AddedTerms > 0 {
		from = fmt.Sprintf(", of %s new ones", words.Thousands(u.Terms.New))
	}
	u.Run.J.Note(fmt.Sprintf("The model ignores %s of these documents that it does not know%s: clustering the old documents and these together (eigenmap cluster) takes those that are not too rare.", words.Counted(lacks, "term"), from))
}

// noteUpdate says what became of the model, and why it should be made again.
func (u *Updated) noteUpdate() {
	j := u.Run.J
	switch {
	case u.Added > 0:
		j.Note(fmt.Sprintf("The model grew by %s and %s; it has %s, and had %s when it was fitted.", words.Counted(u.Added, u.Updates.What()), words.Counted(u.AddedTerms, "term"),
			words.Counted(u.grew.Documents, u.Updates.What()), words.Thousands(u.Updates.Fitted)))
	case u.grew.Documents >= mostGrowth*u.Updates.Fitted:
		j.Note(fmt.Sprintf("The model has twice the %s of its fit and grows no more: new documents are placed alone.", words.Counted(u.Updates.Fitted, u.Updates.What())))
	default:
		j.Note("New documents are placed alone: a model of the method " + u.Model.Method() + " does not grow by these.")
	}
	u.noteTerms()
	for _, why := range u.Refit {
		j.Warn("Make the model again: " + why + ".")
	}
}
