package approx

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// shortKeys are keys of dense rows of whole numbers, -‖a−b‖² computed in integers: they have no
// rounding, so they are the same in every order and on every processor. Rows have lengths of at
// most [shortLength], from which no sum overflows 32 bits. 2 bytes per value, rows padded to 32.
type shortKeys struct {
	steps int     // of shortStep values of a row
	rows  []int16 // of each place
	norm2 []int32 // of each place
}

const (
	// shortStep is the number of values that a row is padded to a multiple of.
	shortStep = 16
	// shortLength is the largest length of a row: four times its square is below 2³¹.
	shortLength = 23000
)

// newShortKeys copies rows of whole numbers in the given order.
func newShortKeys(ctx context.Context, z *mat.Dense, order []int32) (*shortKeys, error) {
	_, d := z.Dims()
	k := newShortRows(len(order), d)
	err := parallel.For(ctx, len(order), 1024, func(_, lo, hi int) error {
		for p := lo; p < hi; p++ {
			k.set(p, z.RawRowView(int(order[p])))
		}
		return nil
	})
	return k, err
}

// newShortRows makes room for n rows of d values.
func newShortRows(n, d int) *shortKeys {
	k := &shortKeys{steps: (d + shortStep - 1) / shortStep, norm2: make([]int32, n)}
	k.rows = make([]int16, n*k.steps*shortStep)
	return k
}

// set copies a row of whole numbers.
func (k *shortKeys) set(p int, values []float64) {
	row, sum := k.rows[p*k.steps*shortStep:][:len(values)], int32(0)
	for j, v := range values {
		row[j] = int16(v)
		sum += int32(v) * int32(v)
	}
	k.norm2[p] = sum
}

func (k *shortKeys) Scratch() *keyScratch { return &keyScratch{} }

// keys costs 2 flops and 2 bytes per value.
func (k *shortKeys) keys(i int32, js []int32, out []float32, w *keyScratch) {
	w.shorts = slices.Grow(w.shorts[:0], len(js))[:len(js)]
	shortProducts(k.rows, k.steps, int(i), js, w.shorts)
	for c, j := range js {
		out[c] = float32(2*w.shorts[c] - k.norm2[i] - k.norm2[j])
	}
}

// cellPool is the memory of one worker for a cell.
type cellPool struct {
	packed []int16 // the rows in blocks of blockLanes: by pairs of values, then by row
	norm2  []int32
	own    []int16 // the rows as they are
	keys   []int32 // of ownRows rows and all of the cell
	tops   []int32 // of one row: the largest keys of groups of rows
	passed []int32
}

const (
	blockLanes = 16 // rows of a packed block
	ownRows    = 4  // rows that are compared with all at a time
	// topsOfPlace is the number of groups of rows, about, whose largest keys bound a list, for each
	// of its places.
	topsOfPlace = 4
)

// within compares all rows of a cell: ownRows rows at a time with all, 2 flops per pair and value
// from the second-level cache. Of each row's keys only those that are at least the width-th largest
// of the largest keys of groups of rows are offered, some 1.5 times as many as a list has places,
// since at least as many keys are as large.
func (k *shortKeys) within(ctx context.Context, rows []int32, _ []float32, near *nearLists, w *keyScratch) error {
	if len(rows) < 2 {
		return nil
	}
	if w.pool == nil {
		w.pool = &cellPool{}
	}
	p, padded := w.pool, (len(rows)+blockLanes-1)/blockLanes*blockLanes
	p.load(k, rows, padded)
	wanted := near.width + 1 // with the row itself
	group := max(1, padded/blockLanes/max(1, topsOfPlace*wanted/blockLanes))
	width := k.steps * shortStep
	for first := 0; first < len(rows); first += ownRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		shortTile(p.own[first*width:], p.norm2[first:], k.steps, p.packed, p.norm2, padded, p.keys)
		for r := first; r < min(first+ownRows, len(rows)); r++ {
			keys, i := p.keys[(r-first)*padded:][:padded], rows[r]
			// What a full list would not take is not offered, whenever it became full: its floor
			// only grows, so the list that results is the same. Keys are rounded, so a little less
			// passes too.
			least, full := int32(math.MinInt32), false
			if f := near.least(i); f > -math.MaxFloat32 {
				least, full = int32(f*(1+0x1p-20))-1, true
			}
			if p.passed = p.passed[:0]; full {
				p.passed = atLeast(keys, least, p.passed)
			}
			if !full || len(p.passed) > topsOfPlace*wanted {
				p.tops = groupTops(keys, group, p.tops[:0])
				if len(p.tops) >= wanted {
					least = max(least, largest(p.tops, wanted))
				}
				p.passed = atLeast(keys, least, p.passed[:0])
			}
			for _, c := range p.passed {
				if int(c) < len(rows) && int(c) != r {
					near.offer(i, rows[c], float32(keys[c]))
				}
			}
		}
	}
	return nil
}

// load copies the rows of a cell, packed to blocks and as they are.
func (p *cellPool) load(k *shortKeys, rows []int32, padded int) {
	width := k.steps * shortStep
	p.packed = slices.Grow(p.packed[:0], padded*width)[:padded*width]
	p.own = slices.Grow(p.own[:0], padded*width)[:padded*width]
	p.norm2 = slices.Grow(p.norm2[:0], padded)[:padded]
	p.keys = slices.Grow(p.keys[:0], ownRows*padded)[:ownRows*padded]
	for r := range padded {
		block := p.packed[r/blockLanes*blockLanes*width:][:blockLanes*width]
		at := r % blockLanes * 2
		if r >= len(rows) {
			p.norm2[r] = 3 * shortLength * shortLength // no key of rows is lower
			for c := 0; c < width; c += 2 {
				block[c*blockLanes+at], block[c*blockLanes+at+1] = 0, 0
			}
			continue
		}
		row := k.rows[int(rows[r])*width:][:width]
		copy(p.own[r*width:], row)
		p.norm2[r] = k.norm2[rows[r]]
		for c := 0; c < width; c += 2 {
			block[c*blockLanes+at], block[c*blockLanes+at+1] = row[c], row[c+1]
		}
	}
	clear(p.own[len(rows)*width:])
}

// largest returns the c-th largest of some numbers, and reorders them: quickselect by the middle
// one. O(numbers) as a rule.
func largest(x []int32, c int) int32 {
	for lo, hi := 0, len(x)-1; ; {
		if lo >= hi {
			return x[lo]
		}
		pivot, i, j := x[(lo+hi)/2], lo, hi
		for i <= j {
			for x[i] > pivot {
				i++
			}
			for x[j] < pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch at := c - 1; {
		case at <= j:
			hi = j
		case at >= i:
			lo = i
		default:
			return pivot
		}
	}
}

var _ keyer = (*shortKeys)(nil)
