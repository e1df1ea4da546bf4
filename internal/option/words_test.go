package option

import "testing"

// Conditions are in words: what must be there, what must not, and what does not matter because the
// run has no such option.
func TestConditions(t *testing.T) {
	type options struct {
		Epsilon   float64 `flag:"epsilon" range:">0"`
		Neighbors int     `flag:"neighbors" range:">=1" default:"15" when:"epsilon="`
		Weight    string  `flag:"weight" choices:"dot|heat|poly" when:"precomputed!=true"`
		Width     float64 `flag:"width" range:">0" when:"weight=heat,dot"`
		Rule      string  `flag:"rule" choices:"mean|local" default:"mean" when:"weight=heat; width= | rule=local"`
		Degree    int     `flag:"degree" when:"weight=poly | kernel=polynomial"`
		Labels    string  `flag:"labels" when:"weight!=dot; spare!=true"`
		Drop      bool    `flag:"drop" default:"true" when:"neighbors | data=sparse"`
		Once      bool    `flag:"once" default:"false" when:"drop=false"`
		Again     bool    `flag:"again" when:"drop=true; once!=true"`
	}
	list := Of(new(options))
	for name, want := range map[string]string{
		"epsilon": "", "weight": "",
		"neighbors": "without ‹epsilon›",
		"width":     "with ‹weight› heat or dot",
		"rule":      "with ‹weight› heat, without ‹width› or if it is local",
		"degree":    "with ‹weight› poly",
		"labels":    "not with ‹weight› dot",
		"drop":      "with ‹neighbors› or for sparse data",
		"once":      "without ‹drop›",
		"again":     "with ‹drop›, without ‹once›",
	} {
		got := Find(list, name).Conditions(list)
		if got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

// Values and defaults are in words.
func TestAllowedAndStandard(t *testing.T) {
	type options struct {
		Count  int      `flag:"count" range:">=1" default:"3"`
		Free   int      `flag:"free"`
		Share  float64  `flag:"share" range:"0<x<1" unset:"half"`
		Seed   uint64   `flag:"seed" default:"0"`
		On     *bool    `flag:"on" default:"true"`
		Off    bool     `flag:"off" default:"false"`
		Weight string   `flag:"weight" choices:"dot|heat|poly" sparse:"dot" dense:"heat"`
		Parts  []string `flag:"parts" choices:"head|foot"`
		Names  []string `flag:"names"`
		File   string   `flag:"file" path:"true"`
		Word   string   `flag:"word"`
		PCA    Amount   `flag:"pca"`
		Least  Amount   `flag:"least" range:"documents" default:"2"`
	}
	list := Of(new(options))
	for name, want := range map[string][2]string{
		"count": {"whole number of at least 1", "3"}, "free": {"whole number of at least 0", ""}, "share": {"number above 0 and below 1", "half"},
		"seed": {"whole number of at least 0", "0"}, "on": {"switch", "on"}, "off": {"switch", ""},
		"weight": {"dot, heat or poly", "dot for sparse data, heat for dense data"}, "parts": {"list of head or foot", ""}, "names": {"list of names", ""},
		"file": {"path", ""}, "word": {"text", ""}, "pca": {"count or share", ""}, "least": {"number of documents, or share", "2"},
	} {
		f := Find(list, name)
		if got := [2]string{f.Allowed(), f.Standard()}; got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

// An option without a group is one of the method's own: help lists each option under a heading.
func TestGroups(t *testing.T) {
	type inner struct {
		C float64 `flag:"c" range:">0"`
	}
	type options struct {
		Inner inner `flags:"*"`
		Own   int   `flag:"own" group:"input"`
	}
	list := Of(new(options))
	if c, own := Find(list, "c").Group, Find(list, "own").Group; c != "method" || own != "input" {
		t.Errorf("the groups are %q and %q", c, own)
	}
}
