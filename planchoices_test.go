package eigenmap_test

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A run whose number of clusters is chosen takes at most the memory of the largest number, and
// about the time of a usual one: the cube root of the documents.
func TestPlanOfAutoIsOfAUsualNumber(t *testing.T) {
	file := long(t, 27_000, 20_000, 1_000_000)
	plan := func(pairs ...string) *eigenmap.Plan {
		t.Helper()
		var opt eigenmap.Options
		set(t, &opt, pairs...)
		p := must.Get(eigenmap.DryRun(t.Context(), file, opt, "cluster"))(t)
		return p
	}
	p, usual, most := plan("clusters", "auto"), plan("clusters", "30"), plan("clusters", "60")
	for _, name := range []string{"eigen", "kmeans", "runner-up"} {
		s := stageOf(t, p, name)
		if want := stageOf(t, usual, name).Seconds; s.Seconds != want {
			t.Errorf("%s takes %g s, and with 30 clusters %g s", name, s.Seconds, want)
		}
		if want := stageOf(t, most, name).Bytes; s.Bytes != want {
			t.Errorf("%s takes %d bytes, and with 60 clusters %d", name, s.Bytes, want)
		}
	}
	if p.Clusters != 60 || !strings.Contains(strings.Join(p.Notes, "\n"), "time for 30, about as many as are usual") {
		t.Errorf("%d clusters: %v", p.Clusters, p.Notes)
	}
	if p := plan("clusters", "50-60"); stageOf(t, p, "kmeans").Seconds != stageOf(t, plan("clusters", "50"), "kmeans").Seconds {
		t.Errorf("of a range that begins above the usual number the time is not its first number's: %+v", p.Stages)
	}
}

// The choice of the method by known labels is a stage, which takes several fits of what votes; with
// labels that are too few to compare methods by there is none, and fewer members vote.
func TestPlanOfTheChoiceByLabels(t *testing.T) {
	file := long(t, 27_000, 20_000, 1_000_000)
	plan := func(pairs ...string) *eigenmap.Plan {
		t.Helper()
		var opt eigenmap.Options
		set(t, &opt, append(pairs, "clusters", "20")...)
		p := must.Get(eigenmap.MakePlan(t.Context(), file, opt))(t)
		return p
	}
	p := plan("labeled-fraction", "0.02")
	choice := stageOf(t, p, "choose method")
	if rest := p.Seconds - choice.Seconds; choice.Seconds < stageOf(t, p, "fit").Seconds || choice.Seconds > 12*rest {
		t.Errorf("%+v beside %+v", choice, p.Stages)
	}
	if choice.Bytes < stageOf(t, p, "regression").Bytes {
		t.Errorf("the choice takes %d bytes, and a fit in it more", choice.Bytes)
	}
	few := plan("labeled-fraction", "0.0005")
	for _, s := range few.Stages {
		if s.Name == "choose method" || s.Name == "tsvm" {
			t.Errorf("14 labels of 20 classes: %+v", s)
		}
	}
	if named := plan("labeled-fraction", "0.02", "method", "committee"); named.Seconds >= p.Seconds-choice.Seconds/2 {
		t.Errorf("%g s with the choice, %g s without", p.Seconds, named.Seconds)
	}
}

// Fits with hidden labels, by which confidences are calibrated, search as coarsely in a plan as
// they do in a run: those of tsvm take a third of its time each, not all of it.
func TestPlanOfFitsWithHiddenLabels(t *testing.T) {
	var opt eigenmap.Options
	set(t, &opt, "method", "tsvm", "labeled-fraction", "0.002", "clusters", "20")
	p := must.Get(eigenmap.MakePlan(t.Context(), long(t, 2_000, 5_000, 100_000), opt))(t)
	set(t, &opt, "labeled-fraction", "0.02")
	hidden := must.Get(eigenmap.MakePlan(t.Context(), long(t, 2_000, 5_000, 100_000), opt))(t)
	whole, five := stageOf(t, p, "tsvm").Seconds, stageOf(t, hidden, "calibrate").Seconds
	if five < whole || five > 3*whole {
		t.Errorf("five fits with hidden labels take %g s, one of all labels %g s", five, whole)
	}
}
