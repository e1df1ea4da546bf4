package leiden

import (
	"context"
	"math"
	"math/rand/v2"
)

const (
	// randomness is θ of the refinement, in mean edge weights (Traag et al. 2019, section
	// "Refinement"; igraph and the paper take .01).
	randomness = 0.01
	// slack is the gain, relative to the degree of a node, below which it does not move: rounding
	// alone must not move it for ever.
	slack = 1e-12
	// cancelEvery is the number of nodes between two looks at the context.
	cancelEvery = 1 << 12
	// mostRounds bounds the rounds of a start; a round that changes nothing ends it, mostly the third
	// to fifth.
	mostRounds = 50
)

// climber finds a partition of high modularity of one graph at one resolution.
type climber struct {
	gamma float64 // the resolution
	total float64 // the sum of all degrees, 2m
	theta float64 // randomness in units of weights
	rng   *rand.Rand
}

// level is a network with a partition of its nodes.
type level struct {
	*climber
	net   *network
	of    []int32   // the group of each node, numbered from 0, at most as many as nodes
	mass  []float64 // the degrees of each group
	links *sums     // from a node to the groups
}

func (c *climber) newLevel(net *network, of []int32) *level {
	l := &level{climber: c, net: net, of: of, mass: make([]float64, net.len()), links: newSums(net.len())}
	for v, k := range of {
		l.mass[k] += net.degree[v]
	}
	return l
}

// climb runs rounds of Leiden's algorithm from the partition of, whose groups are numbered from 0,
// until one changes nothing, and returns the number of groups. Moves of documents, the division of
// groups in parts that hang together and moves of these parts take turns within a round.
func (c *climber) climb(ctx context.Context, net *network, of []int32) (int, error) {
	k := 0
	for range mostRounds {
		changed, err := c.round(ctx, net, of)
		if err != nil {
			return 0, err
		}
		k = renumber(of)
		if !changed {
			break
		}
	}
	return k, nil
}

// round is one round, which changes of. It reports whether anything moved.
func (c *climber) round(ctx context.Context, net *network, of []int32) (changed bool, err error) {
	at := make([]int32, len(of)) // the node of the level in which each document is
	for v := range at {
		at[v] = int32(v)
	}
	groups := append([]int32(nil), of...)
	for {
		l := c.newLevel(net, groups)
		moved, err := l.move(ctx)
		if err != nil {
			return false, err
		}
		changed = changed || moved
		k := renumber(groups)
		if k == net.len() { // each node is a group
			break
		}
		parts, count, err := l.refine(ctx, k)
		if err != nil {
			return false, err
		}
		if count == net.len() { // no two nodes may join: groups of them cannot be one node each
			break
		}
		above := make([]int32, count)
		for v, p := range parts {
			above[p] = groups[v]
		}
		for v := range at {
			at[v] = parts[at[v]]
		}
		net, groups = net.merged(parts, count), above
	}
	for v := range of {
		of[v] = groups[at[v]]
	}
	return changed, nil
}

// gain is what node v gains in a group of weight mass without v, to which its edges of weight w
// lead, in units of weights: m times the difference in modularity.
func (l *level) gain(v int, w, mass float64) float64 {
	return w - l.gamma*l.net.degree[v]*(mass/l.total)
}

// collect sums the edges of v by the group of the neighbours.
func (l *level) collect(v int) {
	l.links.clear()
	cols, vals := l.net.row(v)
	for e, u := range cols {
		l.links.add(l.of[u], vals[e])
	}
}

