package leiden

import "gonum.org/v1/gonum/mat"

// leastLike is the least share of the nodes in a group whose likeness to others is looked at: a few
// documents that nothing joins to the others would be as unlike them as can be.
const leastLike = 0.01

// likenessOf returns Levels.Likeness and Levels.Smaller. groups are those of a partition with
// these sizes, and total is the sum of all degrees. Two groups at a time are joined, the most
// alike first; the likeness of a joined group to another is the mean over its parts, weighted by
// their degrees, so that it never rises. O(g³) of at most 100 groups.
func likenessOf(groups *network, sizes []int, gamma, total float64) (list []float64, smaller float64) {
	place, nodes := make([]int, len(sizes)), 0 // 0: left out
	for _, size := range sizes {
		nodes += size
	}
	var mass []float64
	for c, size := range sizes {
		if float64(size) >= leastLike*float64(nodes) && groups.degree[c] > 0 {
			mass = append(mass, groups.degree[c])
			place[c] = len(mass)
		}
	}
	if len(mass) == 0 {
		return nil, 0
	}
	between := mat.NewDense(len(mass), len(mass), nil)
	for c, to := range place {
		cols, vals := groups.row(c)
		for e, u := range cols {
			if from := place[u]; to > 0 && from > 0 {
				between.Set(to-1, from-1, vals[e])
			}
		}
	}
	list = []float64{gamma}
	for left := len(mass); left > 1; left-- {
		a, b, like := -1, -1, -1.0
		for i := range mass {
			for j := range i {
				if mass[i] > 0 && mass[j] > 0 {
					if l := between.At(i, j) / mass[i] * (total / mass[j]); l > like {
						a, b, like = j, i, l
					}
				}
			}
		}
		list = append(list, like)
		for i := range mass {
			both := between.At(a, i) + between.At(b, i)
			between.Set(a, i, both)
			between.Set(i, a, both)
		}
		smaller = min(mass[a], mass[b]) / (mass[a] + mass[b])
		mass[a] += mass[b]
		mass[b] = 0 // joined to a
	}
	return list, smaller
}
