package exact

import (
	"math"
	"sync"
	"sync/atomic"
)

// spareCandidates is the number of candidates that a shortlist holds beyond the k wanted.
func spareCandidates(k int) int { return max(5, k/4) }

// shortlists keep for each of n rows the candidates with the highest keys, from any goroutine. A
// key is a float32 estimate with a known error, so a shortlist is longer than the list of
// neighbours that is chosen from it. 8 bytes per candidate and 16 per row.
//
// Lists may be of the later rows alone. The rows before them have a key that the others must exceed
// instead, and their pairs go elsewhere (see sparseScreen.searchAcross).
type shortlists struct {
	size  int
	first int       // the first row that has a list
	reach []float32 // of each row before it: the key that its pairs must exceed
	key   []float32 // n·size; each row a binary heap with its lowest key first
	index []int32   // n·size
	count []int32
	mu    []sync.Mutex
	floor []atomic.Uint32 // bits of the key that a candidate must exceed
}

// newShortlists makes n empty lists of size candidates that take only keys above floor.
func newShortlists(n, size int, floor float32) *shortlists {
	l := &shortlists{size: size, key: make([]float32, n*size), index: make([]int32, n*size),
		count: make([]int32, n), mu: make([]sync.Mutex, n), floor: make([]atomic.Uint32, n)}
	for i := range l.floor {
		l.floor[i].Store(math.Float32bits(floor))
	}
	return l
}

// least returns the key that a candidate for row i must exceed.
func (l *shortlists) least(i int) float32 { return math.Float32frombits(l.floor[i-l.first].Load()) }

// floors copies the least keys of the rows from lo on to dst: all of them have lists, or none. They
// only grow, so a copy that is out of date lets more candidates pass.
func (l *shortlists) floors(dst []float32, lo int) {
	if lo < l.first {
		copy(dst, l.reach[lo:])
		return
	}
	for i := range dst {
		dst[i] = l.least(lo + i)
	}
}

// offer proposes candidate j to row i and returns the new least key.
func (l *shortlists) offer(i int, j int32, key float32) float32 {
	i -= l.first
	l.mu[i].Lock()
	defer l.mu[i].Unlock()
	least := math.Float32frombits(l.floor[i].Load())
	if key <= least {
		return least
	}
	lo := i * l.size
	s, x := l.key[lo:lo+l.size], l.index[lo:lo+l.size]
	if n := int(l.count[i]); n < l.size {
		l.count[i]++
		for n > 0 && key < s[(n-1)/2] {
			p := (n - 1) / 2
			s[n], x[n] = s[p], x[p]
			n = p
		}
		s[n], x[n] = key, j
	} else {
		p := 0
		for {
			c := 2*p + 1
			if c >= l.size {
				break
			}
			if c+1 < l.size && s[c+1] < s[c] {
				c++
			}
			if key <= s[c] {
				break
			}
			s[p], x[p] = s[c], x[c]
			p = c
		}
		s[p], x[p] = key, j
	}
	if int(l.count[i]) == l.size {
		least = s[0]
		l.floor[i].Store(math.Float32bits(least))
	}
	return least
}

// full reports whether row i may have lost candidates with keys of at most its lowest.
func (l *shortlists) full(i int) bool { return int(l.count[i-l.first]) == l.size }

// row returns the keys and indices of row i, in no order. Do not write to them.
func (l *shortlists) row(i int) (key []float32, index []int32) {
	i -= l.first
	lo := i * l.size
	hi := lo + int(l.count[i])
	return l.key[lo:hi:hi], l.index[lo:hi:hi]
}

// reset makes n empty lists of size candidates in the memory of l. Their floors are not set.
func (l *shortlists) reset(n, size int) {
	l.size = size
	if len(l.count) < n || len(l.key) < n*size {
		l.key, l.index = make([]float32, n*size), make([]int32, n*size)
		l.count, l.mu, l.floor = make([]int32, n), make([]sync.Mutex, n), make([]atomic.Uint32, n)
	}
	clear(l.count)
}
