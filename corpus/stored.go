package corpus

import (
	"context"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// worthReading is the least time of reading that is kept as a piece: a smaller corpus is read again
// about as fast.
const worthReading = time.Second

// readStored is read with a store: it takes the corpus from there if the same files were read under
// the same options, else it keeps the corpus once the store's data are known.
func readStored(ctx context.Context, st *store.Store, path string, opt ReadOptions) (*Corpus, error) {
	const kind = "corpus"
	before, err := filesOf(ctx, path, opt)
	if err != nil {
		return read(ctx, path, opt) // which says what is wrong
	}
	key, err := readKey(ctx, path, opt, before)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return read(ctx, path, opt)
	}
	var c *Corpus
	found, err := st.Read(kind, key, func(d *store.Decoder) { c = decodeCorpus(ctx, d, input.Within(ctx, opt.MaxBytes)) })
	if err == nil {
		err = ctx.Err() // an end while the piece was read leaves a part of the corpus
	}
	if err != nil {
		return nil, err
	}
	if found {
		c.Name, c.IDsFrom = path, opt.IDsFrom
		if opt.Single {
			if err := c.ToSingle(); err != nil {
				return nil, err
			}
		}
		opt.Observer.Notef("read", "The corpus is the one that was read before, in %s.", st.Dir)
		return c, nil
	}
	began := time.Now()
	if c, err = read(ctx, path, opt); err != nil {
		return nil, err
	}
	if !st.Always && time.Since(began) < worthReading {
		return c, nil
	}
	if after, err := filesOf(ctx, path, opt); err != nil || !before.same(after) {
		return c, nil // a file changed in the meantime: the key may belong to other bytes
	}
	return c, st.Later(func() error { return st.Write(kind, key, c.encode) })
}

// shape is the part of a stored corpus by which the others are read.
type shape struct {
	Rows, Cols int
	Sparse     bool
	Entries    int
	Labels     bool
	Rarities   bool
	Filling    *Filling     `json:",omitempty"`
	Categories []Category   `json:",omitempty"`
	Numbers    []int        `json:",omitempty"`
	Columns    UsualColumns `json:",omitzero"`
	Gaps       []int        `json:",omitempty"` // of each column the number of documents whose values were filled
}

// encode writes the parts of the corpus but for those that belong to the request.
func (c *Corpus) encode(e *store.Encoder) {
	s := shape{Labels: c.Labels != nil, Rarities: c.Rarities != nil, Filling: c.Filling, Categories: c.Categories, Numbers: c.numbers, Columns: c.Columns}
	var gaps []int32
	for _, list := range c.gaps {
		s.Gaps, gaps = append(s.Gaps, len(list)), append(gaps, list...)
	}
	s.Rows, s.Cols = c.X.Dims()
	x, isSparse := c.X.(sparse.Rows)
	if s.Sparse = isSparse; isSparse {
		s.Entries = x.Pattern().NNZ()
	} else {
		s.Entries = s.Rows * s.Cols
	}
	e.Value(s)
	if isSparse {
		e.Matrix(x)
	} else {
		row := make([]float64, s.Cols)
		for i := range s.Rows {
			mat.Row(row, i, c.X)
			e.Floats(row)
		}
	}
	if s.Gaps != nil {
		e.Indices(gaps)
	}
	if c.Labels != nil {
		labels := make([]int32, s.Rows)
		for i, l := range c.Labels {
			labels[i] = int32(l)
		}
		e.Indices(labels)
	}
	if c.Rarities != nil {
		numbers := make([]int32, 0, 2*s.Rows)
		for _, r := range c.Rarities {
			numbers = append(numbers, r.Terms, r.Own)
		}
		e.Indices(numbers)
	}
	for _, texts := range [][]string{c.ClassNames, c.Terms, c.IDs, c.Notes, {c.LabelNote, c.Format}, c.unread, c.Stems, c.Snippets} {
		e.Texts(texts)
	}
}

