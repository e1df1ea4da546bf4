package approx

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// nearLists keep the best candidates of each row found so far, from any goroutine, best first. A
// candidate is better if its key is higher or, at equal keys, if its number is lower. That order
// has no ties, so the lists are the same in every order of arrival.
//
// 8 bytes per place of a list, 12 after a descent, and 4 per row.
type nearLists struct {
	width int // places of each list
	tries int // of these, those whose candidates are tried with each other in a descent
	key   []float32
	index []int32 // -1: no candidate
	tried []int32 // index at the last descent; nil: there was none
	// Bits of the key that a candidate must reach: the last of a full list, start before.
	floor []atomic.Uint32
	start float32 // candidates have keys above this
	locks [1024]sync.Mutex
}

func newNearLists(n, width int, start float32) *nearLists {
	l := &nearLists{width: width, tries: width, key: make([]float32, n*width), index: make([]int32, n*width),
		floor: make([]atomic.Uint32, n), start: start}
	for p := range l.index {
		l.index[p], l.key[p] = -1, float32(math.Inf(-1))
	}
	for i := range l.floor {
		l.floor[i].Store(math.Float32bits(start))
	}
	return l
}

// least returns the key that a candidate of row i must reach. It only grows.
func (l *nearLists) least(i int32) float32 { return math.Float32frombits(l.floor[i].Load()) }

// fresh reports for each place whether its candidate was not in the list at the last descent. That
// depends on the lists alone: a candidate that left a list and came back is not fresh.
func (l *nearLists) fresh() []bool {
	marks := make([]bool, len(l.index))
	for p, j := range l.index {
		lo := p - p%l.width
		marks[p] = l.tried == nil || !slices.Contains(l.tried[lo:lo+l.tries], j)
	}
	return marks
}

// floors are the least keys of all rows.
func (l *nearLists) floors() []float32 {
	list := make([]float32, len(l.floor))
	for i := range list {
		list[i] = l.least(int32(i))
	}
	return list
}

// row returns the candidates of row i, best first, as views.
func (l *nearLists) row(i int) (key []float32, index []int32) {
	lo, hi := i*l.width, (i+1)*l.width
	key, index = l.key[lo:hi:hi], l.index[lo:hi:hi]
	for hi = len(index); hi > 0 && index[hi-1] < 0; {
		hi--
	}
	return key[:hi], index[:hi]
}

// offer proposes candidate j to row i. Cells may differ by rounding in the key of a pair: the
// higher one remains.
func (l *nearLists) offer(i, j int32, key float32) {
	if key <= l.start || key < l.least(i) {
		return
	}
	mu := &l.locks[int(i)%len(l.locks)]
	mu.Lock()
	defer mu.Unlock()
	lo := int(i) * l.width
	keys, index := l.key[lo:lo+l.width], l.index[lo:lo+l.width]
	last := l.width - 1
	if !ahead(key, j, keys[last], index[last]) {
		return
	}
	if at := slices.Index(index, j); at >= 0 {
		if key <= keys[at] {
			return
		}
		last = at
	}
	for last > 0 && ahead(key, j, keys[last-1], index[last-1]) {
		keys[last], index[last] = keys[last-1], index[last-1]
		last--
	}
	keys[last], index[last] = key, j
	if worst := l.width - 1; index[worst] >= 0 {
		l.floor[i].Store(math.Float32bits(keys[worst]))
	}
}

// ahead reports whether candidate (s, i) ranks before (t, j); j = -1 is no candidate.
func ahead(s float32, i int32, t float32, j int32) bool {
	return j < 0 || s > t || s == t && i < j
}
