package option

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Lists of two structs of one type are options of their own struct each, nested ones and spans
// among them, and what a caller changes of a field stays in its list.
func TestOfBindsEachStruct(t *testing.T) {
	type inner struct {
		Depth int `flag:"depth" help:"a depth"`
	}
	type outer struct {
		K     int `flag:"k" span:"Range" help:"a number"`
		Range Span
		In    inner `flags:"*"`
	}
	var a, b outer
	first, second := Of(&a), Of(&b)
	for _, f := range second {
		must.Do(t, f.Set("3"))
	}
	must.Do(t, Find(second, "k").Set("2-5"))
	if a != (outer{}) || b.In.Depth != 3 || b.Range.To != 5 {
		t.Errorf("%+v and %+v", a, b)
	}
	first[0].Help = "changed"
	if again := Of(&b); again[0].Help != "a number" || again[0].Span().To != 5 || !first[0].Searched() {
		t.Error("a list changes with another one")
	}
}

// BenchmarkOf lists the options of a struct.
func BenchmarkOf(b *testing.B) {
	type inner struct {
		Depth int     `flag:"depth" help:"a depth"`
		Width float64 `flag:"width" range:">=0" help:"a width"`
	}
	var v struct {
		In  inner  `flags:"*"`
		How string `flag:"how" choices:"a|b" default:"a" help:"how"`
	}
	b.ReportAllocs()
	for b.Loop() {
		Of(&v)
	}
}
