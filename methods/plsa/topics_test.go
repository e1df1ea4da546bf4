package plsa

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestTopicsSetApart: a term that all topics share is none of theirs, however probable; of terms of
// one topic alone the frequent one comes first.
func TestTopicsSetApart(t *testing.T) {
	m := &Model{Weights: []float64{.75, .25}, Terms: mat.NewDense(2, 5, []float64{
		.6, .25, .1, .04, .01,
		.6, .01, .04, .1, .25})}
	names := []string{"div", "goal", "match", "law", "vote"}
	for z, want := range [][]string{{"goal", "match", "div", "law", "vote"}, {"vote", "law", "div", "match", "goal"}} {
		var got []string
		for _, w := range m.Topics(names)[z] {
			got = append(got, w.Term)
			if w.Weight != m.Terms.At(z, w.Column) || names[w.Column] != w.Term {
				t.Errorf("topic %d: %+v", z, w)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("topic %d: %v, not %v", z, got, want)
		}
	}
	alone := &Model{Weights: []float64{1}, Terms: mat.NewDense(1, 3, []float64{.2, .5, .3})}
	if list := alone.Topics(nil)[0]; list[0].Term != "2" || list[1].Term != "3" || math.Abs(list[2].Weight-.2) > 0 {
		t.Errorf("a single topic has the terms %v", list)
	}
}
