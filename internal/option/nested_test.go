package option

import "testing"

// The conditions of a nested struct hold for each of its options, beside their own.
func TestNestedConditions(t *testing.T) {
	type inner struct {
		Weight string  `flag:"weight" choices:"dot|heat" default:"dot"`
		Width  float64 `flag:"width" range:">0" when:"weight=heat"`
	}
	var o struct {
		Kind  string `flag:"kind" choices:"graph|none" default:"graph"`
		Inner inner  `flags:"*" when:"kind=graph"`
	}
	relevant := func(name string) bool {
		list := Of(&o)
		ok, _ := Relevant(list, Find(list, name), Unknown)
		return ok
	}
	if !relevant("weight") || relevant("width") {
		t.Error("own conditions do not count")
	}
	o.Inner.Weight = "heat"
	if !relevant("width") {
		t.Error("both conditions hold, but the option counts as irrelevant")
	}
	if o.Kind = "none"; relevant("weight") || relevant("width") {
		t.Error("the condition of the nested struct does not count")
	}
}
