package leiden

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// Levels are a partition and the coarser ones that follow from it by mergers of two groups each,
// down to one group: a tree.
type Levels struct {
	// Finest is the partition that was found at the resolution.
	Finest *Partition
	// Joined are the two groups that each merger joins, the lower first, as numbers of groups of
	// Finest; both stand for all that were merged into them before.
	Joined [][2]int
	// Modularity is Q after each number of mergers, from none on.
	Modularity []float64
	// Error is the standard error of Finest.Modularity if the nodes are a sample: √Σ_i (q_i − q̄)²,
	// where q_i is what node i adds to Q.
	Error float64
	// Effective is the effective number of groups of Finest, exp(−Σ_c p_c ln p_c) with the shares p_c
	// of the degrees (the Hill number of order 1): the number of groups if all are equally large,
	// fewer where small groups are among them.
	Effective float64
	// Likeness has the resolution first, and then what two groups of Finest are alike in when they
	// are joined, the most alike of all first, until one is left: the weight of the edges between
	// them over what their degrees let expect (d_a d_b over the sum of all). It falls. Groups with
	// less than 1 % of the nodes are left out, and those without an edge.
	Likeness []float64
	// Smaller is the share of the degrees in the smaller of the two groups that are joined last; 0 if
	// there is one group.
	Smaller float64
}

// FindLevels finds a partition as [Find] does and merges its groups, those first that gain most or
// lose least modularity. It costs little more than Find, and has its errors.
func FindLevels(ctx context.Context, g *graph.Graph, s Search) (*Levels, error) {
	var l *Levels
	err := onWhole(ctx, g, s, func(whole *graph.Graph) error {
		p, err := find(ctx, whole, s.withDefaults())
		if err == nil {
			l, err = levelsOf(ctx, whole, p)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	l.Finest.own(g.Share)
	return l, nil
}

// levelsOf merges the groups of a partition of a graph that is here as a whole.
func levelsOf(ctx context.Context, g *graph.Graph, p *Partition) (*Levels, error) {
	l := &Levels{Finest: p, Modularity: []float64{p.Modularity}}
	of := make([]int32, len(p.Labels))
	for i, c := range p.Labels {
		of[i] = int32(c)
	}
	net := newNetwork(g.W)
	total := sum(net.degree)
	groups := net.merged(of, len(p.Sizes))
	entropy := 0.0
	for _, d := range groups.degree {
		if share := d / total; share > 0 {
			entropy -= share * math.Log(share)
		}
	}
	l.Effective = math.Exp(entropy)
	l.Error = errorOf(p, net.degree, groups.degree, total)
	l.Likeness, l.Smaller = likenessOf(groups, p.Sizes, p.Resolution, total)
	list, err := agglomerate(ctx, groups, p.Resolution, max(total, math.SmallestNonzeroFloat64), 1)
	for i, m := range list {
		l.Joined = append(l.Joined, [2]int{int(m.a), int(m.b)})
		step := 0.0
		if total > 0 {
			step = 2 * (m.gain / total)
		}
		l.Modularity = append(l.Modularity, l.Modularity[i]+step)
	}
	return l, err
}

// errorOf is Levels.Error. Node i adds (d_i/2m)·(c_i − γ K/2m) to Q, where c_i is its confidence
// and K the mass of its group.
func errorOf(p *Partition, degrees, mass []float64, total float64) float64 {
	if total == 0 {
		return 0
	}
	mean, square := p.Modularity/float64(len(degrees)), 0.0
	for i, c := range p.Labels {
		q := degrees[i] / total * (p.Confidence[i] - p.Resolution*(mass[c]/total))
		square += (q - mean) * (q - mean)
	}
	return math.Sqrt(square)
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// Fewest is the smallest number of groups whose modularity is within one standard error of the
// largest of all levels.
func (l *Levels) Fewest() int {
	most := slices.Max(l.Modularity)
	k := len(l.Finest.Sizes)
	for i, q := range l.Modularity {
		if q >= most-l.Error {
			k = len(l.Finest.Sizes) - i
		}
	}
	return k
}

// At are the labels of the nodes that are here, and the sizes of all ranks' groups, of the level
// with k groups, 1 ≤ k ≤ groups of Finest. Groups are numbered by falling size, of equal ones the
// one with the lowest number in Finest first.
func (l *Levels) At(k int) (labels, sizes []int) {
	n := len(l.Finest.Sizes)
	group := indices.UpTo(n)
	for i := n - k - 1; i >= 0; i-- {
		group[l.Joined[i][1]] = group[l.Joined[i][0]]
	}
	count := make([]int, n)
	for c, to := range group {
		count[to] += l.Finest.Sizes[c]
	}
	var order []int
	for c := range count {
		if group[c] == c {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[b] - count[a] })
	number := make([]int, n)
	for to, c := range order {
		number[c] = to
		sizes = append(sizes, count[c])
	}
	labels = make([]int, len(l.Finest.Labels))
	for i, c := range l.Finest.Labels {
		labels[i] = number[group[c]]
	}
	return labels, sizes
}
