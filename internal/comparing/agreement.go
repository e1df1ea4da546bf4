package comparing

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/methods/metrics"
)

// agreement measures how far two clusterings agree on the documents that have a cluster in both.
func agreement(a, b []int) (*Agreement, error) {
	var ofA, ofB []int
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			ofA, ofB = append(ofA, a[i]), append(ofB, b[i])
		}
	}
	if ofA == nil {
		return nil, nil
	}
	t, err := metrics.NewTable(ofA, ofB)
	if err != nil {
		return nil, err
	}
	s := t.Scores()
	return &Agreement{s.NMI, s.ARI}, nil
}

// meanAgreement averages the agreement over the pairs of runs of two methods.
func (c *Comparison) meanAgreement(pairs [][]*Agreement, a, b string) *Agreement {
	var sum Agreement
	count := 0.0
	for i := range c.Runs {
		for j := range c.Runs {
			if c.Runs[i].Method == a && c.Runs[j].Method == b && pairs[i][j] != nil {
				sum.NMI += pairs[i][j].NMI
				sum.ARI += pairs[i][j].ARI
				count++
			}
		}
	}
	if count == 0 {
		return nil
	}
	return &Agreement{sum.NMI / count, sum.ARI / count}
}

// align chooses the reference run. A cluster of another run gets the number of the cluster of the
// reference with which it shares most documents; clusters without such a partner get the numbers
// that are left, and then further ones.
func (c *Comparison) align(pairs [][]*Agreement) error {
	best := math.Inf(-1)
	for i, r := range c.Runs {
		if r.Labels == nil {
			continue
		}
		total := 0.0
		for _, p := range pairs[i] {
			if p != nil {
				total += p.ARI
			}
		}
		if total > best+1e-12 {
			best, c.Reference = total, i
		}
	}
	if c.Reference < 0 {
		return nil
	}
	reference := c.Runs[c.Reference].Labels
	for i := range c.Runs {
		if r := &c.Runs[i]; r.Labels != nil && i != c.Reference {
			aligned, err := alignTo(reference, r.Labels)
			if err != nil {
				return err
			}
			r.Labels = aligned
		}
	}
	return nil
}

// alignTo renumbers clusters one to one so that as many documents as possible keep the number that
// they have in the reference. Negative numbers, of documents without a cluster, stay.
func alignTo(reference, labels []int) ([]int, error) {
	var of, own []int
	for i, l := range labels {
		if l >= 0 && reference[i] >= 0 {
			of, own = append(of, reference[i]), append(own, l)
		}
	}
	number := map[int]int{}
	if of != nil {
		t, err := metrics.NewTable(of, own)
		if err != nil {
			return nil, err
		}
		for col, row := range t.Assignment() {
			if row >= 0 {
				number[t.Clusters[col]] = t.Classes[row]
			}
		}
	}
	taken := map[int]bool{}
	for _, n := range number {
		taken[n] = true
	}
	free := 0 // numbers of the reference that are left come first
	rest := slices.Clone(labels)
	slices.Sort(rest)
	for _, l := range slices.Compact(rest) {
		if _, known := number[l]; known || l < 0 {
			continue
		}
		for taken[free] {
			free++
		}
		number[l], taken[free] = free, true
	}
	out := make([]int, len(labels))
	for i, l := range labels {
		if out[i] = l; l >= 0 {
			out[i] = number[l]
		}
	}
	return out, nil
}
