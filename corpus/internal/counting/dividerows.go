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
	out := &Collection{Terms: c.Terms, Stems: c.Stems, ClassNames: c.ClassNames, Notes: c.Notes, Format: c.Format}
	if c.IDs != nil {
		out.IDs = make([]string, 0, hi-lo)
	}
	if c.Labels != nil {
		out.Labels = make([]int, 0, hi-lo)
	}
	if c.Snippets != nil {
		out.Snippets = make([]string, 0, hi-lo)
	}
	if c.Rarities != nil {
		out.Rarities = make([]Rarity, 0, hi-lo)
	}
	ptr := make([]int, 1, hi-lo+1)
	var col []int32
	var val []float64
	stay, stop := d.shared(at, me, me)
	for from, p := range got {
		if from == me {
			for i := stay - d.first; i < stop-d.first; i++ {
				cols, vals := c.X.Row(i)
				col, val = append(col, cols...), append(val, vals...)
				ptr = append(ptr, len(col))
				if c.IDs != nil {
					out.IDs = append(out.IDs, c.IDs[i])
				}
				if c.Labels != nil {
					out.Labels = append(out.Labels, c.Labels[i])
				}
				if c.Snippets != nil {
					out.Snippets = append(out.Snippets, c.Snippets[i])
				}
				if c.Rarities != nil {
					out.Rarities = append(out.Rarities, c.Rarities[i])
				}
			}
			continue
		}
		for len(p) > 0 {
			for range p.takeNumber() {
				col = append(col, int32(p.takeNumber()))
				val = append(val, float64(p.takeNumber()))
			}
			ptr = append(ptr, len(col))
			if c.IDs != nil {
				out.IDs = append(out.IDs, p.takeText())
			}
			if c.Labels != nil {
				out.Labels = append(out.Labels, int(p.takeNumber())-1)
			}
			if c.Snippets != nil {
				out.Snippets = append(out.Snippets, p.takeText())
			}
			if c.Rarities != nil {
				out.Rarities = append(out.Rarities, Rarity{Terms: int32(p.takeNumber()), Own: int32(p.takeNumber())})
			}
		}
	}
	out.X, err = sparse.NewCSR(hi-lo, len(c.Terms), ptr, col, val)
	*c, d.first = *out, lo
	return d.agree(err)
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
