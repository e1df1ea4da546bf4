package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/updating"
	"gonum.org/v1/gonum/mat"
)

// Drift counts new documents by how they meet a model: see [Updated].
type Drift = drift.Counts

// Updates are what a model has taken since it was fitted.
type Updates = drift.Updates

// Updated is a model with new documents: the prediction of these, and what they say of the model.
type Updated struct {
	*Prediction
	// Drift is of these documents, Updates of all since the fit.
	Drift   Drift
	Updates Updates
	// Added and AddedTerms are by how much the model grew now.
	Added, AddedTerms int
	// Refit says why the model should be made again, each in words without a full stop; nil: it
	// need not be.
	Refit []string

	u *updating.Updated
}

// Update places new documents by a model, as [Predict] does, lets the model grow by them, and
// measures how far they are from what it was made from.
//
// Models of le, semi-le, cle, spectral and diffusion with a neighbour graph grow: the new documents
// become neighbours by which later ones are placed, at the coordinates that they got, and terms
// that two of them have and the model lacks become columns, with ln(documents/df) as idf. Their
// clusters, coordinates and eigenvalues stay. A model grows to twice the documents and twice the
// terms of its fit at most. Models of other methods place each document alone, and count it.
//
// [Updated.Refit] has reasons where, of these documents or of all since the fit, more than 5 % have
// nothing in common with the model's, more than 10 % have a novelty of 0.95 or more, the one-sided
// Kolmogorov–Smirnov distance of novelties is above 0.15, more than 20 % of the terms are new, or
// there are half as many documents as the fit had (docs/update.md).
//
// Documents that equal the model's count in the first three as documents like the model's, and
// documents without a term in none. The model does not grow by either: an update by these alone
// gives the same model, byte for byte. Time: as of Predict, and for the graph of all documents if
// the model grows. Errors: as of Predict.
func Update(ctx context.Context, modelFile, file string, opt ...Options) (*Updated, error) {
	return newUpdated(updating.Update(ctx, modelFile, file, first(opt)))
}

// UpdateInto is [Update] and [Updated.SaveIn] of documents that need not fit into memory, as
// [PredictInto] takes them. Memory: as of PredictInto, the terms' counts, and of the documents by
// which the model grows, which are at most as many as its fit had, their terms.
func UpdateInto(ctx context.Context, modelFile, file string, into Into, opt ...Options) (*Updated, []string, error) {
	u, err := updating.UpdateInto(ctx, modelFile, file, first(opt), predicting.Into{Folder: into.Folder, Raw: into.RawTexts})
	if err != nil {
		return nil, nil, fault.Wrap(err)
	}
	defer u.Abort()
	var saved []string
	if into.Folder != nil {
		if saved, err = u.SaveIn(ctx, into.Folder); err != nil {
			return nil, nil, fault.Wrap(err)
		}
	}
	made, err := newUpdated(u, nil)
	return made, saved, err
}

func newUpdated(u *updating.Updated, err error) (*Updated, error) {
	if err != nil {
		return nil, fault.Wrap(err)
	}
	p, _ := newPrediction(u.Prediction, nil)
	return &Updated{p, u.Drift, u.Updates, u.Added, u.AddedTerms, u.Refit, u}, nil
}

// UpdateMatrix is [Update] of a model in memory by the rows of a matrix, as [Model.PredictMatrix]
// takes them: the model stays as it is, and [Updated.Next] is the one with the rows.
func (m *Model) UpdateMatrix(ctx context.Context, x mat.Matrix, opt ...Options) (*Updated, error) {
	return newUpdated(updating.UpdateMatrix(ctx, m.Model, x, first(opt)))
}

// UpdateTexts is [Model.UpdateMatrix] by texts, as [Model.PredictTexts] takes them.
func (m *Model) UpdateTexts(ctx context.Context, texts []string, opt ...Options) (*Updated, error) {
	return newUpdated(updating.UpdateTexts(ctx, m.Model, texts, first(opt)))
}

// Next is the model with the new documents; the model itself where there are none. It shares memory
// with the model before it, which stays as it is.
func (u *Updated) Next() (*Model, error) { return newModel(u.u.Next()) }

// SaveIn writes the results into an open folder: the prediction's, and the model with the
// new documents. Where there are none, the model is its file, byte for byte, or the one in memory.
func (u *Updated) SaveIn(ctx context.Context, out *Folder) ([]string, error) {
	if err := u.u.CheckHeld(); err != nil {
		return nil, err
	}
	files, err := u.u.SaveIn(ctx, out)
	return files, fault.Wrap(err)
}

// Save writes the results into a folder, which must not be the model's own.
func (u *Updated) Save(dir string) error {
	return saveIn(dir, u.OpenFolder, u.SaveIn)
}

// DriftJSON is a [Drift] with its shares.
type DriftJSON = updating.DriftJSON

// UpdateJSON is an update as one JSON object.
type UpdateJSON = updating.UpdateJSON

// UpdateDetails is what an update made of the model, and the drift.
type UpdateDetails = updating.UpdateDetails

// JSON is the update as an object for JSON.
func (u *Updated) JSON(name func(string) string, files []string) UpdateJSON {
	return u.u.JSON(name, files)
}

// DriftRows are the lines about the drift, for a person.
func (u *Updated) DriftRows() [][]string { return u.u.DriftRows() }
