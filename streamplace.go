package eigenmap

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// A block of documents that are placed together has at most so many documents and bytes of texts.
const (
	blockDocuments = 8192
	blockBytes     = 16 << 20
)

// PlaceIn places all documents of the file by the model of the sample, in a second pass, and writes
// the results into an open folder; out may be nil. clusters.csv, embedding.npy, embedding2d.npy and
// posterior.npy are of all documents and are written as these are placed: their lines are those of
// [Predict] with the model. The other files, the report and the model among them, are of the
// sample; uncertain.csv is not written. All get their names together.
//
// Time: a pass over the file, and what the method takes to place a document. Memory: the model, a
// block of at most 8,192 documents or 16 MiB of texts, and what the method takes to place it.
func (s *Streamed) PlaceIn(ctx context.Context, out *Folder) ([]string, error) {
	saved, err := s.placeIn(ctx, out)
	return saved, wrapped(err)
}

func (s *Streamed) placeIn(ctx context.Context, out *Folder) ([]string, error) {
	defer native.Hold()()
	if out != nil && s.Run.j.wantsMap(true) {
		if err := s.DrawMap(ctx); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	part, err := s.Run.model()
	if err != nil {
		return nil, err
	}
	if part.Part == nil {
		return nil, invalid.Errorf("the method %s places no further documents (%s), which ‹%s› needs: choose another method", s.Run.j.spec.Name, part.Why, FitOnKey)
	}
	m, err := newModel(ModelName, part)
	if err != nil {
		return nil, err
	}
	w := &placing{of: s, model: m, out: out}
	defer w.abort()
	most := s.Block
	if most == 0 {
		most = blockDocuments
	}
	blocks := &outofcore.Blocks[corpus.Document]{Items: most, Bytes: blockBytes, Size: documentSize,
		Each: func(docs []corpus.Document) error { return w.block(ctx, docs) }}
	opt := s.Run.j.readOptions()
	opt.Observer = nil
	if err := s.contents.Again(ctx, opt, blocks.Add); err != nil {
		return nil, err
	}
	if err := blocks.Flush(); err != nil {
		return nil, err
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	s.Timings.AddBeforeTotal("place", time.Since(start))
	if out == nil {
		return nil, nil
	}
	s.Run.elsewhere = []string{clustersName, "embedding.npy", "embedding2d.npy", "posterior.npy", "uncertain.csv"}
	return s.SaveIn(ctx, out)
}

// placing is the second pass of a Streamed.
type placing struct {
	of    *Streamed
	model *Model
	out   *Folder

	done     int
	marked   bool
	clusters *folder.Part
	table    *csv.Writer
	parts    []*folder.Part
	arrays   map[string]*outofcore.Rows
	counts   [][]int // classes × clusters
}

// block places some documents and writes them.
func (w *placing) block(ctx context.Context, docs []corpus.Document) error {
	s := w.of
	s.Run.j.observe(progress.Event{Stage: "place", Done: int64(w.done), Total: int64(s.Documents), Unit: "documents"})
	p, err := placeBlock(ctx, w.model, s.contents, docs, s.placingOptions())
	if err != nil {
		return err
	}
	p.rawTexts = s.rawTexts
	if w.done == 0 {
		if err := w.begin(p); err != nil {
			return err
		}
	}
	w.count(p)
	if w.table == nil { // nothing is written
		w.done += len(docs)
		return nil
	}
	_, row := p.clusterTable(w.marked)
	var record []string
	for i := range docs {
		record = row(i, record[:0])
		if err := w.table.Write(record); err != nil {
			return err
		}
	}
	for _, a := range placedArrays(p) {
		rows := w.arrays[a.name]
		if rows == nil {
			continue
		}
		for i := range docs {
			if err := rows.Write(a.of.RawRowView(i)); err != nil {
				return err
			}
		}
	}
	w.done += len(docs)
	return nil
}

// placingOptions are the options of the run that placing knows.
func (s *Streamed) placingOptions() Options {
	j := s.Run.j
	opt := Options{Seed: j.Seed, MaxBytes: j.MaxBytes, Confidence: j.Confidence, Reject: s.RejectBelow, Text: j.Text}
	opt.Source.Strip = j.Source.Strip
	return opt
}

// placeBlock is [Predict] of documents that are in memory as they were read. contents are of the
// corpus that they are of.
func placeBlock(ctx context.Context, m *Model, contents *corpus.Contents, docs []corpus.Document, of Options) (*Prediction, error) {
	j := &job{request: &request{Options: of, command: "predict"}, file: contents.Name}
	p := &Prediction{Model: m, Run: &Run{j: j, command: "predict"}}
	rows, opt := &m.m.Rows, j.readOptions()
	opt.Text = rows.TextOptions()
	c, err := contents.Corpus(ctx, docs, opt)
	if errors.Is(err, corpus.ErrNoTerms) && rows.Text != nil && rows.Terms != nil {
		if opt.Text, err = rows.Fixed(); err == nil {
			c, err = contents.Corpus(ctx, docs, opt)
		}
	}
	if err != nil {
		return nil, err
	}
	j.corpus = c
	if err := p.place(ctx); err != nil {
		return nil, j.inFile(err)
	}
	if p.Labels == nil {
		return p, nil
	}
	if err := p.describeClusters(); err != nil {
		return nil, err
	}
	p.nameByTerms()
	return p, nil
}

// placedArray is a matrix with a row for every document that was placed.
type placedArray struct {
	name string
	of   *mat.Dense
}

func placedArrays(p *Prediction) (list []placedArray) {
	for _, a := range []placedArray{{"embedding.npy", p.Embedding}, {"embedding2d.npy", p.Map}, {"posterior.npy", p.Posterior}} {
		if a.of != nil {
			list = append(list, a)
		}
	}
	return list
}

// begin opens the files, once the first block says which there are.
func (w *placing) begin(p *Prediction) (err error) {
	s := w.of
	w.marked = p.escapes() || s.escapes && !s.rawTexts
	s.Sizes = make([]int, len(p.Sizes))
	w.counts = make([][]int, len(s.contents.ClassNames))
	for k := range w.counts {
		w.counts[k] = make([]int, len(p.Sizes))
	}
	s.measured = p.Novelty != nil
	if w.out == nil {
		return nil
	}
	if w.clusters, err = folder.NewPart(w.out, clustersName); err != nil {
		return err
	}
	w.parts = append(w.parts, w.clusters)
	w.table = csv.NewWriter(w.clusters)
	head, _ := p.clusterTable(w.marked)
	if err := w.table.Write(head); err != nil {
		return err
	}
	w.arrays = make(map[string]*outofcore.Rows)
	for _, a := range placedArrays(p) {
		part, err := folder.NewPart(w.out, a.name)
		if err != nil {
			return err
		}
		w.parts = append(w.parts, part)
		_, d := a.of.Dims()
		if w.arrays[a.name], err = outofcore.NewRows(part, s.Documents, d); err != nil {
			return err
		}
	}
	return nil
}

// count adds what a block says of all documents.
func (w *placing) count(p *Prediction) {
	s := w.of
	for k, n := range p.Sizes {
		s.Sizes[k] += n
	}
	s.Isolated += len(p.Isolated)
	s.Known += p.Known
	s.Novel += p.NovelCount()
	s.Rejected += p.RejectedCount
	for i, class := range p.Corpus.Labels {
		if k := p.Labels[i]; class >= 0 && k >= 0 {
			w.counts[class][k]++
			s.Scored++
		}
	}
}

// abort removes the files that were not finished.
func (w *placing) abort() {
	for _, p := range w.parts {
		p.Abort()
	}
}

// finish ends the files and describes the clusters of all documents.
func (w *placing) finish() error {
	if w.table != nil {
		w.table.Flush()
		if err := w.table.Error(); err != nil {
			return err
		}
	}
	for _, p := range w.parts {
		if err := p.Close(); err != nil {
			return err
		}
	}
	s, j := w.of, w.of.Run.j
	s.Clusters = slices.Clone(s.Run.Clusters)
	for k := range s.Clusters {
		c := &s.Clusters[k]
		c.Size, c.Major, c.MajorCount, c.Labelled = s.Sizes[k], "", 0, 0
		for class, counts := range w.counts {
			c.Labelled += counts[k]
			if counts[k] > c.MajorCount {
				c.Major, c.MajorCount = s.contents.ClassNames[class], counts[k]
			}
		}
	}
	if t := tableOf(w.counts); t != nil {
		s.Scores = scoresAs(t, s.Classes, s.contents.ClassNames, j.known.names)
	}
	all := words.Counted(s.Documents, "document")
	if s.Isolated > 0 {
		j.warn(fmt.Sprintf("Without anything in common with the sample, so that their places and clusters are arbitrary: %s of %s. A larger ‹%s› has more terms.", words.Thousands(s.Isolated), all, FitOnKey))
	}
	if s.measured && 10*s.Novel > s.Documents {
		j.warn(fmt.Sprintf("Documents that may be of none of the clusters: %s of %s are farther from their cluster than %g %% of the sample are from theirs. A larger ‹%s› may have their clusters.", words.Thousands(s.Novel), all, 100*novel, FitOnKey))
	}
	if s.Rejected > 0 {
		j.note(fmt.Sprintf("Documents of a confidence below %.3g, which are left in no cluster (-1): %s of %s.", s.RejectBelow, words.Thousands(s.Rejected), all))
	}
	return nil
}

// tableOf is the table of classes and clusters that have a document in common; nil without any.
func tableOf(counts [][]int) *metrics.Table {
	t := new(metrics.Table)
	for class, row := range counts {
		if slices.Max(row) > 0 {
			t.Classes = append(t.Classes, class)
		}
		for k, n := range row {
			if n > 0 && !slices.Contains(t.Clusters, k) {
				t.Clusters = append(t.Clusters, k)
			}
		}
	}
	if t.Classes == nil {
		return nil
	}
	slices.Sort(t.Clusters)
	for _, class := range t.Classes {
		t.Counts = append(t.Counts, pick(counts[class], t.Clusters))
	}
	return t
}

// StreamJSON is a clustering by a sample as one JSON object: numbers of documents, sizes of
// clusters and scores are of all documents, the rest of the sample.
type StreamJSON struct {
	ClusterJSON
	FittedOn int  `json:"fitted_on"`       // documents of the sample
	Novel    *int `json:"novel,omitempty"` // documents of a novelty of at least 0.95; left out if the model does not measure it
}

// JSON is the clustering as an object for JSON, after [Streamed.PlaceIn].
func (s *Streamed) JSON(name func(string) string, files []string) StreamJSON {
	v := StreamJSON{ClusterJSON: s.Run.ClusterJSON(name, files), FittedOn: s.Corpus.Len()}
	v.Documents, v.Sizes, v.Metrics, v.Scored, v.Rejected = s.Documents, s.Sizes, s.Scores, s.Scored, s.Rejected
	v.Placed = PlacedCounts{Yes: s.Documents - s.Isolated - s.Known, Isolated: s.Isolated, Known: s.Known}
	if s.measured {
		v.Novel = &s.Novel
	}
	return v
}
