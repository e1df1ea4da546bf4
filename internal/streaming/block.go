package streaming

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// placedBlock is what became of a block of documents: their counts, and what is written of them.
type placedBlock struct {
	predicting.Tally
	lines predicting.Lines // zero if nothing is written
}

// blockOf is the block of a prediction, with its lines and coordinates if these are written.
func (w *placing) blockOf(p *predicting.Prediction) (*placedBlock, error) {
	b := &placedBlock{Tally: p.Tally()}
	if w.out == nil {
		return b, nil
	}
	lines, err := predicting.LinesOf(p, artefact.Escapes(p.Run) || w.of.escapes && !w.of.Run.Raw)
	if err != nil {
		return nil, err
	}
	lines.Doubts = nil // uncertain.csv is not written
	b.lines = *lines
	return b, nil
}

// blockShape is the part of a stored block by which the others are read.
type blockShape struct {
	Tally   predicting.Tally
	Arrays  []string
	Columns []int
	Cells   [][3]int // of the tally: class, cluster, documents
}

// cellsOf lists the cells by class and cluster.
func cellsOf(cells metrics.Cells) (list [][3]int) {
	for at, n := range cells {
		list = append(list, [3]int{at[0], at[1], n})
	}
	slices.SortFunc(list, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
	return list
}

// encode writes the block as a piece.
func (b *placedBlock) encode(e *store.Encoder) {
	s := blockShape{Tally: b.Tally, Cells: cellsOf(b.Cells)}
	s.Tally.Cells = nil
	for _, a := range b.lines.Arrays {
		_, d := a.Rows.Dims()
		s.Arrays, s.Columns = append(s.Arrays, a.Name), append(s.Columns, d)
	}
	e.Value(s)
	e.Texts(b.lines.Head)
	e.Bytes(b.lines.Text)
	for k, a := range b.lines.Arrays {
		e.FloatParts(b.Documents*s.Columns[k], func(yield func([]float64) bool) {
			for i := range b.Documents {
				if !yield(a.Rows.RawRowView(i)) {
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
	b := &placedBlock{s.Tally, predicting.Lines{Head: d.Texts(), Text: d.AllBytes()}}
	b.Cells = metrics.Cells{}
	for _, c := range s.Cells {
		b.Cells.Add(c[0], c[1], c[2])
	}
	if b.Documents != documents || len(s.Columns) != len(s.Arrays) {
		d.Fail("it has %d documents where %d are right", b.Documents, documents)
	}
	for k, name := range s.Arrays {
		values := d.AllFloats()
		if d.Failed() || len(values) != documents*s.Columns[k] || len(values) == 0 {
			d.Fail("%s has %d numbers for %d documents", name, len(values), documents)
			return nil
		}
		b.lines.Arrays = append(b.lines.Arrays, predicting.Array{Name: name, Rows: mat.NewDense(documents, s.Columns[k], values)})
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
	h := store.NewHasher("placed blocks 3")
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
