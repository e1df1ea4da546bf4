package comparing

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// spread is the mean and the standard deviation of a sample; the latter is 0 of one value. Values
// are added in ascending order, so that their order does not count.
func spread(values []float64) (mean, deviation float64) {
	values = slices.Sorted(slices.Values(values))
	for _, v := range values {
		mean += v
	}
	mean /= float64(max(1, len(values)))
	if len(values) < 2 {
		return mean, 0
	}
	sum := 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / float64(len(values)-1))
}

// mostExact is the largest number of differences of which all signs are tried.
const mostExact = 20

// signFlips is the two-sided sign-flip test of paired differences: the share of all choices of
// their signs whose sum is at least as far from 0. It is exact up to mostExact differences, beyond
// these the normal approximation, whose variance is that of the signs: the sum of squares.
func signFlips(differences []float64) float64 {
	d := slices.Sorted(slices.Values(differences))
	sum, squares, most := 0.0, 0.0, 0.0
	for _, v := range d {
		sum, squares, most = sum+v, squares+v*v, most+math.Abs(v)
	}
	if most == 0 {
		return 1
	}
	if len(d) > mostExact {
		return math.Erfc(math.Abs(sum) / math.Sqrt(2*squares))
	}
	// A Gray code changes one sign at a time. The last sign stays: its two choices are mirrored.
	far, tried, least := 0, 1<<(len(d)-1), math.Abs(sum)-1e-9*most
	for i := range tried {
		if i > 0 {
			k := bits.TrailingZeros(uint(i))
			sum -= 2 * d[k]
			d[k] = -d[k]
		}
		if math.Abs(sum) >= least {
			far++
		}
	}
	return float64(far) / float64(tried)
}

// holm adjusts probabilities of several tests by Holm's rule: those below a level then have among
// them one or more without a difference with at most that probability.
func holm(p map[string]float64) map[string]float64 {
	type test struct {
		name string
		p    float64
	}
	var list []test
	for name, v := range p {
		list = append(list, test{name, v})
	}
	slices.SortFunc(list, func(a, b test) int {
		if a.p != b.p {
			if a.p < b.p {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	adjusted, least := make(map[string]float64), 0.0
	for i, t := range list {
		least = min(1, max(least, t.p*float64(len(list)-i)))
		adjusted[t.name] = least
	}
	return adjusted
}

// escapeLaTeX is a text as LaTeX prints it.
func escapeLaTeX(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "_", `\_`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "\n", " ", "\r", " ").Replace(text)
}

// comment is a text in a comment of LaTeX.
func comment(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }
