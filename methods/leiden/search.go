package leiden

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/progress"
)

// stream keeps the draws of this package apart from other uses of a seed.
const stream = 0x6c656964656e

const (
	stage = "communities"
	// mostTries bounds the partitions that a search for a number of groups looks at.
	mostTries = 24
	// leastResolution ends a search downwards: only components are left there.
	leastResolution = 1e-6
	// smallPart is the part of the mean size of K groups below which a component of the graph is too
	// small to be one of them.
	smallPart = 8
)

// finder finds partitions of one network.
type finder struct {
	net   *network
	seed  uint64
	total float64 // 2m
	theta float64
	obs   progress.Observer
	tries int
}

// found is the partition at a resolution.
type found struct {
	gamma float64
	of    []int32
	k     int
}

func newFinder(net *network, seed uint64, obs progress.Observer) *finder {
	f := &finder{net: net, seed: seed, obs: obs}
	f.total = sum(net.degree)
	f.theta = randomness * f.total / float64(max(1, len(net.val)))
	return f
}

// at finds the partition at a resolution, from nodes alone.
func (f *finder) at(ctx context.Context, gamma float64) (*found, error) {
	of := make([]int32, f.net.len())
	for v := range of {
		of[v] = int32(v)
	}
	f.tries++
	f.obs.Report(stage, int64(f.tries), 0, "partitions")
	c := &climber{gamma: gamma, total: f.total, theta: f.theta, rng: rand.New(rand.NewPCG(f.seed, stream))}
	k, err := c.climb(ctx, f.net, of)
	return &found{gamma, of, k}, err
}

// into searches a resolution that gives k groups, beginning at gamma. If none is found it returns
// the partition into the smallest number above k that was found. k is at most the number of nodes.
func (f *finder) into(ctx context.Context, k int, gamma float64) (*found, error) {
	above := f.alone()
	lo, hi := 0.0, above.gamma
	for next := min(gamma, hi); above.k > k && f.tries < mostTries; {
		p, err := f.at(ctx, next)
		if err != nil {
			return nil, err
		}
		if p.k < k {
			lo = p.gamma
		} else if hi = p.gamma; p.k <= above.k { // numbers of groups rise with the resolution mostly
			above = p
		}
		if next = math.Sqrt(lo * hi); lo == 0 {
			next = hi / 4
		}
		if hi < lo*(1+1e-6) || hi < leastResolution {
			break
		}
	}
	return above, nil
}

// alone is the partition in which every node is a group, at a resolution at which no two nodes gain
// by joining.
func (f *finder) alone() *found {
	p := &found{gamma: f.finest(), of: make([]int32, f.net.len()), k: f.net.len()}
	for v := range p.of {
		p.of[v] = int32(v)
	}
	return p
}

// finest is a resolution at which no two nodes gain by joining.
func (f *finder) finest() float64 {
	most := 1.0
	for v := range f.net.len() {
		cols, vals := f.net.row(v)
		for e, u := range cols {
			most = max(most, vals[e]/f.net.degree[v]*(f.total/f.net.degree[u]))
		}
	}
	return min(1.01*most, math.MaxFloat64)
}

// merge merges groups two by two, those that gain most or lose least first, until k are left. It
// returns the number of mergers.
func (f *finder) merge(ctx context.Context, p *found, k int) (int, error) {
	list, err := agglomerate(ctx, f.net.merged(p.of, p.k), p.gamma, f.total, k)
	if err != nil {
		return 0, err
	}
	group := mergedInto(list, p.k)
	for v, c := range p.of {
		p.of[v] = group[c]
	}
	p.k = renumber(p.of)
	return len(list), nil
}
