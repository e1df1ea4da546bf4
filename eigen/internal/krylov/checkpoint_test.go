package krylov

import "testing"

// A stored state is taken only if its sizes fit each other and the problem; a state without a next
// block fits.
func TestStateFits(t *testing.T) {
	op := byProducts{n: 100}
	k := &krylov{Task: testTask(op, 100, 5, 0), x: make([]float64, 400)}
	state := func() *krylovState {
		return &krylovState{Size: 12, Columns: 20, Small: 20, Active: 8, Next: 2, Chain: 0, Block: 2, Locked: make([]float64, 2), Scale: make([]float64, 4)}
	}
	for what, change := range map[string]func(v *krylovState){
		"":            func(*krylovState) {},
		"no next":     func(v *krylovState) { v.Size, v.Next = 10, 0 },
		"none active": func(v *krylovState) { v.Size, v.Active = 4, 0 },
		"whole":       func(v *krylovState) { v.Columns = 12 },
		"grown":       func(v *krylovState) { v.Columns, v.More = 8, []int{4, 8} },
		"filter":      func(v *krylovState) { v.Filter = make([]float64, 2) },
	} {
		v := state()
		if change(v); !v.fits(k) {
			t.Errorf("%q: a state that fits is refused", what)
		}
	}
	for what, change := range map[string]func(v *krylovState){
		"size":    func(v *krylovState) { v.Size++ },
		"columns": func(v *krylovState) { v.Columns = 11 },
		"many":    func(v *krylovState) { v.Columns = 100000 },
		"more":    func(v *krylovState) { v.More = []int{1 << 62, 1 << 62} },
		"less":    func(v *krylovState) { v.More = []int{-1} },
		"small":   func(v *krylovState) { v.Small = 7 },
		"block":   func(v *krylovState) { v.Block = 0 },
		"chain":   func(v *krylovState) { v.Chain = -1 },
		"next":    func(v *krylovState) { v.Size, v.Next = 9, -1 },
		"wide":    func(v *krylovState) { v.Size, v.Next = 15, 5 },
		"scale":   func(v *krylovState) { v.Scale = make([]float64, 1) },
		"filter":  func(v *krylovState) { v.Filter = make([]float64, 3) },
	} {
		v := state()
		if change(v); v.fits(k) {
			t.Errorf("%q: a state that does not fit is taken", what)
		}
	}
}
