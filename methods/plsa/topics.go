package plsa

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/methods/method"
)

// topicTerms is how many terms of each topic are listed; each has a probability of every term.
const topicTerms = 50

// Topics lists the terms that set each topic apart, at most 50, the best first, with their
// probabilities P(w|z). terms are the names of the columns; if it is nil a term is named by its
// number, counted from 1.
//
// The most probable terms of a topic are often frequent in all topics. A term counts here by the
// rule for clusters (corpus.TopTerms), of probabilities in place of shares of documents:
//
//	p log(1 + 1/(K P(w))) · (1 − q/p)²,
//
// where p is P(w|z), q the term's probability in the other topics, and P(w) in all. Terms that are
// no more probable than elsewhere come last, as do those of a single topic, by their probability.
// (Sievert and Shirley 2014 weigh p and p/P(w) against each other; by their relevance with λ = 0.6
// a term that all topics share stays in front if it is frequent.)
func (m *Model) Topics(terms []string) [][]method.Weight {
	k, columns := m.Terms.Dims()
	all, sum := make([]float64, columns), 0.0
	for t, w := range m.Weights {
		sum += w
		for i, p := range m.Terms.RawRowView(t) {
			all[i] += w * p
		}
	}
	topics, score := make([][]method.Weight, k), make([]float64, columns)
	for t := range k {
		row, w := m.Terms.RawRowView(t), m.Weights[t]
		for i, p := range row {
			score[i] = 0
			if q := (all[i] - w*p) / (sum - w); sum > w && q < p {
				score[i] = p * math.Log1p(sum/(float64(k)*all[i])) * (1 - q/p) * (1 - q/p)
			}
		}
		for _, i := range first(min(topicTerms, columns), columns, func(a, b int) int {
			return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(row[b], row[a]), cmp.Compare(a, b))
		}) {
			name := strconv.Itoa(i + 1)
			if terms != nil {
				name = terms[i]
			}
			topics[t] = append(topics[t], method.Weight{Column: i, Term: name, Weight: row[i]})
		}
	}
	return topics
}

// first are the n first of the numbers below all, 0 < n ≤ all, in an order without ties. O(all · n)
// at worst, all + n·log for numbers in no order.
func first(n, all int, order func(a, b int) int) []int {
	at := make([]int, 0, n)
	for i := range all {
		if len(at) == n && order(i, at[n-1]) > 0 {
			continue
		}
		p, _ := slices.BinarySearchFunc(at, i, order)
		at = slices.Insert(at[:min(len(at), n-1)], p, i)
	}
	return at
}
