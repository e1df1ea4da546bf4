package methodtest

import (
	"math"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// sameGroups is the least adjusted Rand index of the groups of a fit with those at another scale.
const sameGroups = 0.9

// checkScale: data of a size whose squares double precision does not hold, 1e±200 and 1e±290, are
// refused, or fitted as the same data near 1 are.
func checkScale(s *suite) { s.scaled(-963, -664, 664, 963) }

// checkUnits: data of 1e±100 are refused, or fitted as the same data near 1 are. A method with a
// constant in the units of the data waives it.
func checkUnits(s *suite) { s.scaled(-332, 332) }

// scaled compares the groups found in the data with the groups found in the data times powers of 2.
// These powers change no digit, so that nothing but a lost or an infinite number, or a constant,
// changes a result.
func (s *suite) scaled(powers ...int) {
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
		want, err := groups(plain)
		if err != nil {
			s.badf("%s: %v", sm.name, err)
			continue
		}
		for _, power := range powers {
			times := func(_, _ int, v float64) float64 { return math.Ldexp(v, power) }
			in := sm.input()
			if in.X = mapped(in.X, times); in.Counts != nil {
				in.Counts = mapped(in.Counts, times)
			}
			out, err := s.fit(background, s.options(), in)
			var got []int
			if err == nil {
				if where := infinite(out); where != "" {
					s.badf("%s times 2^%d: %s", sm.name, power, where)
				}
				got, err = groups(out)
			}
			if refusal(err) {
				continue
			}
			if err != nil {
				s.badf("%s times 2^%d: neither a result nor fs.ErrInvalid: %v", sm.name, power, err)
				continue
			}
			if v, err := metrics.Score(want, got); err != nil || v.ARI < sameGroups {
				s.badf("%s times 2^%d: the clusters are others, with an adjusted Rand index of %.2f: %v", sm.name, power, v.ARI, err)
			}
		}
	}
}

// groups returns the clusters of a fit, or else the clusters of its coordinates by k-means.
func groups(out *method.Fitted) ([]int, error) {
	if out.Clusters != nil {
		return out.Clusters.Labels, nil
	}
	m, err := kmeans.Fit(background, out.Embedding, kmeans.Options{K: clusters, Seed: 1})
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
}
