package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// fake is a contestant that records its turns and returns the given times, the last one repeatedly.
func fake(name string, side Side, turns *[]string, times ...float64) Contestant {
	next := 0
	return Contestant{name, side, func(context.Context) (Outcome, error) {
		*turns = append(*turns, name)
		t := times[min(next, len(times)-1)]
		next++
		return Outcome{Seconds: t}, nil
	}}
}

func TestAlternateReversesTheOrderEveryRound(t *testing.T) {
	var turns []string
	must.Get(Alternate(context.Background(), Plan{Runs: 3, Budget: time.Hour}, []Contestant{
		fake("a", Native, &turns, 3), fake("b", Go, &turns, 3), fake("c", Peer, &turns, 3),
	}))(t)
	want := []string{"a", "b", "c", "c", "b", "a", "a", "b", "c"}
	if !slices.Equal(turns, want) {
		t.Errorf("turns %v, want %v", turns, want)
	}
}

func TestAlternateMediansAndRatios(t *testing.T) {
	var turns []string
	rows := must.Get(Alternate(context.Background(), Plan{Runs: 3, Budget: time.Hour}, []Contestant{
		fake("ours", Native, &turns, 2, 4, 3), fake("pure", Go, &turns, 20, 20, 60), fake("theirs", Peer, &turns, 6),
	}))(t)
	ours := rows[0]
	if ours.Median != 3 || ours.Min != 2 || ours.Max != 4 || ours.Runs != 3 {
		t.Errorf("ours: %+v", ours)
	}
	if r := ours.Against[Go]; r == nil || r.Base != "pure" || math.Abs(r.Value-20./3) > 1e-12 || r.Min != 5 || r.Max != 20 {
		t.Errorf("against Go: %+v", r)
	}
	if r := ours.Against[Peer]; r == nil || r.Value != 2 || r.Min != 1.5 || r.Max != 3 {
		t.Errorf("against the peer: %+v", r)
	}
	if rows[1].Against[Go] != nil || rows[2].Against[Peer] != nil {
		t.Error("a side was compared with itself")
	}
	if r := rows[2].Against[Go]; r == nil || math.Abs(r.Value-20./6) > 1e-12 {
		t.Errorf("the peer against Go: %+v", r)
	}
}

func TestAlternateFirstShortRunIsAWarmUp(t *testing.T) {
	var turns []string
	rows := must.Get(Alternate(context.Background(), Plan{Runs: 2}, []Contestant{fake("a", Native, &turns, 1.9, 0.1, 0.1)}))(t)
	if rows[0].Max != 0.1 || rows[0].Runs != 2 || len(turns) != 3 {
		t.Errorf("row %+v after %d turns", rows[0], len(turns))
	}
}

func TestAlternateSlowContestantStopsAfterMinRuns(t *testing.T) {
	var turns []string
	rows := must.Get(Alternate(context.Background(), Plan{Runs: 6, MinRuns: 2, Budget: 10 * time.Second}, []Contestant{
		fake("slow", Go, &turns, 30), fake("quick", Native, &turns, 0.5),
	}))(t)
	if rows[0].Runs != 2 || rows[1].Runs != 6 {
		t.Errorf("%d slow and %d quick runs, want 2 and 6", rows[0].Runs, rows[1].Runs)
	}
	if r := rows[1].Against[Go]; r == nil || r.Value != 60 || r.Min != 60 || r.Max != 60 {
		t.Errorf("ratio over the rounds both took part in: %+v", r)
	}
}

func TestAlternateFailureIsARowAndEndsNothing(t *testing.T) {
	var turns []string
	rows := must.Get(Alternate(context.Background(), Plan{Runs: 2}, []Contestant{
		{"broken", Peer, func(context.Context) (Outcome, error) { return Outcome{}, errors.New("no memory") }},
		fake("fine", Native, &turns, 1),
	}))(t)
	if rows[0].Failed != "broken: no memory" || rows[0].Runs != 0 || rows[1].Runs != 2 || rows[1].Against[Peer] != nil {
		t.Errorf("rows %+v", rows)
	}
}

func TestAlternateHonoursTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var turns []string
	_, err := Alternate(ctx, Plan{Runs: 5}, []Contestant{
		fake("a", Native, &turns, 3),
		{"b", Go, func(context.Context) (Outcome, error) { cancel(); return Outcome{Seconds: 3}, nil }},
	})
	if !errors.Is(err, context.Canceled) || len(turns) != 1 {
		t.Errorf("error %v after %d turns", err, len(turns))
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want float64
	}{{[]float64{4}, 4}, {[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(c.in); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.in, got, c.want)
		}
	}
}
