package ldl

import (
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
)

// Analysis is the symbolic factorisation of a symmetric pattern: the order of elimination and the
// structure of the factor, without its numbers. It is immutable and safe for concurrent use.
type Analysis struct {
	n       int
	order   []int32 // order[k] is the row that comes k-th
	place   []int32 // place[order[k]] = k
	starts  []int32 // panel s has the columns starts[s] to starts[s+1]−1
	height  []int32 // rows of each panel, its own columns included
	ends    []int32 // end of the columns of the panel's supernode, which may have several panels
	entries int64   // numbers in all panels
	indices int64   // row numbers of all supernodes
	exact   int64   // entries of L without the zeros that merging adds
	flops   float64
	scratch int64 // numbers in the largest update

	structure sync.Once
	rows      [][]int32 // rows of each panel, ascending; panels of one supernode share memory
}

// Widest supernode. Wider ones are cut, so that the work outside of matrix products stays small.
const widest = 128

// Analyze orders the symmetric matrix a by Order and predicts the factor of any matrix with its
// pattern. It reads the pattern only. Memory: about 8 bytes per entry of a and 150 per row.
func Analyze(a *sparse.CSR) (*Analysis, error) {
	if a.NumRows != a.NumCols {
		return nil, invalid.Errorf("the matrix to factor is %d×%d; it must be square", a.NumRows, a.NumCols)
	}
	s := &Analysis{n: a.NumRows, order: Order(a)}
	s.setPlace()
	parent := s.tree(a)
	post := postorder(parent)
	// Number the rows anew in postorder: then every subtree is a range of numbers.
	s.order = permuted(s.order, post)
	s.setPlace()
	parent = renumbered(parent, post)
	counts := s.counts(a, parent)
	for _, c := range counts {
		s.exact += int64(c)
		s.flops += float64(c) * float64(c)
	}
	s.group(parent, counts)
	return s, nil
}

// panelOf returns the panel of each column.
func (s *Analysis) panelOf() []int32 {
	of := make([]int32, s.n)
	for p := range s.height {
		for j := s.starts[p]; j < s.starts[p+1]; j++ {
			of[j] = int32(p)
		}
	}
	return of
}

// structureOf finds the rows of all panels: the rows of the entries of a, and the rows of the
// panels below in the tree.
func (s *Analysis) structureOf(a *sparse.CSR) {
	s.structure.Do(func() {
		panels := len(s.height)
		s.rows = make([][]int32, panels)
		panel, seen := s.panelOf(), make([]int32, s.n)
		children := make([]int32, panels) // heads of lists
		sibling := make([]int32, panels)
		for p := range children {
			children[p] = none
		}
		for p := 0; p < panels; {
			from, to := s.starts[p], s.ends[p]
			rows := make([]int32, 0, int(s.height[p]))
			for j := from; j < to; j++ {
				rows = append(rows, j)
				seen[j] = to
			}
			add := func(r int32) {
				if r >= to && seen[r] != to {
					seen[r] = to
					rows = append(rows, r)
				}
			}
			last := p
			for ; last < panels && s.starts[last] < to; last++ {
				for c := children[last]; c != none; c = sibling[c] {
					for _, r := range s.rows[c] {
						add(r)
					}
				}
			}
			for j := from; j < to; j++ {
				cols, _ := a.Row(int(s.order[j]))
				for _, c := range cols {
					add(s.place[c])
				}
			}
			slices.Sort(rows[to-from:])
			for q := p; q < last; q++ {
				s.rows[q] = rows[s.starts[q]-from:]
			}
			if len(rows) > int(to-from) {
				parent := panel[rows[to-from]]
				sibling[last-1], children[parent] = children[parent], int32(last-1)
			}
			p = last
		}
	})
}

// Entries is the number of stored entries of L, with its diagonal.
func (s *Analysis) Entries() int64 { return s.entries }

// Bytes is the memory of a factor and of the work to compute it.
func (s *Analysis) Bytes() int64 {
	return 8*(s.entries+s.scratch) + 4*s.indices + 40*int64(s.n) + 60*int64(len(s.height))
}

// Flops is the number of floating-point operations of a factorisation.
func (s *Analysis) Flops() float64 { return s.flops }

func (s *Analysis) setPlace() {
	s.place = make([]int32, s.n)
	for k, i := range s.order {
		s.place[i] = int32(k)
	}
}

func permuted(a, by []int32) []int32 {
	out := make([]int32, len(a))
	for k, i := range by {
		out[k] = a[i]
	}
	return out
}

// tree returns the elimination tree: parent[j] is the row of the first entry below the diagonal in
// column j of L, or none.
func (s *Analysis) tree(a *sparse.CSR) []int32 {
	parent, ancestor := make([]int32, s.n), make([]int32, s.n)
	for k, i := range s.order {
		parent[k], ancestor[k] = none, none
		cols, _ := a.Row(int(i))
		for _, c := range cols {
			for j := s.place[c]; j != none && j < int32(k); {
				next := ancestor[j]
				ancestor[j] = int32(k)
				if next == none {
					parent[j] = int32(k)
				}
				j = next
			}
		}
	}
	return parent
}

