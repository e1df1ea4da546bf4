package counting

import (
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// move gives every rank the rows that ranks.Part says, and sets first to the first of them.
func (d *division) move(c *Collection) error {
	at := make([]int, 1, d.team.Size()+1) // the documents that were read before each rank's
	for _, f := range d.each {
		at = append(at, at[len(at)-1]+f.Docs)
	}
	me := d.team.Rank()
	parts := make([]parcel, d.team.Size())
	for r := range parts {
		if lo, hi := d.shared(at, me, r); r != me {
			for i := lo - d.first; i < hi-d.first; i++ {
				d.pack(&parts[r], c, i)
			}
		}
	}
	got, err := d.exchange(parts, 8)
	if err != nil {
		return err
	}
	lo, hi := ranks.Part(d.team, me, d.total)
	kept := roomFor(c, hi-lo)
	stay, stop := d.shared(at, me, me)
	for from, p := range got {
		if from == me {
			for i := stay - d.first; i < stop-d.first; i++ {
				kept.copy(c, i)
			}
			continue
		}
		for len(p) > 0 {
			kept.unpack(&p)
		}
	}
	kept.X, err = sparse.NewCSR(hi-lo, len(c.Terms), kept.ptr, kept.col, kept.val)
	*c, d.first = kept.Collection, lo
	return d.agree(err)
}

// movedRows are the rows that a rank keeps, in their order; ptr, col and val become X.
type movedRows struct {
	Collection
	ptr []int
	col []int32
	val []float64
}

// roomFor returns room for n rows with all that the rows of c have.
func roomFor(c *Collection, n int) *movedRows {
	m := &movedRows{Collection: Collection{Terms: c.Terms, Stems: c.Stems, ClassNames: c.ClassNames, Notes: c.Notes, Format: c.Format}, ptr: make([]int, 1, n+1)}
	if c.IDs != nil {
		m.IDs = make([]string, 0, n)
	}
	if c.Labels != nil {
		m.Labels = make([]int, 0, n)
	}
	if c.Snippets != nil {
		m.Snippets = make([]string, 0, n)
	}
	if c.Rarities != nil {
		m.Rarities = make([]Rarity, 0, n)
	}
	return m
}

// copy appends row i of c.
func (m *movedRows) copy(c *Collection, i int) {
	cols, vals := c.X.Row(i)
	m.col, m.val = append(m.col, cols...), append(m.val, vals...)
	m.ptr = append(m.ptr, len(m.col))
	if m.IDs != nil {
		m.IDs = append(m.IDs, c.IDs[i])
	}
	if m.Labels != nil {
		m.Labels = append(m.Labels, c.Labels[i])
	}
	if m.Snippets != nil {
		m.Snippets = append(m.Snippets, c.Snippets[i])
	}
	if m.Rarities != nil {
		m.Rarities = append(m.Rarities, c.Rarities[i])
	}
}

// unpack appends a row that [division.pack] packed.
func (m *movedRows) unpack(p *parcel) {
	for range p.takeNumber() {
		m.col = append(m.col, int32(p.takeNumber()))
		m.val = append(m.val, float64(p.takeNumber()))
	}
	m.ptr = append(m.ptr, len(m.col))
	if m.IDs != nil {
		m.IDs = append(m.IDs, p.takeText())
	}
	if m.Labels != nil {
		m.Labels = append(m.Labels, int(p.takeNumber())-1)
	}
	if m.Snippets != nil {
		m.Snippets = append(m.Snippets, p.takeText())
	}
	if m.Rarities != nil {
		m.Rarities = append(m.Rarities, Rarity{Terms: int32(p.takeNumber()), Own: int32(p.takeNumber())})
	}
}

// shared are the documents that rank from has read and rank to keeps.
func (d *division) shared(at []int, from, to int) (lo, hi int) {
	lo, hi = ranks.Part(d.team, to, d.total)
	lo, hi = max(lo, at[from]), min(hi, at[from+1])
	return lo, max(lo, hi)
}

// pack appends row i: its entries, which are counts, its name, its class, its snippet and its
// rare terms.
func (d *division) pack(p *parcel, c *Collection, i int) {
	cols, vals := c.X.Row(i)
	p.number(uint64(len(cols)))
	for k, j := range cols {
		p.number(uint64(j))
		p.number(uint64(vals[k]))
	}
	if c.IDs != nil {
		p.text(c.IDs[i])
	}
	if c.Labels != nil {
		p.number(uint64(c.Labels[i] + 1))
	}
	if c.Snippets != nil {
		p.text(c.Snippets[i])
	}
	if c.Rarities != nil {
		p.number(uint64(c.Rarities[i].Terms))
		p.number(uint64(c.Rarities[i].Own))
	}
}
