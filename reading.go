package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
)

// Reading is a corpus, or an affinity graph, that was read and not worked on.
type Reading struct {
	Corpus  *corpus.Corpus
	Graph   *graph.Graph // if the file is an affinity matrix; else nil
	Timings Timings
	j       *job
}

// Read reads a corpus under the options of the source, and selects its classes. It is weighted only
// if the options name a weighting or a normalization.
func Read(ctx context.Context, file string, opt Options) (*Reading, error) {
	r, err := newRequest(opt, "read")
	if err != nil {
		return nil, wrapped(err)
	}
	out := &Reading{j: &job{request: r, file: file}}
	if err := out.read(ctx); err != nil {
		return nil, wrapped(out.j.inDocuments(err))
	}
	out.Timings = out.j.times
	return out, nil
}

func (r *Reading) read(ctx context.Context) error {
	j := r.j
	if err := j.load(ctx); err != nil {
		return err
	}
	if j.Source.Precomputed {
		if err := j.readAffinity(); err != nil {
			return err
		}
		r.Corpus, r.Graph = j.corpus, j.graph
		return nil
	}
	if err := j.selectClasses(); err != nil {
		return err
	}
	weighted := *j.corpus
	if j.Weighting != "" || j.Normalize != "" {
		if j.Weighting == "" {
			j.Weighting = corpus.WeightTF
		}
		if j.Normalize == "" {
			j.Normalize = corpus.NormNone
		}
		if err := j.weigh(ctx); err != nil {
			return err
		}
		weighted.X = j.x
	}
	r.Corpus = &weighted
	return nil
}

// Rows says what was read.
func (r *Reading) Rows() [][]string { return r.j.inputRows()[:1] }

// NotesAs are the notes with the names of options as the function writes them.
func (r *Reading) NotesAs(name func(string) string) []string { return r.j.notes.as(name, true) }

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

// JSON describes the corpus that was read.
func (r *Reading) JSON(name func(string) string) CorpusJSON {
	c := r.Corpus
	v := CorpusJSON{Kind: "corpus", File: r.j.file, Format: c.Format, Vocabulary: c.Terms != nil, IDs: c.IDs != nil, Notes: nonNil(r.NotesAs(name)), Classes: []ClassSize{}}
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
	if s, ok := c.X.(*sparse.CSR); ok {
		v.Sparse = true
		count = func(i int) int { return s.RowPtr[i+1] - s.RowPtr[i] }
	}
	for i := range v.Documents {
		n := count(i)
		v.Entries += n
		if n == 0 {
			v.Empty++
		}
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
