package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
)

// ReadingOf counts the terms of texts, one document each, as [ClusterTexts] does, and works on them
// no further. Errors: as of [Read], and [corpus.ErrNoTerms] if no word is left.
func ReadingOf(ctx context.Context, texts []string, opt Options) (*Reading, error) {
	r, err := newRequest(opt, "read")
	if err != nil {
		return nil, wrapped(err)
	}
	if texts == nil {
		texts = []string{}
	}
	out := &Reading{j: &job{request: r, file: textsName, texts: texts}}
	if err := out.read(ctx); err != nil {
		return nil, wrapped(out.j.inDocuments(err))
	}
	out.Timings = out.j.times
	return out, nil
}

// OnReading runs the request over documents that were read, so that several requests need one
// reading. How new texts are counted with a model of the run is what the reading says; the
// request's own options of texts have no effect. Errors: as of [Prepared.OnCorpus].
func (p *Prepared) OnReading(ctx context.Context, read *Reading) (*Run, error) {
	own := *p.request
	own.Text, own.Source.Strip = read.j.Text, read.j.Source.Strip
	return (&Prepared{&own, p.command}).OnCorpus(ctx, read.Corpus)
}

// Affinity is the graph of neighbours by which the method joined the documents, n × n and
// symmetric. Documents that are copies of one share its edges, as of [Graph]. It is nil if the
// method has no such graph, has it of landmarks alone, or never writes it down.
func (r *Run) Affinity() (*sparse.CSR, error) {
	if r.Fitted == nil || r.Fitted.Landmarks != nil {
		return nil, nil
	}
	g := r.Fitted.Graph
	if g == nil || g.W == nil || g.Share.Divided() {
		return nil, nil
	}
	if !r.hasCopies() {
		return g.W, nil
	}
	g, err := graph.Together(r.j.whole.groups.Len(), g, r.j.whole.groups.Sets())
	if err != nil {
		return nil, wrapped(err)
	}
	return g.W, nil
}
