package eigen

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Every figure of a solver's work is in the public statistics, under the same name.
func TestStatsKeepTheWork(t *testing.T) {
	var w problem.Stats
	fill(reflect.ValueOf(&w).Elem())
	inside := must.Get(json.Marshal(w))(t)
	public := must.Get(json.Marshal(statsOf(w)))(t)
	if string(inside) != string(public) {
		t.Errorf("the work is %s; the statistics are %s", inside, public)
	}
	if reflect.TypeFor[problem.Stats]().NumField() != reflect.TypeFor[Stats]().NumField() {
		t.Error("the statistics have other fields than the work")
	}
}

// fill gives every field of a struct a value of its own.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(v.Type().Field(i).Name)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i + 1))
		case reflect.Float64:
			f.SetFloat(float64(i) + 0.5)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
			fill(f.Elem())
		}
	}
}

// The searches keep to the probability that the package promises.
func TestMissProbability(t *testing.T) {
	if MissProbability != krylov.MissProbability {
		t.Errorf("a search misses a pair with the probability %g; the promise is %g", krylov.MissProbability, MissProbability)
	}
}

// The solvers write their names into the statistics as the options have them.
func TestNamesOfSolvers(t *testing.T) {
	for name, want := range map[string]Solver{problem.Auto: Auto, problem.Dense: Dense, problem.ARPACK: ARPACK, problem.Lanczos: Lanczos,
		problem.ShiftInvert: ShiftInvert, problem.SLEPc: SLEPc} {
		if Solver(name) != want {
			t.Errorf("a solver is %q, the option %q", name, want)
		}
	}
}