// decodeCorpus reads what [Corpus.encode] wrote. Its matrix may take limit bytes; 0: any number.
func decodeCorpus(ctx context.Context, d *store.Decoder, limit int64) *Corpus {
	var s shape
	d.Value(&s)
	if s.Rows < 0 || s.Cols < 0 || s.Entries < 0 || !s.Sparse && s.Cols > 0 && s.Rows > s.Entries/s.Cols {
		d.Fail("its sizes do not fit")
	}
	need := memory.Bytes(8, s.Entries)
	if s.Sparse {
		need = memory.Sum(memory.Bytes(12, s.Entries), memory.Bytes(20, s.Rows))
	}
	if limit > 0 && need > limit {
		d.Fail("its %s take more memory than there is", words.Counted(s.Rows, "document"))
	}
	c := &Corpus{Filling: s.Filling, Categories: s.Categories, numbers: s.Numbers, Columns: s.Columns}
	if s.Sparse {
		c.X = decodeSparse(d, s)
	} else {
		c.X = decodeDense(ctx, d, s)
	}
	c.gaps = decodeGaps(d, s.Gaps)
	if s.Labels && !d.Failed() {
		labels := d.AllIndices()
		c.Labels = make([]int, len(labels))
		for i, l := range labels {
			c.Labels[i] = int(l)
		}
	}
	if s.Rarities && !d.Failed() {
		numbers := d.AllIndices()
		c.Rarities = make([]Rarity, len(numbers)/2)
		for i := range c.Rarities {
			c.Rarities[i] = Rarity{Terms: numbers[2*i], Own: numbers[2*i+1]}
		}
	}
	var single []string
	for _, texts := range []*[]string{&c.ClassNames, &c.Terms, &c.IDs, &c.Notes, &single, &c.unread, &c.Stems, &c.Snippets} {
		*texts = d.Texts()
	}
	if !d.Failed() && (len(single) != 2 || !c.fits(s)) {
		d.Fail("its parts do not fit its sizes")
	}
	if d.Failed() {
		return nil
	}
	c.LabelNote, c.Format = single[0], single[1]
	return c
}

// fits reports whether labels and names have the lengths of the matrix.
func (c *Corpus) fits(s shape) bool {
	return (c.Labels == nil || len(c.Labels) == s.Rows) && (c.IDs == nil || len(c.IDs) == s.Rows) && (c.Snippets == nil || len(c.Snippets) == s.Rows) &&
		(c.gaps == nil || len(c.gaps) == s.Cols && !slices.ContainsFunc(slices.Concat(c.gaps...), func(i int32) bool { return i < 0 || int(i) >= s.Rows })) &&
		(c.Rarities == nil || len(c.Rarities) == s.Rows) &&
		(c.Terms == nil || len(c.Terms) == s.Cols) && (c.Stems == nil || len(c.Stems) == s.Cols)
}

// decodeGaps reads lists of so many documents each.
func decodeGaps(d *store.Decoder, lengths []int) (gaps [][]int32) {
	if lengths == nil || d.Failed() {
		return nil
	}
	all := d.AllIndices()
	for _, n := range lengths {
		if n < 0 || n > len(all) {
			d.Fail("its parts do not fit its sizes")
			return nil
		}
		var list []int32
		if n > 0 {
			list = all[:n:n]
		}
		gaps, all = append(gaps, list), all[n:]
	}
	return gaps
}

func decodeSparse(d *store.Decoder, s shape) mat.Matrix {
	x := d.Matrix(s.Rows, s.Cols)
	if !d.Failed() && x.NNZ() != s.Entries {
		d.Fail("its parts do not fit its sizes")
	}
	return x
}

func decodeDense(ctx context.Context, d *store.Decoder, s shape) mat.Matrix {
	if d.Failed() || s.Rows == 0 || s.Cols == 0 {
		d.Fail("its sizes do not fit")
		return nil
	}
	x := mat.NewDense(s.Rows, s.Cols, nil)
	for i := 0; i < s.Rows && !d.Failed() && ctx.Err() == nil; i++ {
		d.Floats(x.RawRowView(i))
	}
	return x
}
