package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Prediction is where a model puts new documents, in their order.
type Prediction struct {
	// Run holds the documents, their labels (clusters), coordinates and scores: the fields of a
	// clustering, of the new documents.
	*Run
	// Model is the model that placed them.
	Model *Model
	// Isolated are documents with nothing in common with the model's, ascending: their places and
	// clusters are arbitrary.
	Isolated []int
	// Known counts the other documents that equal documents of the model, if the method can find
	// them.
	Known int
	// Terms is how the columns met the model's.
	Terms model.Match

	weighted mat.Matrix // the documents' rows, as the model weighs them
	oneView  bool       // the documents have terms or vectors alone, and the model's have both
}

// Predict reads a model and new documents, and puts them into its embedding and its clusters. Of
// the options only [Source] counts.
//
// What becomes of a document depends on no other document. Terms are matched by name if both sides
// have names, by stem if both are text, else by their order.
func Predict(ctx context.Context, modelFile, file string, opt ...request.Options) (*Prediction, error) {
	r, err := request.New(first(opt), "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	p := &Prediction{Run: &Run{j: &job.Job{Request: r, File: file}, command: "predict"}}
	if err := p.predict(ctx, modelFile); err != nil {
		return nil, fault.Wrap(p.Run.j.InDocuments(err))
	}
	p.Timings = p.Run.j.Times
	return p, nil
}

// PredictMatrix puts the rows of a matrix, of the columns of the training rows before they were
// weighted, into the model.
func (m *Model) PredictMatrix(ctx context.Context, x mat.Matrix, opt ...request.Options) (*Prediction, error) {
	r, err := request.New(first(opt), "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	p := &Prediction{Model: m, Run: &Run{j: &job.Job{Request: r, File: "matrix"}, command: "predict"}}
	if p.Run.j.Corpus, err = job.TakeCorpus(&corpus.Corpus{Name: "matrix", X: x}, false); err != nil {
		return nil, fault.Wrap(err)
	}
	if err := p.place(ctx); err != nil {
		return nil, fault.Wrap(p.Run.j.InFile(err))
	}
	p.notePlaced()
	p.Timings = p.Run.j.Times
	return p, nil
}

// PredictTexts puts texts, one document each, into the model, whose documents were texts or have
// names of terms. Errors: as of [Predict].
func (m *Model) PredictTexts(ctx context.Context, texts []string, opt ...request.Options) (*Prediction, error) {
	r, err := request.New(first(opt), "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	if texts == nil {
		texts = []string{}
	}
	p := &Prediction{Model: m, Run: &Run{j: &job.Job{Request: r, File: job.TextsName, Texts: texts}, command: "predict"}}
	if err := p.read(ctx); err != nil {
		return nil, fault.Wrap(p.Run.j.InDocuments(err))
	}
	p.Timings = p.Run.j.Times
	return p, nil
}

// first are the options of a call that may leave them out.
func first(opt []request.Options) request.Options {
	if len(opt) == 0 {
		return request.Options{}
	}
	return opt[0]
}

func (p *Prediction) predict(ctx context.Context, modelFile string) error {
	j := p.Run.j
	end := j.Stage("model")
	var err error
	if p.Model, err = loadModel(ctx, modelFile); err != nil {
		return err
	}
	end()
	if why := p.Model.Closed(); why != "" {
		return invalid.Errorf("%s: the model takes no new documents: %s", modelFile, why)
	}
	return p.read(ctx)
}

// read reads the new documents and places them.
func (p *Prediction) read(ctx context.Context) error {
	j := p.Run.j
	end := j.Stage("read")
	rows := &p.Model.m.Rows
	if err := p.checkVectors(); err != nil {
		return err
	}
	opt := j.ReadOptions()
	opt.Text, opt.Vectors = rows.TextOptions(), rows.Vectors && !j.WithVectors()
	if len(opt.Strip) == 0 {
		opt.Strip = rows.Strip
	}
	if err := j.CheckSource(ctx); err != nil {
		return err
	}
	err := j.ReadCorpus(ctx, opt)
	if errors.Is(err, corpus.ErrNoTerms) && rows.Text != nil && rows.Terms != nil {
		// No text has a word: the documents are placed as any that has none of the model's terms.
		if opt.Text, err = rows.Fixed(); err == nil {
			err = j.ReadCorpus(ctx, opt)
		}
	}
	if nothingNew(err) {
		p.empty()
		return nil
	} else if err != nil {
		return err
	}
	if err := j.ReadVectors(ctx); err != nil {
		return err
	}
	end()
	if err := j.SelectClasses(); err != nil {
		return err
	}
	if err := p.place(ctx); err != nil {
		return j.InFile(err)
	}
	p.notePlaced()
	if p.Labels == nil {
		return nil
	}
	err = p.score(ctx)
	p.nameByTerms()
	return err
}

// nameByTerms gives the clusters the terms that the model has for them; a model of an earlier
// version has none.
func (p *Prediction) nameByTerms() {
	if terms := p.Model.Summary.TopTerms; len(terms) == len(p.Clusters) {
		for k := range p.Clusters {
			p.Clusters[k].Terms = terms[k]
		}
	}
}

// place puts the documents where the method would, and finds their clusters: the nearest centre,
// the lower one on a tie, or those that the method finds itself.
func (p *Prediction) place(ctx context.Context) error {
	defer p.Run.j.Stage("predict")()
	defer native.Hold()()
	m := p.Model.m
	if m.Part == nil {
		return invalid.Errorf("the model takes no new documents: %s", m.Why)
	}
	p.Corpus = p.Run.j.Corpus
	raw, match, err := p.rows(ctx)
	if err != nil {
		return err
	}
	p.Terms, p.weighted = match, raw
	at, err := m.Part.(method.Placer).Place(ctx, raw, p.Run.j.Observe)
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
		if p.Labels, err = (&kmeans.Model{Centers: m.Clusters.Centers}).Predict(ctx, x); err != nil {
			return err
		}
	}
	if err := p.count(at.Certainty); err != nil {
		return err
	}
	if m.Novelty != nil && !p.oneView {
		p.Novelty = m.Novelty.Of(raw, p.Labels)
		for _, i := range at.Isolated {
			p.Novelty[i] = 1
		}
	}
	if err := p.assess(ctx, x, m.Clusters.Sizes, at.Isolated, at.Known); err != nil {
		return err
	}
	if c := m.Calibration; c != nil && p.Confidence != nil && p.Run.j.Confidence != confidence.ConfidenceRaw {
		p.Confidence = c.Of(p.orders)
		for _, i := range at.Isolated {
			p.Confidence[i] = 0
		}
	}
	if p.RejectBelow = p.Run.j.Reject; p.RejectBelow == 0 && (m.Calibration == nil || p.Run.j.Confidence != confidence.ConfidenceRaw) {
		p.RejectBelow = m.Reject
	}
	p.reject()
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
	p.Run.takeClusters(&method.Clusters{Labels: p.Labels, Sizes: p.Sizes, Posterior: p.Posterior, Classes: p.Classes,
		Centers: p.Model.m.Clusters.Centers, Certainty: sure, By: p.Model.Method()})
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

func (p *Prediction) notePlaced() {
	j := p.Run.j
	j.Note(p.Terms.String())
	n := p.Corpus.Len()
	if k := len(p.Isolated); k > 0 {
		j.Warn(fmt.Sprintf("Without anything in common with the model's documents, so that their places and clusters are arbitrary: %d of %s.", k, words.Plural(n, "document", "documents")))
	}
	if p.Known == n {
		j.Note(fmt.Sprintf("Nothing new: all %s are the model's own, and so where they were.", words.Counted(n, "document")))
	} else if p.Known > 0 {
		j.Note(fmt.Sprintf("Documents that are the model's own, and so where they were: %d of %d.", p.Known, n))
	}
	switch k := p.NovelCount(); {
	case p.oneView:
	case p.Labels != nil && p.Novelty == nil:
		j.Note("The model does not measure the novelty of documents: a model that is made again does.")
	case 5*k > n && (k >= 3 || k == n):
		j.Warn(fmt.Sprintf("New documents that may be of none of the model's clusters: %d of %s are farther from their cluster than %g %% of the model's documents are from theirs (novelty of %g and more); their clusters are the least unlike, whatever the confidence says.",
			k, words.Counted(n, "document"), 100*novel, novel))
	}
}

// novel is the novelty from which a document counts as novel: of the training documents, about one
// in twenty does.
const novel = .95

// NovelCount is the number of documents of a novelty of at least 0.95.
func (p *Prediction) NovelCount() (count int) {
	for _, v := range p.Novelty {
		if v >= novel {
			count++
		}
	}
	return count
}

// Save writes clusters.csv, embedding.npy, embedding2d.npy and, of a soft model, posterior.npy and
// uncertain.csv into a folder.
func (p *Prediction) Save(dir string) error {
	out, err := p.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer out.Discard()
	_, err = p.SaveIn(context.Background(), out)
	return err
}

// OpenFolder opens a folder for the prediction, which must not be the model's own.
func (p *Prediction) OpenFolder(dir string) (*Folder, error) {
	if err := CheckPredictFolder(p.Model.File, dir); err != nil {
		return nil, err
	}
	return OpenFolder(dir)
}

// CheckPredictFolder refuses the folder of the model itself for a prediction's results, also if the
// model is a link into it.
func CheckPredictFolder(modelFile, dir string) error {
	if dir == "" {
		return nil
	}
	modelFile = modelIn(modelFile)
	if folder.Same(filepath.Dir(modelFile), dir) || folder.Same(modelFile, filepath.Join(dir, ModelName)) {
		return fault.Wrap(invalid.Errorf("%s: that folder holds the model and the results that go with it: choose another ‹out›", dir))
	}
	return nil
}

// SaveIn writes the results into an open folder.
func (p *Prediction) SaveIn(ctx context.Context, out *Folder) ([]string, error) {
	return p.Run.SaveResults(ctx, out)
}

// PredictionJSON is a prediction as one JSON object.
type PredictionJSON struct {
	Model     string          `json:"model"`
	Method    string          `json:"method"`
	File      string          `json:"file"`
	Documents int             `json:"documents"`
	Terms     int             `json:"terms"`
	Matched   string          `json:"terms_matched_by"` // "order", "name" or "stem"
	Unknown   int             `json:"unknown_terms"`    // that the model does not have
	Missing   int             `json:"missing_terms"`    // of the model, that FILE does not have
	Isolated  int             `json:"isolated"`
	Known     int             `json:"known"`           // documents that are documents of the model
	Novel     *int            `json:"novel,omitempty"` // documents of a novelty of at least 0.95; left out if the model does not measure it
	Reject    float64         `json:"reject"`          // the least confidence of a document in a cluster
	Rejected  int             `json:"rejected"`
	Clusters  int             `json:"clusters"`
	Sizes     []int           `json:"cluster_sizes"`
	Named     []string        `json:"cluster_classes,omitempty"` // class of the model's known labels that each cluster is
	TopTerms  [][]string      `json:"top_terms,omitempty"`       // that the model has for each cluster, the best first
	Classes   int             `json:"classes"`
	Scored    int             `json:"scored"`
	Metrics   *metrics.Scores `json:"metrics,omitempty"`
	Uncertain *Uncertain      `json:"uncertain,omitempty"` // of a soft model
	Notes     []string        `json:"notes"`
	Warnings  []job.Warning   `json:"warnings"` // the notes that warn
	Files     []string        `json:"files"`
	Timings   job.Timings     `json:"timings"`
	Versions  version.Info    `json:"versions"`
}

// JSON is the prediction as an object for JSON.
func (p *Prediction) JSON(name func(string) string, files []string) PredictionJSON {
	_, cols := p.Corpus.X.Dims()
	v := PredictionJSON{
		Model: p.Model.File, Method: p.Model.Method(), File: p.Run.j.File, Documents: p.Corpus.Len(), Terms: cols, Matched: p.Terms.By,
		Unknown: p.Terms.New, Missing: p.Terms.Missing, Isolated: len(p.Isolated), Known: p.Known, Reject: p.RejectBelow, Rejected: p.RejectedCount, Clusters: len(p.Sizes), Sizes: p.Sizes,
		Named: p.Classes, TopTerms: p.Model.Summary.TopTerms, Metrics: p.Scores, Notes: words.NotNil(p.NotesAs(name)), Warnings: p.Warnings(name), Files: words.NotNil(files), Timings: p.Timings, Versions: version.Current(),
	}
	if v.Sizes == nil {
		v.Sizes = []int{}
	}
	if p.Novelty != nil {
		count := p.NovelCount()
		v.Novel = &count
	}
	if p.Labels != nil {
		v.Uncertain = p.Uncertain()
	}
	if p.Run.table != nil {
		v.Classes, v.Scored = len(p.Run.table.Classes), p.Run.scored
	}
	return v
}

// Rows are the lines about the model and the documents.
func (p *Prediction) Rows() [][]string {
	return [][]string{
		{"model", fmt.Sprintf("%s: %s, of %s", p.Model.File, p.Model.Method(), words.Counted(p.Model.Documents(), "document"))},
		{"read", p.Run.j.File + ": " + p.Run.j.CorpusText()},
		{"placed", fmt.Sprintf("%s, %d without anything in common with the model's, %d the model's own", words.Counted(p.Corpus.Len(), "document"), len(p.Isolated), p.Known)},
	}
}

// nothingNew is whether err says that there are no documents to place.
func nothingNew(err error) bool { return errors.Is(err, corpus.ErrNoDocuments) }

// empty makes a prediction of no documents.
func (p *Prediction) empty() {
	j := p.Run.j
	j.Corpus = &corpus.Corpus{Name: j.File, X: &sparse.CSR{NumCols: p.Model.m.Rows.Columns, RowPtr: []int{0}}}
	p.Corpus = j.Corpus
	j.Note(fmt.Sprintf("Nothing new: %s holds no documents.", j.File))
	if c := p.Model.m.Clusters; c != nil {
		p.Run.takeClusters(&method.Clusters{Labels: []int{}, Sizes: make([]int, len(c.Sizes))})
		p.Clusters = make([]Group, len(c.Sizes))
		for k := range p.Clusters {
			p.Clusters[k].Number = k
		}
		p.nameByTerms()
	}
}
