package eigen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

func TestMassExplore(t *testing.T) {
	if os.Getenv("MASS") == "" {
		t.Skip()
	}
	for seed := range 25 {
		r := rand.New(rand.NewPCG(uint64(seed), 275))
		n := 150 + r.IntN(250)
		mass := make([]float64, n)
		orders := 6 + 6*r.Float64()
		for i := range mass {
			mass[i] = math.Pow(10, orders*(r.Float64()-0.5))
		}
		p, err := NewPencil(randomGraph(t, n, (1+r.IntN(4))*n, uint64(seed)), mass)
		if err != nil {
			t.Fatal(err)
		}
		k := 1 + r.IntN(30)
		line := fmt.Sprintf("n %d orders %.1f k %d:", n, orders, k)
		want, err := p.Solve(context.Background(), Options{K: k, Solver: Dense})
		if err != nil {
			line += " dense " + err.Error()
		}
		for _, s := range []Solver{Lanczos, ARPACK, ShiftInvert, Auto} {
			began := time.Now()
			got, err := p.Solve(context.Background(), Options{K: k, Solver: s, Seed: uint64(seed), Block: []int{0, 1, 2, 8, 16}[seed%5]})
			line += fmt.Sprintf(" %s %v", s, time.Since(began).Round(time.Millisecond))
			if err != nil {
				line += " (" + err.Error()[:min(60, len(err.Error()))] + ")"
				continue
			}
			worst := 0.0
			for j := range got.Values {
				worst = max(worst, math.Abs(got.Values[j]-want.Values[j])/want.Values[len(want.Values)-1])
			}
			line += fmt.Sprintf(" %.0e", worst)
		}
		t.Log(line)
	}
}
