package graph

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// A graph keeps within what it asks for, which is what a plan says: with its entries for the index
// of the search, and not the edges alone.
func TestBuildKeepsWithinPlan(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(native.Threads()) // also where the collector has one processor
	const n, k = 20_000, 7
	x := graphtest.Stories(n, 40, 6000, 150, rand.New(rand.NewPCG(3, 8)))
	planned := Options{Neighbors: k}.BuildBytes(n, x.NNZ(), true)
	if planned <= Bytes(n, k) {
		t.Fatal("the edges alone decide")
	}
	took, _ := memory.PeakHeap(func() {
		if _, err := Build(memory.Bound(background, planned), x, Options{Neighbors: k}); err != nil {
			t.Error(err)
		}
	})
	if took > planned {
		t.Errorf("it takes %d bytes, and asks for %d", took, planned)
	}
	refused := func(left int64, way string, neighbours int) {
		t.Helper()
		_, err := Build(memory.Bound(background, left), x, Options{Neighbors: neighbours})
		if !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), way) {
			t.Errorf("%d bytes: %v", left, err)
		}
	}
	refused(planned-1, "choose fewer ‹neighbors›", k)
	refused(Options{Neighbors: 1}.BuildBytes(n, x.NNZ(), true)-1, "give fewer documents", k)
	refused(Bytes(n, 100)-1, "choose fewer ‹neighbors›", 100)
}

// A rank asks for what a plan says of it, and what is too much for one is an error of all.
func TestRankAsksForPlan(t *testing.T) {
	const n, k, size = 2000, 5, 4
	sparse := graphtest.Stories(n, 20, 800, 60, rand.New(rand.NewPCG(3, 9)))
	for form, x := range map[string]mat.Matrix{"sparse": sparse, "dense": sparse.ToDense()} {
		ranks.Together(size, func(team ranks.Team) {
			opt := Options{Neighbors: k, Search: ExactSearch, Share: ranks.Evenly(team, n)}
			own := graphtest.Own(x, opt.Share)
			here, _ := own.Dims()
			entries, dense := entriesOf(own)
			planned := opt.SharedBytes(entries*n/here, dense)
			if planned <= Bytes(here, k) {
				t.Error("the edges alone decide")
			}
			ctx := ranks.With(background, team)
			if _, err := Build(memory.Bound(ctx, planned), own, opt); err != nil {
				t.Errorf("%s, rank %d: %v", form, team.Rank(), err)
			}
			if team.Rank() == 2 {
				ctx = memory.Bound(ctx, planned-1)
			}
			if _, err := Build(ctx, own, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "choose fewer ‹neighbors›") {
				t.Errorf("%s, rank %d: %v", form, team.Rank(), err)
			}
		})
	}
}