// postorder lists the nodes of a forest, children before parents, subtrees contiguous. Among
// children the one with the highest number comes last.
func postorder(parent []int32) []int32 {
	n := len(parent)
	first, sibling := make([]int32, n), make([]int32, n)
	for j := range first {
		first[j] = none
	}
	for j := n - 1; j >= 0; j-- {
		if p := parent[j]; p != none {
			sibling[j], first[p] = first[p], int32(j)
		}
	}
	post, stack := make([]int32, 0, n), []int32{}
	for root, p := range parent {
		if p != none {
			continue
		}
		stack = append(stack, int32(root))
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			if c := first[j]; c != none {
				first[j] = sibling[c]
				stack = append(stack, c)
				continue
			}
			post = append(post, j)
			stack = stack[:len(stack)-1]
		}
	}
	return post
}

func renumbered(parent, post []int32) []int32 {
	number := make([]int32, len(post))
	for k, j := range post {
		number[j] = int32(k)
	}
	out := make([]int32, len(post))
	for k, j := range post {
		out[k] = none
		if p := parent[j]; p != none {
			out[k] = number[p]
		}
	}
	return out
}

// counts returns the number of entries of each column of L, the diagonal included. The tree must
// be in postorder. Row i of L has its entries on the paths from the columns of row i of A up to i,
// so a column count is a sum over the subtree: +1 where such a path begins (at a leaf), −1 where
// two of them meet (Gilbert, Ng and Peyton 1994).
func (s *Analysis) counts(a *sparse.CSR, parent []int32) []int32 {
	n := s.n
	count, first, previous, root := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	leaf := make([]int32, n) // the last leaf of the row's paths so far
	for j := range n {
		first[j], previous[j], root[j], leaf[j] = none, none, int32(j), none
	}
	for k := range int32(n) {
		if first[k] == none {
			count[k] = 1 // a leaf of the tree
		}
		for j := k; j != none && first[j] == none; j = parent[j] {
			first[j] = k
		}
	}
	for j := range int32(n) {
		if p := parent[j]; p != none {
			count[p]--
		}
		cols, _ := a.Row(int(s.order[j]))
		for _, c := range cols {
			i := s.place[c]
			if i <= j || first[j] <= previous[i] {
				continue // not a leaf of the paths of row i
			}
			count[j]++
			previous[i] = first[j]
			if leaf[i] != none {
				meet := leaf[i]
				for meet != root[meet] {
					meet = root[meet]
				}
				for at := leaf[i]; at != meet; {
					at, root[at] = root[at], meet
				}
				count[meet]--
			}
			leaf[i] = j
		}
		if parent[j] != none {
			root[j] = parent[j]
		}
	}
	for j, p := range parent {
		if p != none {
			count[p] += count[j]
		}
	}
	return count
}

// group forms the supernodes: runs of columns with the same rows below. Small ones are merged with
// the parent if that adds few zeros, because work on wider panels is faster.
func (s *Analysis) group(parent, counts []int32) {
	type run struct {
		from, to int32 // columns
		zeros    int64
	}
	var stack []run
	below := func(r run) int64 { return int64(counts[r.to] - 1) }
	size := func(from, to int32, below int64) int64 {
		w := int64(to - from + 1)
		return w*(w+1)/2 + w*below
	}
	for j := range int32(s.n) {
		r := run{j, j, 0}
		for len(stack) > 0 {
			child := stack[len(stack)-1]
			if p := parent[child.to]; p == none || p > r.to {
				break
			}
			exact := counts[child.to] == counts[child.to+1]+1 && parent[child.to] == child.to+1 && r.zeros == 0
			total := size(child.from, r.to, below(r))
			zeros := total - (size(child.from, child.to, below(child)) - child.zeros) - (size(r.from, r.to, below(r)) - r.zeros)
			if !exact && !worthMerging(int64(r.to-child.from+1), zeros, total) {
				break
			}
			r = run{child.from, r.to, zeros}
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, r)
	}
	for _, r := range stack {
		s.addPanels(r.from, r.to, int32(below(r)))
	}
	s.starts = append(s.starts, int32(s.n))
}

// worthMerging decides whether a supernode of the given width may hold that many zeros among its
// total entries.
func worthMerging(width, zeros, total int64) bool {
	share := float64(zeros) / float64(total)
	return width <= 4 && share < 0.7 || width <= 16 && share < 0.5 || width <= 48 && share < 0.1 || share < 0.03
}

// addPanels adds the supernode of the columns from to to, in equal parts of at most widest columns.
func (s *Analysis) addPanels(from, to, below int32) {
	width := to - from + 1
	parts := (width + widest - 1) / widest
	s.indices += int64(width + below)
	for p := range parts {
		lo, hi := from+width*p/parts, from+width*(p+1)/parts
		rows := to + 1 - lo + below
		s.starts = append(s.starts, lo)
		s.height = append(s.height, rows)
		s.ends = append(s.ends, to+1)
		s.entries += int64(rows) * int64(hi-lo)
		wide := int64(min(rows, widest))
		s.scratch = max(s.scratch, int64(rows)*wide+wide*wide)
	}
}
