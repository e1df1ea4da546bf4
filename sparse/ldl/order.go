package ldl

import (
	"math"

	"github.com/eigenmap/eigenmap/sparse"
)

// quotient is the graph of an elimination in progress (Amestoy, Davis and Duff 1996, "An
// approximate minimum degree ordering algorithm"). A live variable stands for weight[i] rows with
// the same neighbours. Eliminating a variable makes it an element, whose members are the variables
// that it joins.
type quotient struct {
	n int
	// list[i] of a variable: elements[i] elements first, then variables.
	list     [][]int32
	elements []int32
	members  [][]int32 // of a live element; nil otherwise
	weight   []int32   // rows of a live variable; 0 otherwise, negative while in the new element
	degree   []int32   // upper bound on the rows that a variable touches
	// Variables of one degree form a doubly linked list.
	head, next, prev []int32
	// chain links the rows that are eliminated together; last is the end of a variable's chain.
	chain, last []int32
	mark        []int64 // stamps of elements and variables
	stamp       int64
	rows        []int32 // rows of an element
	beyond      []int32 // see outside
	// Variables of a new element with the same hash of their list.
	hash             []uint32
	bucket, inBucket []int32
}

const none = int32(-1)

// Order returns a fill-reducing order of the symmetric pattern of a: order[k] is the row that comes
// k-th. The method is approximate minimum degree with element absorption and merging of rows that
// have the same neighbours. Rows with more than 10·√n entries come last. Ties go by a fixed rule,
// so one pattern has one order. Time: near nnz(a) on sparse graphs.
func Order(a *sparse.CSR) []int32 {
	q, dense := newQuotient(a)
	order := make([]int32, 0, q.n)
	least := int32(0)
	for left := q.n - len(dense); left > 0; {
		for q.head[least] == none {
			least++
		}
		p := q.head[least]
		q.unlink(p)
		before := len(order)
		reach := q.eliminate(p, left)
		for i := p; i != none; i = q.chain[i] {
			order = append(order, i)
		}
		left -= len(order) - before
		least = min(least, reach)
	}
	return append(order, dense...)
}

func newQuotient(a *sparse.CSR) (q *quotient, dense []int32) {
	n := a.NumRows
	ints := func(value int32) []int32 {
		s := make([]int32, n+1)
		for i := range s {
			s[i] = value
		}
		return s
	}
	q = &quotient{n: n, list: make([][]int32, n), elements: ints(0), members: make([][]int32, n), weight: ints(1),
		degree: ints(0), head: ints(none), next: ints(none), prev: ints(none), chain: ints(none), last: ints(0),
		mark: make([]int64, n), rows: ints(0), beyond: ints(0), hash: make([]uint32, n), bucket: ints(none), inBucket: ints(none)}
	limit := max(16, int(10*math.Sqrt(float64(n))))
	for i := range n {
		q.last[i] = int32(i)
		if a.RowPtr[i+1]-a.RowPtr[i] > limit {
			dense = append(dense, int32(i))
			q.weight[i] = 0
		}
	}
	data := make([]int32, 0, a.NNZ()+n)
	for i := range n {
		if q.weight[i] == 0 {
			continue
		}
		from := len(data)
		cols, _ := a.Row(i)
		for _, j := range cols {
			if int(j) != i && q.weight[j] > 0 {
				data = append(data, j)
			}
		}
		q.list[i] = data[from:len(data):len(data)]
		q.degree[i] = int32(len(data) - from)
	}
	for i := n - 1; i >= 0; i-- {
		if q.weight[i] > 0 {
			q.link(int32(i))
		}
	}
	return q, dense
}

// link puts a variable into the list of its degree.
func (q *quotient) link(i int32) {
	d := q.degree[i]
	q.next[i], q.prev[i] = q.head[d], none
	if q.head[d] != none {
		q.prev[q.head[d]] = i
	}
	q.head[d] = i
}

func (q *quotient) unlink(i int32) {
	if q.prev[i] != none {
		q.next[q.prev[i]] = q.next[i]
	} else {
		q.head[q.degree[i]] = q.next[i]
	}
	if q.next[i] != none {
		q.prev[q.next[i]] = q.prev[i]
	}
}