// move moves nodes to the groups where they gain most, in random order, and again those whose
// neighbours have moved, until none gains. A node may leave for a group of its own.
func (l *level) move(ctx context.Context) (moved bool, err error) {
	n := l.net.len()
	queue, waits := make([]int32, n), make([]bool, n)
	for i, v := range l.rng.Perm(n) {
		queue[i], waits[i] = int32(v), true
	}
	size := make([]int32, n)
	for _, k := range l.of {
		size[k]++
	}
	var empty []int32 // groups without nodes
	for k := n - 1; k >= 0; k-- {
		if size[k] == 0 {
			empty = append(empty, int32(k))
		}
	}
	for head, left, step := 0, n, 0; left > 0; step++ {
		if step%cancelEvery == 0 {
			if err := ctx.Err(); err != nil {
				return false, err
			}
		}
		v := int(queue[head])
		if head++; head == n {
			head = 0
		}
		left--
		waits[v] = false
		from := l.of[v]
		to := l.best(v, size[from] > 1, empty)
		if to == from {
			continue
		}
		moved = true
		d := l.net.degree[v]
		if size[to] == 0 {
			empty = empty[:len(empty)-1]
		}
		l.mass[from] -= d
		if size[from]--; size[from] == 0 {
			empty, l.mass[from] = append(empty, from), 0
		}
		size[to]++
		l.mass[to] += d
		l.of[v] = to
		cols, _ := l.net.row(v)
		for _, u := range cols {
			if !waits[u] && l.of[u] != to {
				waits[u] = true
				queue[(head+left)%n] = u
				left++
			}
		}
	}
	return moved, nil
}

// best is the group where node v gains most: its own if no other gains more, on a tie the lower
// number. A node that is not alone may also move to an empty group, the last of empty.
func (l *level) best(v int, company bool, empty []int32) int32 {
	l.collect(v)
	from, d := l.of[v], l.net.degree[v]
	to, most := from, l.gain(v, l.links.at[from], l.mass[from]-d)+slack*d
	if company && most < 0 && len(empty) > 0 {
		to, most = empty[len(empty)-1], 0
	}
	for _, k := range l.links.met {
		if k == from {
			continue
		}
		if g := l.gain(v, l.links.at[k], l.mass[k]); g > most || g == most && to != from && k < to {
			to, most = k, g
		}
	}
	return to
}

// refine divides each of k groups into parts: nodes join, one after another, a part in which they
// do not lose, the more likely the more they gain. Nodes and parts that have too few edges to the
// rest of their group stay as they are, so that each part hangs together (Traag et al. 2019,
// algorithm A.2). It returns the part of each node and the number of parts.
func (l *level) refine(ctx context.Context, k int) (parts []int32, count int, err error) {
	n := l.net.len()
	parts = make([]int32, n)
	mass := append([]float64(nil), l.net.degree...) // of each part
	out := make([]float64, n)                       // the weight between a part and the rest of its group
	alone := make([]bool, n)
	group := make([]float64, k)
	for v, c := range l.of {
		parts[v], alone[v] = int32(v), true
		group[c] += l.net.degree[v]
		cols, vals := l.net.row(v)
		for e, u := range cols {
			if l.of[u] == c {
				out[v] += vals[e]
			}
		}
	}
	joins := func(p int32, c int32) bool { // has enough edges to the rest of its group
		return out[p] >= l.gamma*mass[p]*((group[c]-mass[p])/l.total)
	}
	s := newSums(n)
	var chances []float64
	for step, v := range l.rng.Perm(n) {
		if step%cancelEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
		}
		c := l.of[v]
		if !alone[v] || !joins(int32(v), c) {
			continue
		}
		s.clear()
		cols, vals := l.net.row(v)
		for e, u := range cols {
			if l.of[u] == c {
				s.add(parts[u], vals[e])
			}
		}
		chances = chances[:0]
		most := 0.0
		for _, p := range s.met {
			g := -1.0
			if joins(p, c) {
				g = l.gain(v, s.at[p], mass[p])
			}
			chances, most = append(chances, g), max(most, g)
		}
		to := l.draw(s.met, chances, most)
		if to < 0 {
			continue
		}
		alone[v], alone[to] = false, false
		out[to] += out[v] - 2*s.at[to]
		mass[to] += mass[v]
		parts[v] = to
	}
	return parts, renumber(parts), nil
}

// draw draws a part with a chance proportional to exp(gain/θ), of those that do not lose; −1 if
// there is none. most is the largest gain.
func (l *level) draw(parts []int32, gains []float64, most float64) int32 {
	sum := 0.0
	for i, g := range gains {
		if g < 0 {
			gains[i] = 0
			continue
		}
		gains[i] = math.Exp((g - most) / l.theta)
		sum += gains[i]
	}
	if sum == 0 {
		return -1
	}
	at := l.rng.Float64() * sum
	last := int32(-1)
	for i, chance := range gains {
		if chance > 0 {
			last = parts[i]
			if at -= chance; at < 0 {
				return last
			}
		}
	}
	return last
}
