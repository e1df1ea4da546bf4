package streaming

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// placedBlock is what became of a block of documents: what is written of them, and their counts.
type placedBlock struct {
	head   []string // of clusters.csv
	lines  []byte   // of clusters.csv, a record each; nil if nothing is written
	arrays []placedArray
	tally
}

// placedArray is a matrix with a row for every document that was placed.
type placedArray struct {
	name string
	of   *mat.Dense
}

// tally counts the documents of a block, as [Total] does all of them.
type tally struct {
	Documents                                int
	Sizes                                    []int
	Isolated, Known, Novel, Rejected, Scored int
	Measured                                 bool    // their novelty is known
	Counts                                   [][]int // classes × clusters
}

// blockOf is the block of a prediction, with its lines and coordinates if these are written.
func (w *placing) blockOf(p *predicting.Prediction) (*placedBlock, error) {
	b := &placedBlock{tally: tally{Documents: p.Corpus.Len(), Sizes: p.Sizes, Isolated: len(p.Isolated), Known: p.Known,
		Novel: p.NovelCount(), Rejected: p.RejectedCount, Measured: p.Novelty != nil}}
	b.Counts = make([][]int, len(w.of.contents.ClassNames))
	for class := range b.Counts {
		b.Counts[class] = make([]int, len(p.Sizes))
	}
	for i, class := range p.Corpus.Labels {
		if k := p.Labels[i]; class >= 0 && k >= 0 {
			b.Counts[class][k]++
			b.Scored++
		}
	}
	if w.out == nil {
		return b, nil
	}
	var lines bytes.Buffer
	head, row := artefact.ClusterTable(p.Run, artefact.Escapes(p.Run) || w.of.escapes && !w.of.Run.Raw)
	table := csv.NewWriter(&lines)
	var record []string
	for i := range b.Documents {
		record = row(i, record[:0])
		if err := table.Write(record); err != nil {
			return nil, err
		}
	}
	table.Flush()
	b.head, b.lines = head, lines.Bytes()
	for _, a := range []placedArray{{"embedding.npy", p.Embedding}, {"embedding2d.npy", p.Map}, {"posterior.npy", p.Posterior}} {
		if a.of != nil {
			b.arrays = append(b.arrays, a)
		}
	}
	return b, table.Error()
}

// blockShape is the part of a stored block by which the others are read.
type blockShape struct {
	Tally   tally
	Arrays  []string
	Columns []int
}

// encode writes the block as a piece.
func (b *placedBlock) encode(e *store.Encoder) {
	s := blockShape{Tally: b.tally}
	for _, a := range b.arrays {
		_, d := a.of.Dims()
		s.Arrays, s.Columns = append(s.Arrays, a.name), append(s.Columns, d)
	}
	e.Value(s)
	e.Texts(b.head)
	e.Bytes(b.lines)
	for k, a := range b.arrays {
		e.FloatParts(b.Documents*s.Columns[k], func(yield func([]float64) bool) {
			for i := range b.Documents {
				if !yield(a.of.RawRowView(i)) {
					return
				}
			}
		})
	}
}

// decodeBlock reads the block of so many documents.
func decodeBlock(d *store.Decoder, documents int) *placedBlock {
	var s blockShape
	d.Value(&s)
	b := &placedBlock{tally: s.Tally, head: d.Texts(), lines: d.AllBytes()}
	if b.Documents != documents || len(s.Columns) != len(s.Arrays) {
		d.Fail("it has %d documents where %d are right", b.Documents, documents)
	}
	for k, name := range s.Arrays {
		values := d.AllFloats()
		if d.Failed() || len(values) != documents*s.Columns[k] || len(values) == 0 {
			d.Fail("%s has %d numbers for %d documents", name, len(values), documents)
			return nil
		}
		b.arrays = append(b.arrays, placedArray{name, mat.NewDense(documents, s.Columns[k], values)})
	}
	return b
}

// keyOf is the key of what the blocks have in common: the model, and the options of placing.
func (w *placing) keyOf(m *model.Model) (store.Key, error) {
	s := w.of
	m, err := withoutMachine(m)
	if err != nil {
		return store.Key{}, err
	}
	sum := sha256.New()
	if err := m.Encode(sum); err != nil {
		return store.Key{}, err
	}
	opt := s.placingOptions()
	h := store.NewHasher("placed blocks 2")
	h.Text(hex.EncodeToString(sum.Sum(nil)))
	h.Value([]any{opt.Seed, opt.Confidence, opt.Reject, opt.Source.Strip, s.Run.Raw, s.escapes, w.out != nil, s.contents.Format})
	for _, name := range s.contents.ClassNames {
		h.Text(name)
	}
	return h.Key(), nil
}

// withoutMachine is a copy of a model whose summary leaves out what it was made with: threads,
// cores and memory, on which no result depends.
func withoutMachine(m *model.Model) (*model.Model, error) {
	if m.Summary == nil {
		return m, nil
	}
	var summary map[string]json.RawMessage
	if err := json.Unmarshal(m.Summary, &summary); err != nil {
		return nil, err
	}
	delete(summary, "versions")
	text, err := json.Marshal(summary)
	if err != nil {
		return nil, err
	}
	plain := *m
	plain.Summary = text
	return &plain, nil
}

// blockKey is the key of a block: of the documents themselves, so that a file that was written to
// since has other blocks.
func (w *placing) blockKey(docs []corpus.Document) store.Key {
	h := store.NewHasher("placed block 1")
	h.Text(w.key.String())
	for i := range docs {
		h.Text(docs[i].ID)
		h.Text(docs[i].Label)
		h.Text(docs[i].Text)
	}
	return h.Key()
}