// eliminate makes the variable p an element, updates the variables that it joins, and returns the
// least degree among these. left is the number of rows not yet eliminated.
func (q *quotient) eliminate(p int32, left int) (least int32) {
	joined, size := q.collect(p)
	q.outside(joined)
	pivot := -q.weight[p]
	kept := joined[:0]
	for _, i := range joined {
		sum := q.shrink(i, p)
		if len(q.list[i]) == 1 { // only p: the variable is eliminated together with p
			size += q.weight[i]
			pivot -= q.weight[i]
			q.merge(p, i)
			continue
		}
		q.degree[i] = min(q.degree[i], sum) // without the rows of the new element
		kept = append(kept, i)
	}
	q.mergeEqual(kept)
	left -= int(pivot)
	final := kept[:0]
	least = int32(q.n)
	for _, i := range kept {
		rows := -q.weight[i]
		if rows == 0 {
			continue
		}
		q.weight[i] = rows
		q.degree[i] = max(0, min(q.degree[i]+size-rows, int32(left)-rows))
		q.link(i)
		least = min(least, q.degree[i])
		final = append(final, i)
	}
	q.weight[p], q.list[p] = 0, nil
	if len(final) > 0 {
		q.members[p], q.rows[p] = final, size
	}
	return least
}

// collect returns the variables that p joins, with negative weights as the mark, and the number of
// their rows. The elements of p are absorbed.
func (q *quotient) collect(p int32) (joined []int32, size int32) {
	q.weight[p] = -q.weight[p]
	add := func(list []int32) {
		for _, i := range list {
			if q.weight[i] > 0 {
				size += q.weight[i]
				q.weight[i] = -q.weight[i]
				q.unlink(i)
				joined = append(joined, i)
			}
		}
	}
	elements := q.elements[p]
	for _, e := range q.list[p][:elements] {
		add(q.members[e])
		q.members[e] = nil
	}
	add(q.list[p][elements:])
	return joined, size
}

// outside counts for every element beside the new one the rows that it has outside of the new
// element: beyond[e], valid if mark[e] is the stamp.
func (q *quotient) outside(joined []int32) {
	q.stamp++
	for _, i := range joined {
		for _, e := range q.list[i][:q.elements[i]] {
			if q.members[e] == nil {
				continue
			}
			if q.mark[e] != q.stamp {
				q.mark[e], q.beyond[e] = q.stamp, q.rows[e]
			}
			q.beyond[e] += q.weight[i] // negative
		}
	}
}

// shrink rebuilds the list of a variable of the new element p: p, the elements that are not
// contained in p, and the variables outside of p. It returns the number of rows in these without
// p's rows, and sets the hash of the list.
func (q *quotient) shrink(i, p int32) (sum int32) {
	old := q.list[i]
	out, hash := old[:0], uint32(0)
	for _, e := range old[:q.elements[i]] {
		switch {
		case q.members[e] == nil:
		case q.beyond[e] > 0:
			out = append(out, e)
			sum += q.beyond[e]
			hash += uint32(e)
		default:
			q.members[e] = nil // contained in p
		}
	}
	elements := len(out)
	for _, j := range old[q.elements[i]:] {
		if q.weight[j] > 0 {
			out = append(out, j)
			sum += q.weight[j]
			hash += uint32(j)
		}
	}
	// The list has lost p, or an element of p, so there is room for one more.
	end := len(out)
	out = append(out, p)
	out[end] = out[elements]
	out[elements] = out[0]
	out[0] = p
	q.list[i], q.elements[i], q.hash[i] = out, int32(elements+1), hash
	return sum
}

// merge lets the variable i be eliminated together with into.
func (q *quotient) merge(into, i int32) {
	q.chain[q.last[into]] = i
	q.last[into] = q.last[i]
	q.weight[i], q.list[i] = 0, nil
}

// mergeEqual merges the variables of a new element that have the same list.
func (q *quotient) mergeEqual(kept []int32) {
	slot := func(i int32) uint32 { return q.hash[i] % uint32(q.n) }
	for at := len(kept) - 1; at >= 0; at-- { // so that each bucket is in the order of kept
		i := kept[at]
		q.inBucket[i] = q.bucket[slot(i)]
		q.bucket[slot(i)] = i
	}
	for _, i := range kept {
		if q.weight[i] == 0 {
			continue
		}
		marked := false
		for j := q.inBucket[i]; j != none; j = q.inBucket[j] {
			if q.weight[j] == 0 || q.hash[j] != q.hash[i] || len(q.list[j]) != len(q.list[i]) || q.elements[j] != q.elements[i] {
				continue
			}
			if !marked {
				q.stamp++
				for _, v := range q.list[i] {
					q.mark[v] = q.stamp
				}
				marked = true
			}
			if q.allMarked(q.list[j]) {
				q.weight[i] += q.weight[j]
				q.merge(i, j)
			}
		}
	}
	for _, i := range kept {
		q.bucket[slot(i)] = none
	}
}

func (q *quotient) allMarked(list []int32) bool {
	for _, v := range list {
		if q.mark[v] != q.stamp {
			return false
		}
	}
	return true
}
