package main

import (
	"context"
	"fmt"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"
)

// job is one run over one file: its options, what was read, and what is to be told about it.
type job struct {
	opt   *options
	set   *pflag.FlagSet
	ui    *ui
	file  string
	times timings

	corpus *corpus.Corpus // X is the affinity matrix where it is precomputed
	x      mat.Matrix     // weighted documents; nil where the affinity is precomputed
	graph  *graph.Graph   // the precomputed affinity
	given  given          // what the method is told beforehand
	counts bool           // the method works on term counts, unless the request weighs them
}

// timings are seconds by stage, in the order of the stages.
type timings struct {
	names   []string
	seconds map[string]float64
}

func (t *timings) add(name string, d time.Duration) {
	if t.seconds == nil {
		t.seconds = make(map[string]float64)
	}
	if _, ok := t.seconds[name]; !ok {
		t.names = append(t.names, name)
	}
	t.seconds[name] += d.Seconds()
}

// stage opens a timed stage; calling what it returns closes it.
func (j *job) stage(name string) func() {
	start := time.Now()
	j.ui.stage(name)
	return func() { j.times.add(name, time.Since(start)) }
}

// read brings in the file and makes j.corpus, j.x or j.graph from it.
func (j *job) read(ctx context.Context) error {
	if j.opt.precomputed {
		if err := refuseWith(j.set, "--precomputed, because the graph is already there", besidePrecomputed); err != nil {
			return err
		}
	}
	if err := j.load(ctx); err != nil {
		return err
	}
	if err := j.readGiven(ctx); err != nil {
		return err
	}
	if j.opt.precomputed {
		if err := j.readAffinity(); err != nil {
			return err
		}
		return j.settleLabels()
	}
	if err := j.selectClasses(); err != nil {
		return err
	}
	if err := j.settleLabels(); err != nil {
		return err
	}
	j.noteEmptyLabels()
	return j.weigh()
}

// load reads the corpus as it is.
func (j *job) load(ctx context.Context) error {
	defer j.stage("read")()
	if err := j.settleText(ctx); err != nil {
		return err
	}
	if err := j.readCorpus(ctx, j.opt.readOptions(j.ui.observe)); err != nil {
		return j.singleText(ctx, err)
	}
	return nil
}

// readCorpus reads the corpus as it is under the given options.
func (j *job) readCorpus(ctx context.Context, opt corpus.ReadOptions) error {
	if model.Is(j.file) {
		return requestf("%s: this is a model file, not a corpus: give the corpus it was made from, or eigenmap info to see the model", j.file)
	}
	c, err := corpus.Read(ctx, j.file, opt)
	if err != nil {
		return err
	}
	j.corpus = c
	if err := refuseForFormats(j.set, j.file, c.Format); err != nil {
		return err
	}
	for _, n := range c.Notes {
		if j.opt.truth == "" || !aboutOwnLabels(n) {
			j.ui.note(n)
		}
	}
	if r, cols := c.X.Dims(); r == 0 || cols == 0 {
		return requestf("%s: it holds no documents: %d rows and %d columns", j.file, r, cols)
	}
	return nil
}

func (j *job) readAffinity() error {
	w, ok := j.corpus.X.(*sparse.CSR)
	if !ok {
		var err error
		if w, err = sparse.FromMatrix(j.corpus.X); err != nil {
			return inFile(j.file, err)
		}
	}
	g, err := graph.FromAffinity(w)
	if err != nil {
		return inFile(j.file, err)
	}
	j.graph = g
	return nil
}

// weigh makes j.x, and decides weighting and normalize where they were not given.
func (j *job) weigh() error {
	defer j.stage("weights")()
	_, isSparse := j.corpus.X.(*sparse.CSR)
	if j.opt.weighting == "" {
		j.opt.weighting = "tf"
		if j.isText() && !j.counts {
			j.opt.weighting = "tfidf"
		}
	}
	if j.opt.normalize == "" {
		j.opt.normalize = "none"
		if isSparse && !j.counts {
			j.opt.normalize = "l2"
		}
	}
	x, err := j.corpus.Weighted(j.opt.weighting, j.opt.normalize)
	if err != nil {
		return inFile(j.file, err)
	}
	j.x = x
	return nil
}

// affinity is the graph: the precomputed one, or built from the weighted documents.
func (j *job) affinity(ctx context.Context) (*graph.Graph, error) {
	if j.graph != nil {
		return j.graph, nil
	}
	return j.affinityOf(ctx, j.x)
}

// affinityOf builds the graph of rows x.
func (j *job) affinityOf(ctx context.Context, x mat.Matrix) (*graph.Graph, error) {
	if j.opt.edgeWeight == "" {
		j.opt.edgeWeight = weightOf(x)
	}
	if err := j.checkGraphFlags(); err != nil {
		return nil, err
	}
	defer j.stage("graph")()
	if j.opt.neighbors == 0 && j.opt.epsilon == 0 {
		j.opt.neighbors = max(1, min(graph.DefaultNeighbors, j.corpus.Len()-1))
	}
	g, err := graph.Build(ctx, x, j.opt.graphOptions(j.ui.observe))
	if err != nil {
		return nil, inFile(j.file, err)
	}
	j.opt.heatWidth = g.HeatWidth
	return g, nil
}

// weightOf is the edge weight of rows x where nothing says another.
func weightOf(x mat.Matrix) string {
	if _, ok := x.(*sparse.CSR); ok {
		return string(graph.Dot)
	}
	return string(graph.Heat)
}

// localRule is the --heat-rule that gives every document a scale of its own.
const localRule = string(graph.LocalWidth)

// checkGraphFlags refuses flags of the graph that contradict each other. Where the edge weight is left to the data, these must have been read for a full check.
func (j *job) checkGraphFlags() error {
	o := j.opt
	heat := o.edgeWeight == string(graph.Heat) || o.edgeWeight == "" && (j.x == nil || weightOf(j.x) == string(graph.Heat))
	switch {
	case o.epsilon > 0 && j.set.Changed("neighbors"):
		return requestf("--epsilon and --neighbors are two ways to choose the edges: give one of them")
	case j.set.Changed("heat-width") && !heat:
		return requestf("--heat-width belongs to the heat kernel: give --edge-weight heat with it")
	case (j.set.Changed("heat-rule") || j.set.Changed("local-neighbor")) && !heat:
		return requestf("--heat-rule and --local-neighbor belong to the heat kernel: give --edge-weight heat with them")
	case j.set.Changed("heat-rule") && j.set.Changed("heat-width") && o.heatRule != localRule:
		return requestf("--heat-rule %s finds the width that --heat-width gives: leave one of them out", o.heatRule)
	case j.set.Changed("local-neighbor") && o.heatRule != localRule:
		return requestf("--local-neighbor belongs to local scaling: give --heat-rule local with it")
	case (j.set.Changed("poly-degree") || j.set.Changed("poly-offset")) && !o.polynomial():
		return requestf("--poly-degree and --poly-offset belong to the polynomial kernel: give %s with them", o.polynomialFlag())
	}
	return nil
}

// refuseWith refuses the flags of the groups beside another one.
func refuseWith(set *pflag.FlagSet, beside string, groups ...[]string) error {
	for _, names := range groups {
		for _, name := range names {
			if f := set.Lookup(name); f != nil && asked(f) {
				return requestf("--%s means nothing beside %s: leave it out", name, beside)
			}
		}
	}
	return nil
}

// plural is "1 document has" or "3 documents have".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
