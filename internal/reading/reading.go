// Package reading reads a corpus for a look at it, without a run.
package reading

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Reading is a corpus, or an affinity graph, that was read and not worked on.
type Reading struct {
	Corpus  *corpus.Corpus
	Graph   *graph.Graph // if the file is an affinity matrix; else nil
	Timings job.Timings
	j       *job.Job
}

// Read reads a corpus under the options of the source, and selects its classes. It is weighted only
// if the options name a weighting or a normalization.
func Read(ctx context.Context, file string, opt request.Options) (*Reading, error) {
	return read(ctx, opt, &job.Job{File: file})
}

// OfTexts counts the terms of texts, one document each.
func OfTexts(ctx context.Context, texts []string, opt request.Options) (*Reading, error) {
	if texts == nil {
		texts = []string{}
	}
	return read(ctx, opt, &job.Job{File: job.TextsName, Texts: texts})
}

func read(ctx context.Context, opt request.Options, j *job.Job) (*Reading, error) {
	r, err := request.New(opt, "read")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	j.Request = r
	out := &Reading{j: j}
	if err := out.read(ctx); err != nil {
		return nil, fault.Wrap(out.j.InDocuments(err))
	}
	out.Timings = out.j.Times
	return out, nil
}

// HowTexts returns how the texts became terms, and what was stripped from them.
func (r *Reading) HowTexts() (request.Text, []string) { return r.j.Text, r.j.Source.Strip }

func (r *Reading) read(ctx context.Context) error {
	j := r.j
	if err := j.Load(ctx); err != nil {
		return err
	}
	if j.Source.Precomputed {
		if err := j.ReadAffinity(); err != nil {
			return err
		}
		r.Corpus, r.Graph = j.Corpus, j.Affinity
		return nil
	}
	if err := j.SelectClasses(); err != nil {
		return err
	}
	weighted := *j.Corpus
	if j.Weighting != "" || j.Normalize != "" {
		if j.Weighting == "" {
			j.Weighting = corpus.WeightTF
		}
		if j.Normalize == "" {
			j.Normalize = corpus.NormNone
		}
		if err := j.Weigh(ctx); err != nil {
			return err
		}
		weighted.X = j.X
	}
	r.Corpus = &weighted
	return nil
}

// Rows says what was read.
func (r *Reading) Rows() [][]string { return r.j.InputRows()[:1] }

// NotesAs are the notes with the names of options as the function writes them.
func (r *Reading) NotesAs(name func(string) string) []string { return r.j.Notes.As(name, true) }

// Warnings are the notes that warn, such as of documents that are left out.
func (r *Reading) Warnings(name func(string) string) []job.Warning { return r.j.Notes.Warnings(name) }

// ClassSize is one class of a corpus.
type ClassSize struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// CorpusJSON describes a corpus as one JSON object.
type CorpusJSON struct {
	Kind       string      `json:"kind"` // "corpus"
	File       string      `json:"file"`
	Format     string      `json:"format"` // one of [corpus.Formats]
	Documents  int         `json:"documents"`
	Terms      int         `json:"terms"`
	Sparse     bool        `json:"sparse"`
	Entries    int         `json:"entries"` // not zero
	Density    float64     `json:"density"`
	Empty      int         `json:"empty_documents"`
	Vocabulary bool        `json:"vocabulary"`
	IDs        bool        `json:"ids"`
	Labeled    int         `json:"labeled"`
	Classes    []ClassSize `json:"classes"`
	Notes      []string    `json:"notes"`
}

// nonZero counts the numbers that are not zero.
func nonZero(row []float64) (n int) {
	for _, v := range row {
		if v != 0 {
			n++
		}
	}
	return n
}

// JSON describes the corpus that was read.
func (r *Reading) JSON(name func(string) string) CorpusJSON {
	c := r.Corpus
	v := CorpusJSON{Kind: "corpus", File: r.j.File, Format: c.Format, Vocabulary: c.Terms != nil, IDs: c.IDs != nil, Notes: words.NotNil(r.NotesAs(name)), Classes: []ClassSize{}}
	v.Documents, v.Terms = c.X.Dims()
	count := func(i int) int {
		n := 0
		for t := range v.Terms {
			if c.X.At(i, t) != 0 {
				n++
			}
		}
		return n
	}
	switch x := c.X.(type) {
	case *sparse.CSR:
		v.Sparse = true
		count = func(i int) int { return x.RowPtr[i+1] - x.RowPtr[i] }
	case mat.RawRowViewer:
		count = func(i int) int { return nonZero(x.RawRowView(i)) }
	}
	const grain = 1024 // documents
	sums := make([]struct{ entries, empty int }, parallel.Chunks(v.Documents, grain))
	_ = parallel.For(context.Background(), v.Documents, grain, func(_, lo, hi int) error { // it cannot fail
		sum := &sums[lo/grain]
		for i := lo; i < hi; i++ {
			n := count(i)
			sum.entries += n
			if n == 0 {
				sum.empty++
			}
		}
		return nil
	})
	for _, sum := range sums {
		v.Entries += sum.entries
		v.Empty += sum.empty
	}
	v.Density = float64(v.Entries) / (float64(v.Documents) * float64(v.Terms))
	if c.Labels != nil {
		sizes, unlabelled := c.ClassSizes()
		v.Labeled = v.Documents - unlabelled
		for i, n := range sizes {
			v.Classes = append(v.Classes, ClassSize{c.ClassNames[i], n})
		}
	}
	return v
}

// DateColumns returns the names of the columns beside the texts that hold dates by the documents
// that stand first in the file. Numbers, such as years, are none: they may be measurements. nil for
// documents without texts, for one that is asked for by the options, and for none.
func (r *Reading) DateColumns(ctx context.Context) (names []string) {
	if r.j.Corpus == nil || r.j.File == "-" || !r.j.IsText() || r.j.TimeColumn != "" {
		return nil
	}
	list, _ := corpus.FirstColumns(ctx, r.j.File, r.j.ReadOptions(), nil)
	for i := range list {
		v, err := model.NewColumnView(&list[i], "")
		if err == nil && v.Kind == model.KindDate && len(list[i].Words) > 1 {
			names = append(names, list[i].Name)
		}
	}
	return names
}
