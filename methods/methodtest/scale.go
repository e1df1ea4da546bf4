package methodtest

import (
	"math"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// scales are the powers of 2 that entries are multiplied by: 1e±100, 1e±200 and 1e±290.
var scales = []int{-963, -664, -332, 332, 664, 963}

// sameGroups is the least adjusted Rand index of the groups of a fit with those at another scale.
const sameGroups = 0.9

// checkScale: data at the ends of what double precision holds are refused, or fitted as the same
// data near 1 are. Powers of 2 change no digit, so that nothing but a lost or an infinite number
// changes a result.
func checkScale(s *suite) {
	for _, sm := range s.samples(small) {
		in := sm.input()
		if in.X == nil {
			continue
		}
		plain, err := s.fit(background, s.options(), in)
		if err != nil {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		want := groups(plain)
		for _, power := range scales {
			in := sm.input()
			in.X = mapped(in.X, func(_, _ int, v float64) float64 { return math.Ldexp(v, power) })
			if in.Counts != nil {
				in.Counts = mapped(in.Counts, func(_, _ int, v float64) float64 { return math.Ldexp(v, power) })
			}
			out, err := s.fit(background, s.options(), in)
			switch {
			case refusal(err):
			case err != nil:
				s.badf("%s times 2^%d: neither a result nor fs.ErrInvalid: %v", sm.name, power, err)
			case infinite(out) != "":
				s.badf("%s times 2^%d: %s", sm.name, power, infinite(out))
			default:
				if v, err := metrics.Score(want, groups(out)); err != nil || v.ARI < sameGroups {
					s.badf("%s times 2^%d: the clusters are others, with an adjusted Rand index of %.2f: %v", sm.name, power, v.ARI, err)
				}
			}
		}
	}
}

// groups are the clusters of a fit, or those of its coordinates by k-means.
func groups(out *method.Fitted) []int {
	if out.Clusters != nil {
		return out.Clusters.Labels
	}
	m, err := kmeans.Fit(background, out.Embedding, kmeans.Options{K: clusters, Seed: 1})
	if err != nil {
		return make([]int, small) // another grouping than that of any fit
	}
	return m.Labels
}
