package model

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// quantiles are at most 1,001 of the values, ascending, of the rows with a distance, which is below
// 0 of the others; nil if there are none.
func quantiles(values, distances []float64) []float64 {
	var all []float64
	for i, v := range values {
		if distances[i] >= 0 {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	if len(all) <= noveltySteps+1 {
		return all
	}
	few := make([]float64, noveltySteps+1)
	for q := range few {
		few[q] = all[q*(len(all)-1)/noveltySteps]
	}
	return few
}

// compare finds how unlike the others each training document is, by its distance, -1 for none, and
// by its terms that no other document has: what a new document is compared with.
func (v *Novelty) compare(rarities []corpus.Rarity, distances []float64) {
	var terms, own int64
	for i, r := range rarities {
		if distances[i] >= 0 {
			terms, own = terms+int64(r.Terms), own+int64(r.Own)
		}
	}
	if terms == 0 {
		return
	}
	// Half of a term, where all documents share all of theirs or none: a deviation of 0 measures
	// nothing.
	v.OwnShare = min(max(float64(own), .5), float64(terms)-.5) / float64(terms)
	deviations, unlike := make([]float64, len(rarities)), make([]float64, len(rarities))
	for i, r := range rarities {
		deviations[i] = v.deviation(r)
	}
	v.Own = quantiles(deviations, distances)
	for i, d := range distances {
		unlike[i] = v.evidence(d, deviations[i])
	}
	v.Unlike = quantiles(unlike, distances)
}

// deviation is by how many standard deviations a document has more own terms than it would if each
// of its terms were one with the probability OwnShare.
func (v *Novelty) deviation(r corpus.Rarity) float64 {
	if r.Terms == 0 {
		return 0
	}
	n := float64(r.Terms)
	return (float64(r.Own) - n*v.OwnShare) / math.Sqrt(n*v.OwnShare*(1-v.OwnShare))
}

// evidence is half of Fisher's statistic of two tests: the shares of training documents that are as
// far, and that have as many own terms. It is the larger the fewer there are.
func (v *Novelty) evidence(distance, deviation float64) float64 {
	return -math.Log(tail(v.Distances, distance)) - math.Log(tail(v.Own, deviation))
}

// tail is the share of values, ascending, that are x or larger, as if x were one of them.
func tail(values []float64, x float64) float64 {
	below, _ := slices.BinarySearch(values, x)
	return float64(len(values)-below+1) / float64(len(values)+1)
}

// UnlikeOf says how unlike all training documents a new one is, given its novelty of [Novelty.Of]
// and its terms, of which Own are those that the model does not know: the share of the training
// documents that are less unlike the others, between 0 and 1. Without terms it is the novelty.
func (v *Novelty) UnlikeOf(novelty float64, terms corpus.Rarity) float64 {
	if v.Unlike == nil || novelty >= 1 && terms.Own == terms.Terms {
		return novelty
	}
	far := 1 - novelty*float64(len(v.Distances))/float64(len(v.Distances)+1)
	less, _ := slices.BinarySearch(v.Unlike, -math.Log(far)-math.Log(tail(v.Own, v.deviation(terms))))
	return float64(less) / float64(len(v.Unlike))
}

// checkUnlike refuses quantiles that are damaged.
func (v *Novelty) checkUnlike() error {
	if (v.Unlike == nil) != (v.Own == nil) || !slices.IsSorted(v.Unlike) || !slices.IsSorted(v.Own) || v.Unlike != nil && !(v.OwnShare > 0 && v.OwnShare < 1) {
		return invalid.Errorf("the model's numbers of terms of training documents are damaged")
	}
	return nil
}
