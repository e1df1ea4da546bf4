package option

import "testing"

// An option is found by the name of the version before, and a nested struct can leave options out.
func TestFormerNamesAndAllBut(t *testing.T) {
	type inner struct {
		Kind  string `flag:"kind" choices:"a|b"`
		Count int    `flag:"count" was:"number" range:">=1"`
	}
	var o struct {
		Inner inner `flags:"*,-kind"`
	}
	list := Of(&o)
	if len(list) != 1 || list[0].Name != "count" {
		t.Fatalf("options %v, want count alone", list)
	}
	f := Former(list, "number")
	if f == nil || f.Name != "count" {
		t.Fatalf("number was the name of %v", f)
	}
	if err := f.Set("4"); err != nil || o.Inner.Count != 4 {
		t.Errorf("number 4: %v, count is %d", err, o.Inner.Count)
	}
	if Former(list, "count") != nil || Former(list, "") != nil {
		t.Error("a name of now, or none, counts as a former one")
	}
}
