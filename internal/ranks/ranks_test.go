package ranks

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestTogether makes many collective calls in a row, in which a fast rank must not run into the
// call before.
func TestTogether(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		Together(size, func(team Team) {
			r := team.Rank()
			for round := range 200 {
				parts := make([][]byte, size)
				for to := range parts {
					parts[to] = fmt.Appendf(nil, "%d to %d in %d", r, to, round)
				}
				for from, got := range team.Exchange(parts) {
					if want := fmt.Sprintf("%d to %d in %d", from, r, round); string(got) != want {
						t.Errorf("%q, not %q", got, want)
					}
				}
				x := []float64{float64(r), 1}
				team.Sum(x)
				if x[0] != float64(size*(size-1)/2) || x[1] != float64(size) {
					t.Errorf("the sum is %v", x)
				}
				y := []float64{float64(r + round)}
				team.Share(y)
				if y[0] != float64(round) {
					t.Errorf("%v was shared", y)
				}
			}
			all := GatherFloats(team, make([]float64, r))
			if len(all) != size*(size-1)/2 {
				t.Errorf("%d numbers were gathered", len(all))
			}
		})
	}
}

// TestTogetherKeepsNothing: once all ranks have what is theirs, the team holds no part any more, so
// that the memory of work by ranks is what the work takes.
func TestTogetherKeepsNothing(t *testing.T) {
	const size = 3
	var freed atomic.Int32
	var taken sync.WaitGroup
	taken.Add(size)
	Together(size, func(team Team) {
		func() {
			parts := make([][]byte, size)
			for to := range parts {
				parts[to] = make([]byte, 1<<16)
			}
			runtime.AddCleanup(&parts[0][0], func(*atomic.Int32) { freed.Add(1) }, &freed)
			team.Exchange(parts)
		}()
		taken.Done()
		taken.Wait()
		for range 200 {
			if runtime.GC(); freed.Load() == size {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d of %d parts were freed", freed.Load(), size)
	})
}

// A rank that ends while another waits for it, and ranks that call from different places, are
// faults of the program: MPI would wait for ever, or mix numbers.
func TestTogetherFindsFaults(t *testing.T) {
	for want, body := range map[string]func(t Team){
		"has ended": func(t Team) {
			if t.Rank() > 0 {
				t.Sum(nil)
			}
		},
		"different places": func(t Team) {
			if t.Rank() > 0 {
				t.Sum(nil)
			} else {
				t.Sum(nil)
			}
		},
	} {
		said := make([]string, 2)
		Together(2, func(team Team) {
			defer func() { said[team.Rank()] = fmt.Sprint(recover()) }()
			body(team)
		})
		if !strings.Contains(said[0]+said[1], want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
}

// A context ends at the look that was asked for, and counts looks.
func TestLooked(t *testing.T) {
	ctx, looks := Looked(context.Background(), 3)
	for look := 1; look <= 4; look++ {
		if ended := ctx.Err() != nil; ended != (look >= 3) || looks() != int64(look) {
			t.Errorf("at look %d, counted %d, it has ended: %v", look, looks(), ended)
		}
	}
}

// TestContext: work without a team is the work of a team of one, whose calls change nothing.
func TestContext(t *testing.T) {
	ctx := context.Background()
	if From(ctx) != (Alone{}) || From(With(ctx, nil)) != (Alone{}) {
		t.Error("no team is no team of one")
	}
	var share *Share // of all rows in one process
	Together(1, func(team Team) {
		for _, one := range []Team{team, Alone{}, share, NewShare(team, 7), Evenly(Alone{}, 7)} {
			x := []float64{2, 3}
			one.Sum(x)
			one.Share(x)
			Largest(one, x)
			got := GatherFloats(one, x)
			if one.Rank() != 0 || one.Size() != 1 || !slices.Equal(got, []float64{2, 3}) || GatherFloats(one, nil) != nil || GatherInts(one, nil) != nil {
				t.Errorf("%T: rank %d of %d has %v of 2 and 3", one, one.Rank(), one.Size(), got)
			}
			if said := one.Exchange([][]byte{{5}}); len(said) != 1 || !slices.Equal(said[0], []byte{5}) {
				t.Errorf("%T: %v comes back from itself", one, said)
			}
		}
	})
	if share.First() != 0 || share.Among(7) != 7 || share.Divided() || len(Own(share, []int{1, 2})) != 2 {
		t.Error("one process does not have all rows")
	}
	Together(3, func(team Team) {
		ctx := With(ctx, team)
		if From(ctx) != team || From(ctx).Size() != 3 {
			t.Error("another team")
		}
		covered := 0
		for r := range 3 {
			lo, hi := Part(team, r, 10)
			if lo != covered {
				t.Errorf("rank %d begins at %d, not %d", r, lo, covered)
			}
			covered = hi
		}
		if covered != 10 {
			t.Errorf("%d of 10 rows", covered)
		}
	})
}

// TestGatherInts: whole numbers of both signs come together in the order of the ranks.
func TestGatherInts(t *testing.T) {
	Together(3, func(team Team) {
		r := team.Rank()
		if got := GatherInts(team, []int{-1, 1 << 30, r}[:r+1]); !slices.Equal(got, []int{-1, -1, 1 << 30, -1, 1 << 30, 2}) {
			t.Errorf("rank %d has %v", r, got)
		}
	})
}
