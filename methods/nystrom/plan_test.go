package nystrom_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// A plan has a search and an eigenproblem, and refuses what it cannot know: the edges within a
// radius, small or large, and more neighbours than there are documents.
func TestPlan(t *testing.T) {
	x, _ := documents(90, 3, 25, 0, 6)
	in := &method.Input{X: x}
	rates := method.Rates{Entries: x.NNZ(), Threads: 2}
	for _, opt := range []graph.Options{{Epsilon: 0.01}, {Epsilon: 1}, {Epsilon: 30}, {Neighbors: 90}} {
		_, err := nystrom.Planned{Problem: nystrom.Problem{Graph: opt}, Dims: 3}.Stages(in, rates)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "‹neighbors›") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	stages, err := nystrom.Planned{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 5}}, Dims: 3}.Stages(in, rates)
	if err != nil || len(stages) != 2 || stages[0].Name != "graph" || stages[1].Name != "eigen" {
		t.Errorf("%+v, %v", stages, err)
	}
}
