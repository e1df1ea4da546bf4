package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// BenchmarkRanks finds the neighbours of made-up abstracts approximately, by one process and by
// ranks that each have a part of the rows: seconds of processor time of all ranks, in relation to
// one process's, and what a rank receives in each stage. Ranks are goroutines of one process. One
// size: -bench 'Ranks/^100000$' -benchtime 1x -v.
func BenchmarkRanks(b *testing.B) {
	for _, n := range []int{20_000, 100_000, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			made, _ := Abstracts(n, 1).Counts()
			x := made.NormalizeRows()
			b.Logf("%d entries per row", x.NNZ()/n)
			for b.Loop() {
				one := 0.0
				for _, size := range []int{0, 1, 2, 4, 8} {
					cpu, received, said := neighboursOf(b, x, size)
					if size == 0 {
						one = cpu
					}
					b.Logf("%d ranks: %.1f s of CPU, %.2f of one process; %s", size, cpu, cpu/one, said)
					for _, stage := range slices.Sorted(func(yield func(string) bool) {
						for stage := range received {
							if !yield(stage) {
								return
							}
						}
					}) {
						b.Logf("  %-12s %6.0f bytes per own row of the rank with the most, in %d calls", stage, received[stage].most(n, size), received[stage].calls)
					}
				}
			}
		})
	}
}

// neighboursOf builds the graph of 15 neighbours by a number of ranks, 0 for one process without
// any.
func neighboursOf(b *testing.B, x *sparse.CSR, size int) (cpu float64, received map[string]*stageBytes, said string) {
	var notes []string
	opt := graph.Options{Search: graph.ApproxSearch, Seed: 1, Observer: func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}}
	before := CPUSeconds()
	if size == 0 {
		if _, err := graph.Build(context.Background(), x, opt); err != nil {
			b.Fatal(err)
		}
		return CPUSeconds() - before, nil, strings.Join(notes, " ")
	}
	counted := &counts{received: map[string]*stageBytes{}}
	ranks.Together(size, func(team ranks.Team) {
		lo, hi := ranks.Part(team, team.Rank(), x.NumRows)
		own := make([]int, hi-lo)
		for i := range own {
			own[i] = lo + i
		}
		part := x.SelectRows(own)
		mine := opt
		mine.Share = ranks.NewShare(&countedTeam{team, counted}, len(own))
		if team.Rank() > 0 {
			mine.Observer = nil
		}
		if _, err := graph.Build(context.Background(), part, mine); err != nil {
			b.Error(err)
		}
	})
	return CPUSeconds() - before, counted.received, strings.Join(notes, " ")
}

// stageBytes are the bytes that each rank received in a stage.
type stageBytes struct {
	bytes map[int]int
	calls int
}

// most is the largest number of bytes per own row.
func (s *stageBytes) most(n, size int) float64 {
	most := 0
	for _, v := range s.bytes {
		most = max(most, v)
	}
	return float64(most) * float64(size) / float64(n)
}

type counts struct {
	mu       sync.Mutex
	received map[string]*stageBytes
}

// countedTeam counts what comes from other ranks, by the stage of the search that asks for it.
type countedTeam struct {
	ranks.Team
	counts *counts
}

func (t *countedTeam) Exchange(parts [][]byte) [][]byte {
	got := t.Team.Exchange(parts)
	total := 0
	for r, part := range got {
		if r != t.Rank() {
			total += len(part)
		}
	}
	stage := stageOfCaller()
	t.counts.mu.Lock()
	defer t.counts.mu.Unlock()
	s := t.counts.received[stage]
	if s == nil {
		s = &stageBytes{bytes: map[int]int{}}
		t.counts.received[stage] = s
	}
	s.bytes[t.Rank()] += total
	if t.Rank() == 0 {
		s.calls++
	}
	return got
}

// stageOfCaller is the stage of the search from which it is called.
func stageOfCaller() string {
	pc := make([]uintptr, 40)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		frame, more := frames.Next()
		for _, stage := range []string{"divide", "newRecallSample", "recall", "finish", "partition", "descend", "move"} {
			if strings.HasSuffix(frame.Function, "."+stage) {
				return stage
			}
		}
		if !more {
			return "other"
		}
	}
}
