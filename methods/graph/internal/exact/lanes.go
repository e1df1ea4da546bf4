package exact

// A tile of products holds float32 values in rows of lanes. The kernels of this file have twins in
// assembly (lanes_amd64.s), which round differently: callers allow for the rounding of any order.

const (
	// Lanes is the number of documents of a block that are searched together: eight vector
	// registers.
	Lanes = 64
	// laneStep is the number of lanes that [passing] tests at a time.
	laneStep = 8
)

// LaneRows are sparse rows: row r has the entries ptr[r] to ptr[r+1].
type LaneRows struct {
	terms int
	Ptr   []int
	Index []int32 // of the term, below terms
	Val   []float32
}

// mulLanesGo sets out[r][·] to Σ val·terms[index][·] for rows lo to hi: out and terms have lanes
// columns.
func mulLanesGo(a *LaneRows, lo, hi int, terms, out []float32) {
	for r := lo; r < hi; r++ {
		sum := (*[Lanes]float32)(out[(r-lo)*Lanes:])
		clear(sum[:])
		for p := a.Ptr[r]; p < a.Ptr[r+1]; p++ {
			v, t := a.Val[p], (*[Lanes]float32)(terms[int(a.Index[p])*Lanes:])
			for l := range sum {
				sum[l] += v * t[l]
			}
		}
	}
}

// addTransposedGo adds the first laneStep columns of a, lanes rows with a stride, to the rows of a
// tile: tile[r][l] += a[l][r].
func addTransposedGo(tile, a []float32, stride int) {
	for l := range Lanes {
		for r, v := range (*[laneStep]float32)(a[l*stride:]) {
			tile[r*Lanes+l] += v
		}
	}
}

// screenTile is a tile of estimated dot products with what decides which pairs pass.
//
// Pair (r, l) passes for row r if product − laneShift[l] > rowFloor[r], and for lane l if product −
// rowShift[r] > laneFloor[l].
type screenTile struct {
	product              []float32 // rows × stride
	stride, width        int       // width lanes are used: a multiple of laneStep
	rowFloor, rowShift   []float32
	laneFloor, laneShift []float32
}

// passingGo returns the first row from row on, and the first lane from lane on in it, at which one
// of the next laneStep pairs passes, and a mask of those pairs. row is len(rowFloor) if none does.
func passingGo(t *screenTile, row, lane int) (int, int, uint32) {
	for ; row < len(t.rowFloor); row++ {
		floor, shift := t.rowFloor[row], t.rowShift[row]
		products := t.product[row*t.stride:][:t.width]
		for ; lane < t.width; lane += laneStep {
			var mask uint32
			p, f, s := (*[laneStep]float32)(products[lane:]), (*[laneStep]float32)(t.laneFloor[lane:]), (*[laneStep]float32)(t.laneShift[lane:])
			for b := range laneStep {
				if p[b] > min(floor+s[b], f[b]+shift) {
					mask |= 1 << b
				}
			}
			if mask != 0 {
				return row, lane, mask
			}
		}
		lane = 0
	}
	return row, 0, 0
}
