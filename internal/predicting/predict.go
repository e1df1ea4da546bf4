// Package predicting puts new documents into the embedding and the clusters of a model, and says
// why they are there.
package predicting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Predict reads a model and new documents, and puts them into its embedding and its clusters. Of
// the options Source, Vectors, Reject, MaxBytes and Observer count.
//
// What becomes of a document depends on no other document. Terms are matched by name if both sides
// have names, by stem if both are text, else by their order.
func Predict(ctx context.Context, modelFile, file string, opt request.Options) (*Prediction, error) {
	r, err := request.New(opt, "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	p := &Prediction{Run: &result.Run{J: &job.Job{Request: r, File: file}, Command: "predict"}}
	if err := p.predict(ctx, modelFile); err != nil {
		return nil, fault.Wrap(p.Run.J.InDocuments(err))
	}
	p.Timings = p.Run.J.Times
	return p, nil
}

// PredictMatrix puts the rows of a matrix, of the columns of the training rows before they were
// weighted, into the model. Vectors and columns in memory ([request.Vectors]) belong to the rows.
func PredictMatrix(ctx context.Context, m *Model, x mat.Matrix, opt request.Options) (*Prediction, error) {
	r, err := request.New(opt, "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	p := &Prediction{Model: m, Run: &result.Run{J: &job.Job{Request: r, File: "matrix"}, Command: "predict"}}
	if p.Run.J.Corpus, err = p.Run.J.Take(&corpus.Corpus{Name: "matrix", X: x}, false, m.m.Rows.Fills()); err != nil {
		return nil, fault.Wrap(err)
	}
	if err = p.checkVectors(); err == nil {
		err = p.Run.J.ReadVectors(ctx)
	}
	if err == nil {
		err = p.readColumns(ctx)
	}
	if err != nil {
		return nil, fault.Wrap(p.Run.J.InFile(err))
	}
	if err := p.place(ctx); err != nil {
		return nil, fault.Wrap(p.Run.J.InFile(err))
	}
	p.notePlaced()
	p.Timings = p.Run.J.Times
	return p, nil
}

// PredictTexts puts texts, one document each, into the model, whose documents were texts or have
// names of terms. Errors: as of [Predict].
func PredictTexts(ctx context.Context, m *Model, texts []string, opt request.Options) (*Prediction, error) {
	r, err := request.New(opt, "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	if texts == nil {
		texts = []string{}
	}
	p := &Prediction{Model: m, Run: &result.Run{J: &job.Job{Request: r, File: job.TextsName, Texts: texts}, Command: "predict"}}
	if err := p.read(ctx); err != nil {
		return nil, fault.Wrap(p.Run.J.InDocuments(err))
	}
	p.Timings = p.Run.J.Times
	return p, nil
}

func (p *Prediction) predict(ctx context.Context, modelFile string) error {
	j := p.Run.J
	if err := j.SameOnRanks(ctx); err != nil {
		return err
	}
	end := j.Stage("model")
	var err error
	if p.Model, err = loadModel(ctx, modelFile); err == nil {
		if why := p.Model.Closed(); why != "" {
			err = invalid.Errorf("%s: the model takes no new documents: %s", modelFile, why)
		}
	}
	end()
	if err = ranks.Agree(ranks.From(ctx), err); err != nil {
		return err
	}
	return p.read(ctx)
}

// read reads the new documents and places them.
func (p *Prediction) read(ctx context.Context) error {
	j := p.Run.J
	switch err := p.readAll(ctx); {
	case nothingNew(err):
		p.empty()
		return nil
	case err != nil:
		return err
	}
	if err := p.place(ctx); err != nil {
		return j.InFile(err)
	}
	p.warnOfNumbers()
	p.notePlaced()
	if p.Sizes == nil {
		return nil
	}
	var err error
	if p.Held() {
		err = p.Score(ctx)
	} else {
		err = p.scoreTally(ctx)
	}
	p.nameByTerms()
	return err
}

// readAll reads the new documents. All ranks call it and get an error if one of them has one.
func (p *Prediction) readAll(ctx context.Context) error {
	err, team := p.readDocuments(ctx), ranks.From(ctx)
	failed := err
	if nothingNew(err) {
		failed = nil
	}
	if failed = ranks.Agree(team, failed); failed != nil {
		return failed
	}
	if other := ranks.SameInput(team, []ranks.Fact{{Name: p.Run.J.File, Value: fmt.Sprint(nothingNew(err))}}); other != nil {
		return other
	}
	return err
}

// readDocuments reads the documents, their vectors and labels.
func (p *Prediction) readDocuments(ctx context.Context) error {
	j := p.Run.J
	end := j.Stage("read")
	rows := &p.Model.m.Rows
	if err := p.checkVectors(); err != nil {
		return err
	}
	j.UsualColumns = p.Model.columns()
	j.UsualFormat, j.NamedFormat = p.Model.formats(j.File)
	opt := j.ReadOptions()
	opt.Counts, opt.AnyRows = asCounted, true
	opt.Text, opt.Vectors, opt.ViewColumns = rows.TextOptions(), rows.Vectors && !j.WithVectors(), rows.ViewNames()
	if !opt.Vectors {
		opt.Filling = rows.Fills()
	}
	if rows.Categories != nil {
		opt.Categories, opt.AsCategories, opt.ViewColumns = true, rows.Categories, rows.Categories
	}
	if len(opt.Strip) == 0 {
		if opt.Strip = rows.Strip; len(rows.Strip) == 0 {
			opt.Strip = []string{corpus.StripNone}
		}
	}
	if err := j.CheckSource(ctx); err != nil {
		return err
	}
	read := j.ReadCorpus
	if p.inBlocks(ctx) {
		read = p.readBlocks
	}
	err := p.readTexts(ctx, opt, read)
	if errors.Is(err, errHeld) {
		err = p.readTexts(ctx, opt, j.ReadCorpus)
	}
	if nothingNew(err) {
		return cmp.Or(p.textsAlone(ctx), err)
	} else if err != nil {
		return p.withoutModel(err)
	}
	if err := p.checkStrip(); err != nil {
		return err
	}
	if err := j.ReadVectors(ctx); err != nil {
		return err
	}
	if err := p.checkModel(); err != nil {
		return err
	}
	end()
	if err := j.SelectClasses(); err != nil {
		return err
	}
	return p.readColumns(ctx)
}

// readTexts reads the documents under the given options. Texts without a word are placed as any
// that has none of the model's terms.
func (p *Prediction) readTexts(ctx context.Context, opt corpus.ReadOptions, read func(context.Context, corpus.ReadOptions) error) error {
	rows := &p.Model.m.Rows
	err := read(ctx, opt)
	if errors.Is(err, corpus.ErrNoTerms) && rows.Text != nil && rows.Terms != nil {
		if opt.Text, err = rows.Fixed(); err == nil {
			if err = read(ctx, opt); err == nil {
				p.Run.J.Corpus.Stems = rows.Stems // as of the columns that were given
			}
		}
	}
	return err
}

// checkStrip refuses texts if another rule chose what the model left out of its own.
func (p *Prediction) checkStrip() error {
	j, rows := p.Run.J, &p.Model.m.Rows
	if len(j.Source.Strip) > 0 || !slices.Contains(rows.Strip, corpus.StripAuto) || rows.StripRule == model.AutoRule || !j.IsText() {
		return nil
	}
	return invalid.Errorf("the model was made with ‹strip› auto of another version of this program, which leaves out other parts of mail: make the model again, or say with ‹strip› what to leave out of these texts")
}

// nameByTerms gives the clusters the terms that the model has for them; a model of an earlier
// version has none.
func (p *Prediction) nameByTerms() {
	if terms := p.Model.Summary.TopTerms; len(terms) == len(p.Clusters) {
		for k := range p.Clusters {
			p.Clusters[k].Terms = terms[k]
			if d := p.Model.Summary.Differences; k < len(d) {
				p.Clusters[k].Differences = d[k]
			}
		}
	}
}

// CheckFolder refuses the folder of the model itself for a prediction's results, also if the
// model is a link into it. A model in memory, "", has no folder.
func CheckFolder(modelFile, dir string) error {
	if dir == "" || modelFile == "" {
		return nil
	}
	modelFile = modelIn(modelFile)
	if folder.Same(filepath.Dir(modelFile), dir) || folder.Same(modelFile, filepath.Join(dir, artefact.ModelName)) {
		return fault.Wrap(invalid.Errorf("%s: that folder holds the model and the results that go with it: choose another ‹out›", dir))
	}
	return nil
}

// nothingNew is whether err says that there are no documents to place.
func nothingNew(err error) bool { return errors.Is(err, corpus.ErrNoDocuments) }

// empty makes a prediction of no documents.
func (p *Prediction) empty() {
	j := p.Run.J
	j.Corpus = &corpus.Corpus{Name: j.File, X: &sparse.CSR{NumCols: p.Model.m.Rows.Columns, RowPtr: []int{0}}}
	p.Corpus = j.Corpus
	j.Note(fmt.Sprintf("Nothing new: %s holds no documents.", j.File))
	if c := p.Model.m.Clusters; c != nil {
		p.Run.TakeClusters(&method.Clusters{Labels: []int{}, Sizes: make([]int, len(c.Sizes))})
		p.Clusters = make([]result.Group, len(c.Sizes))
		for k := range p.Clusters {
			p.Clusters[k].Number = k
		}
		p.nameByTerms()
	}
}
