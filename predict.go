package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// ModelName is the file of a model in a folder of results.
const ModelName = artefact.ModelName

// ModelSummary is what a model's file says about the run that made it, beside what new documents
// need.
type ModelSummary = artefact.ModelSummary

// TypicalText is a document that is like many others of its cluster, with the beginning of its
// text.
type TypicalText = artefact.TypicalText

// Model is a fitted model: File is where it was read, and Summary what it says about the run that
// made it.
type Model struct{ *predicting.Model }

func newModel(m *predicting.Model, err error) (*Model, error) {
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return &Model{m}, nil
}

// IsModel says whether a file is a model, by its content, or a folder of results that holds one.
func IsModel(file string) bool { return predicting.IsModel(file) }

// LoadModel reads a model's file, or model.npz in a folder of results. Errors (fs.ErrInvalid): the
// file is no model, of a later version, or damaged.
func LoadModel(ctx context.Context, file string) (*Model, error) {
	return newModel(predicting.LoadModel(ctx, file))
}

// DecodeModel reads a model from the bytes of its file. Errors: as of [LoadModel].
func DecodeModel(ctx context.Context, file []byte) (*Model, error) {
	return newModel(predicting.DecodeModel(ctx, file))
}

// Model is the model of the run, as [LoadModel] reads it from the file that Save writes: it shares
// no memory with the documents.
func (r *Run) Model(ctx context.Context) (*Model, error) {
	return newModel(predicting.ModelOf(ctx, r.run))
}

// Prediction is where a model puts new documents, in their order.
type Prediction struct {
	// Run holds the documents, their labels (clusters), coordinates and scores: the fields of a
	// clustering, of the new documents.
	*Run
	// Model is the model that placed them.
	Model *Model
	// Isolated are documents with nothing in common with other documents of the model, ascending:
	// their places and clusters are arbitrary.
	Isolated []int
	// Known counts the other documents that equal documents of the model, if the method can find
	// them.
	Known int
	// Terms is how the columns met the model's.
	Terms model.Match

	p *predicting.Prediction
}

func newPrediction(p *predicting.Prediction, err error) (*Prediction, error) {
	if err != nil {
		return nil, fault.Wrap(err)
	}
	run, _ := newRun(p.Run, nil)
	return &Prediction{run, &Model{p.Model}, p.Isolated, p.Known, p.Terms, p}, nil
}

// Predict reads a model and new documents, and puts them into its embedding and its clusters. Of
// the options Source, Vectors, Reject, MaxBytes and Observer count.
//
// What becomes of a document depends on no other document. Terms are matched by name if both sides
// have names, by stem if both are text, else by their order.
func Predict(ctx context.Context, modelFile, file string, opt ...Options) (*Prediction, error) {
	return newPrediction(predicting.Predict(ctx, modelFile, file, first(opt)))
}

// Into is where [PredictInto] and [UpdateInto] write documents as they are placed.
type Into struct {
	Folder   *Folder // nil: nothing is written
	RawTexts bool    // as by [Run.RawTexts]
}

// PredictInto is [Predict] and [Prediction.SaveIn] of documents that need not fit into memory: they
// are read, placed and written in blocks of at most 8,192, and the files are those of SaveIn, byte
// for byte. The prediction has the numbers of documents, the sizes of the clusters, scores and
// notes; what there would be for each document (Labels, Confidence, Embedding and so on) is nil,
// and the matrix of Corpus has no rows. It also returns the paths of the files.
//
// The file is read twice, so the standard input, and formats that are not read in blocks
// ([corpus.Survey]), are read into memory as by Predict. So are documents with vectors, with labels
// in another file, of chosen classes, and of several ranks.
//
// Memory: the model, the terms of the file with their words, and a block.
func PredictInto(ctx context.Context, modelFile, file string, into Into, opt ...Options) (*Prediction, []string, error) {
	p, err := predicting.PredictInto(ctx, modelFile, file, first(opt), predicting.Into{Folder: into.Folder, Raw: into.RawTexts})
	if err != nil {
		return nil, nil, fault.Wrap(err)
	}
	defer p.Abort()
	var saved []string
	if into.Folder != nil {
		if saved, err = p.SaveIn(ctx, into.Folder); err != nil {
			return nil, nil, fault.Wrap(err)
		}
	}
	made, err := newPrediction(p, nil)
	return made, saved, err
}

// PredictMatrix puts the rows of a matrix, of the columns of the training rows before they were
// weighted, into the model. Options.Vectors may have vectors and columns of the rows in memory.
func (m *Model) PredictMatrix(ctx context.Context, x mat.Matrix, opt ...Options) (*Prediction, error) {
	return newPrediction(predicting.PredictMatrix(ctx, m.Model, x, first(opt)))
}

// PredictTexts puts texts, one document each, into the model, whose documents were texts or have
// names of terms. Errors: as of [Predict].
func (m *Model) PredictTexts(ctx context.Context, texts []string, opt ...Options) (*Prediction, error) {
	return newPrediction(predicting.PredictTexts(ctx, m.Model, texts, first(opt)))
}

// first are the options of a call that may leave them out.
func first(opt []Options) Options {
	if len(opt) == 0 {
		return Options{}
	}
	return opt[0]
}

// Explanation says why a document is in its cluster.
type Explanation = predicting.Explanation

// ExplainedColumn is a column of measurements in the unit of the file: the document's value, and
// the means of its cluster and of the second one, or without one of all others, to six digits.
type ExplainedColumn = predicting.ExplainedColumn

// NearDocument is a training document, and its distance from another in the embedding, whose rows
// have length 1: 0 of the same direction, 2 of the opposite one.
type NearDocument = predicting.NearDocument

// Explain says why the given documents of the prediction, numbered from 0, are in their clusters;
// nil of an embedding. It panics if a number is out of range. Errors: the context's, of entries
// that the model cannot weigh, with the file and the document, and after [PredictInto].
func (p *Prediction) Explain(ctx context.Context, documents ...int) ([]Explanation, error) {
	return p.p.Explain(ctx, documents...)
}

// NovelCount is the number of documents of a novelty of at least 0.95 that equal none of the
// model's.
func (p *Prediction) NovelCount() (count int) { return p.p.NovelCount() }

// Save writes clusters.csv, embedding.npy, embedding2d.npy and, of a soft model, posterior.npy and
// uncertain.csv into a folder.
func (p *Prediction) Save(dir string) error {
	return saveIn(dir, p.OpenFolder, p.SaveIn)
}

// OpenFolder opens a folder for the prediction, which must not be the model's own.
func (p *Prediction) OpenFolder(dir string) (*Folder, error) {
	if err := CheckPredictFolder(p.Model.File, dir); err != nil {
		return nil, err
	}
	return OpenFolder(dir)
}

// CheckPredictFolder refuses the folder of the model itself for a prediction's results, also if the
// model is a link into it. A model in memory, "", has no folder.
func CheckPredictFolder(modelFile, dir string) error {
	return fault.Wrap(predicting.CheckFolder(modelFile, dir))
}

// SaveIn writes the results into an open folder. Error (fs.ErrInvalid): [PredictInto] wrote them
// already, and holds no documents.
func (p *Prediction) SaveIn(ctx context.Context, out *Folder) ([]string, error) {
	if err := p.p.CheckHeld(); err != nil {
		return nil, err
	}
	return p.Run.SaveResults(ctx, out)
}

// PredictionJSON is a prediction as one JSON object.
type PredictionJSON = predicting.PredictionJSON

// JSON is the prediction as an object for JSON.
func (p *Prediction) JSON(name func(string) string, files []string) PredictionJSON {
	return p.p.JSON(name, files)
}

// Rows are the lines about the model and the documents.
func (p *Prediction) Rows() [][]string { return p.p.Rows() }
