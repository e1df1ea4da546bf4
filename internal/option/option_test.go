package option

import (
	"errors"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// inner is nested in outer, as a graph's options are in a method's.
type inner struct {
	Neighbors int     `flag:"neighbors" range:">=1" unset:"15 or fewer" help:"nearest neighbours"`
	Weight    string  `flag:"edge-weight" choices:"dot|heat|poly" sparse:"dot" dense:"heat" help:"weight of an edge"`
	Width     float64 `flag:"heat-width" range:">0" when:"edge-weight=heat" unset:"the mean" help:"t"`
	Degree    int     `flag:"poly-degree" range:">=1" default:"2" when:"edge-weight=poly | kernel=polynomial" help:"degree"`
	Hidden    int
}

type outer struct {
	Dims   int      `flag:"dims" short:"d" range:">=1" unset:"the number of classes" help:"dimensions" group:"method"`
	Skip   string   `switches:"drop-first=constant|drop-zeros=zeros" default:"none" help:"skip one|skip all" group:"method"`
	Rows   bool     `flag:"normalize-rows" default:"false" help:"scale rows" group:"method"`
	Noise  *bool    `flag:"noise" default:"true" help:"add noise" group:"method"`
	Ridge  *float64 `flag:"ridge" range:">=0" default:"1" help:"ridge" group:"method"`
	Spread float64  `flag:"spread" range:"0<x<1" default:"0.9" help:"share" group:"method"`
	Seed   uint64   `flag:"seed" default:"0" help:"seed" group:"method"`
	Names  []string `flag:"names" choices:"a|b|c" help:"names" group:"method"`
	Pca    Amount   `flag:"pca" default:"0.9" help:"components" group:"method"`
	MaxDF  Amount   `flag:"max-df" range:"most documents" default:"1.0" help:"documents" group:"text"`
	MinDF  Amount   `flag:"min-df" range:"documents" default:"2" help:"documents" group:"text"`
	Stop   string   `flag:"stop" path:"true" help:"a file" group:"text"`
	Graph  inner    `flags:"*" group:"graph" defaults:"edge-weight=heat;neighbors=(10, or fewer)"`
	Other  string
}

func TestOf(t *testing.T) {
	list := Of(new(outer))
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	want := strings.Fields("dims drop-first drop-zeros normalize-rows noise ridge spread seed names pca max-df min-df stop neighbors edge-weight heat-width poly-degree")
	if !slices.Equal(names, want) {
		t.Errorf("the options are %v", names)
	}
	for name, kind := range map[string]Kind{"dims": Int, "drop-zeros": Switch, "noise": Switch, "ridge": Number, "seed": Seed, "names": List, "pca": Count, "stop": Text, "edge-weight": Text} {
		if f := Find(list, name); f.Kind != kind {
			t.Errorf("%s is of kind %d, not %d", name, f.Kind, kind)
		}
	}
	f := Find(list, "drop-zeros")
	if f.Help != "skip all" || f.Default != "false" || f.Group != "method" {
		t.Errorf("drop-zeros: %+v", f)
	}
	if f := Find(list, "edge-weight"); f.Default != "heat" || f.Sparse != "" || f.Dense != "" || f.Group != "graph" {
		t.Errorf("edge-weight in a struct with another default: %+v", f)
	}
	if f := Find(list, "neighbors"); f.Default != "" || f.Unset != "10, or fewer" {
		t.Errorf("neighbors in a struct with another default: %+v", f)
	}
	if f := Find(list, "dims"); f.Short != "d" || f.IsSet() || f.String() != "" || f.Value() != nil {
		t.Errorf("dims: %+v", f)
	}
	if Find(list, "Hidden") != nil || Find(list, "none") != nil {
		t.Error("there is an option without a tag")
	}
}

// A struct names the options of a nested one that it takes.
func TestNestedSome(t *testing.T) {
	p := new(struct {
		Graph inner `flags:"edge-weight,heat-width" group:"graph"`
	})
	list := Of(p)
	if len(list) != 2 || list[0].Name != "edge-weight" || list[1].Name != "heat-width" {
		t.Fatalf("%d options", len(list))
	}
	if err := list[1].Set("2.5"); err != nil || p.Graph.Width != 2.5 {
		t.Errorf("heat-width is %v, %v", p.Graph.Width, err)
	}
}

// Malformed tags are mistakes in the program.
func TestOfPanics(t *testing.T) {
	for what, p := range map[string]any{
		"no pointer to a struct": outer{},
		"two fields named dims": new(struct {
			A int `flag:"dims"`
			B int `flag:"dims"`
		}),
		"no option none": new(struct {
			Graph inner `flags:"none"`
		}),
		"no option x": new(struct {
			Graph inner `flags:"*" defaults:"x=1"`
		}),
		"no option can be of the type": new(struct {
			A map[string]int `flag:"a"`
		}),
		`range ">=2"`: new(struct {
			A int `flag:"a" range:">=2"`
		}),
		`range "positive"`: new(struct {
			A float64 `flag:"a" range:"positive"`
		}),
		`range ">0"`: new(struct {
			A string `flag:"a" range:">0"`
		}),
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, what) {
					t.Errorf("%s: the panic is %q", what, text)
				}
			}()
			Of(p)
		}()
	}
}

// Every value is read, has its range, and is written as it is read.
func TestSet(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"dims", "3", ""}, {"dims", "0", "at least 1"}, {"dims", "-1", "at least 1"}, {"dims", "2.5", "whole number"}, {"dims", "", "whole number"},
		{"ridge", "0", ""}, {"ridge", "0.25", ""}, {"ridge", "-1", "at least 0"}, {"ridge", "NaN", "at least 0"}, {"ridge", "Inf", "at least 0"},
		{"spread", "0.5", ""}, {"spread", "0", "above 0 and below 1"}, {"spread", "1", "above 0 and below 1"}, {"spread", "x", "above 0"},
		{"heat-width", "0.001", ""}, {"heat-width", "0", "above 0"},
		{"seed", "18446744073709551615", ""}, {"seed", "-1", "from 0 to 18446744073709551615"}, {"seed", "18446744073709551616", "from 0"},
		{"normalize-rows", "true", ""}, {"normalize-rows", "yes", "true or false"}, {"noise", "false", ""},
		{"names", "a,c", ""}, {"names", "a,d", "a list of a, b, c"}, {"names", "a,,b", "empty"},
		{"edge-weight", "poly", ""}, {"edge-weight", "Dot", "one of dot, heat, poly"},
		{"pca", "12", ""}, {"pca", "0.9", ""}, {"pca", "1.0", ""}, {"pca", "1", ""}, {"pca", "1.5", "share above 0"}, {"pca", "0", "whole number"}, {"pca", "-2", "whole number"}, {"pca", "NaN", "whole number"},
		{"max-df", "0.5", ""}, {"max-df", "7", ""}, {"min-df", "1", ""}, {"min-df", "x", "documents"},
		{"stop", "words.txt", ""}, {"stop", "", "name a file"},
		{"drop-first", "true", ""}, {"drop-zeros", "true", ""}, {"drop-zeros", "1", "true or false"},
	} {
		o := new(outer)
		f := Find(Of(o), c.name)
		check, err := f.Check(c.text), f.Set(c.text)
		if (check == nil) != (err == nil) {
			t.Errorf("%s %q: Check says %v and Set %v", c.name, c.text, check, err)
		}
		switch {
		case c.says != "":
			if err == nil || !strings.Contains(err.Error(), c.says) || !reflect.ValueOf(*o).IsZero() {
				t.Errorf("%s %q: the error is %v, the options %+v", c.name, c.text, err, o)
			}
		case err != nil || !f.IsSet() || f.String() != c.text:
			t.Errorf("%s %q: %v, and it is written %q", c.name, c.text, err, f)
		}
	}
}

// A share of all documents is all of them, though 1 is a number of documents as the least.
func TestDocuments(t *testing.T) {
	o := new(outer)
	list := Of(o)
	must.Do(t, errors.Join(Find(list, "max-df").Set("1"), Find(list, "min-df").Set("1")))
	if o.MaxDF != (Amount{Share: 1}) || o.MinDF != (Amount{Count: 1}) {
		t.Errorf("at most %+v, at least %+v", o.MaxDF, o.MinDF)
	}
	if s := Find(list, "max-df").String(); s != "1.0" {
		t.Errorf("all documents are written %q", s)
	}
}

// Switches of one field: one that is off does not switch off another.
func TestSwitches(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want string
	}{
		{nil, ""},
		{[]string{"drop-first=true"}, "constant"},
		{[]string{"drop-first=false"}, ""},
		{[]string{"drop-first=true", "drop-zeros=false"}, "constant"},
		{[]string{"drop-first=false", "drop-zeros=true"}, "zeros"},
		{[]string{"drop-first=true", "drop-first=false"}, Off},
	} {
		o := new(outer)
		list := Of(o)
		for _, s := range c.set {
			name, value, _ := strings.Cut(s, "=")
			must.Do(t, Find(list, name).Set(value))
		}
		if o.Skip != c.want {
			t.Errorf("%v: %q, not %q", c.set, o.Skip, c.want)
		}
		first, zeros := Find(list, "drop-first").String(), Find(list, "drop-zeros").String()
		if c.want == "" && first+zeros != "" || c.want == "zeros" && (first != "false" || zeros != "true") {
			t.Errorf("%v: drop-first %q, drop-zeros %q", c.set, first, zeros)
		}
	}
}

// A switch that may turn itself on stays off if it is set to false; the other one of its field does
// not decide about it.
func TestSwitchOfItself(t *testing.T) {
	for set, want := range map[string]string{"drop-first=false": Off, "drop-zeros=false": "", "drop-first=true": "constant", "drop-zeros=true": "zeros"} {
		o := new(struct {
			Skip string `switches:"drop-first=constant|drop-zeros=zeros" default:"none" auto:"constant" help:"a|b"`
		})
		list := Of(o)
		if first, zeros := Find(list, "drop-first"), Find(list, "drop-zeros"); !first.Auto || zeros.Auto {
			t.Errorf("drop-first %t, drop-zeros %t", first.Auto, zeros.Auto)
		}
		name, value, _ := strings.Cut(set, "=")
		must.Do(t, Find(list, name).Set(value))
		if o.Skip != want {
			t.Errorf("%s: %q, not %q", set, o.Skip, want)
		}
	}
}

// If the default is one of the switches, only that one turns it off.
func TestSwitchThatIsOn(t *testing.T) {
	for set, want := range map[string]string{"drop-first=false": "", "drop-zeros=true": "zeros", "drop-zeros=false": Off, "drop-first=true": "constant"} {
		o := new(struct {
			Inner outer `flags:"*" defaults:"drop-zeros=true"`
		})
		name, value, _ := strings.Cut(set, "=")
		must.Do(t, Find(Of(o), name).Set(value))
		if o.Inner.Skip != want {
			t.Errorf("%s: %q, not %q", set, o.Inner.Skip, want)
		}
	}
}

// A list gets items added, and a pointer distinguishes zero from unset.
func TestListAndPointer(t *testing.T) {
	o := new(outer)
	list := Of(o)
	must.Do(t, errors.Join(Find(list, "names").Set("a"), Find(list, "names").Set("b, c"), Find(list, "ridge").Set("0"), Find(list, "noise").Set("false")))
	if !slices.Equal(o.Names, []string{"a", "b", "c"}) || o.Ridge == nil || *o.Ridge != 0 || o.Noise == nil || *o.Noise {
		t.Errorf("%+v", o)
	}
	if v := Find(list, "ridge").Value(); v != 0.0 {
		t.Errorf("ridge 0 has the value %v", v)
	}
}

func TestValue(t *testing.T) {
	list := Of(new(outer))
	for name, want := range map[string]any{
		"dims": nil, "spread": 0.9, "noise": true, "normalize-rows": false, "drop-first": false, "pca": 0.9, "min-df": 2,
		"max-df": 1.0, "edge-weight": "heat", "names": nil, "seed": uint64(0), "poly-degree": 2,
	} {
		if got := Find(list, name).Value(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has the value %#v, not %#v", name, got, want)
		}
	}
	o := &outer{Names: []string{"a", "b"}, Pca: Amount{Count: 7}}
	list = Of(o)
	if got := Find(list, "names").Value(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("names have the value %#v", got)
	}
	if got := Find(list, "pca").Value(); got != 7 {
		t.Errorf("pca has the value %#v", got)
	}
}

// Conditions hold by what is set, by defaults, and are left open if the data decide.
func TestRelevant(t *testing.T) {
	type plain struct {
		Graph inner  `flags:"*" group:"graph"`
		Rule  string `flag:"rule" choices:"a|b" default:"a" when:"edge-weight=heat; edge-weight!=dot,poly" help:"rule" group:"graph"`
		Under int    `flag:"under" range:">=1" default:"7" when:"rule=b" help:"under" group:"graph"`
	}
	for _, c := range []struct {
		name   string
		set    string
		data   Data
		want   bool
		reason string
	}{
		{"heat-width", "", Unknown, true, ""},
		{"heat-width", "", SparseData, false, "edge-weight=heat"},
		{"heat-width", "", DenseData, true, ""},
		{"heat-width", "edge-weight=heat", SparseData, true, ""},
		{"heat-width", "edge-weight=dot", DenseData, false, "edge-weight=heat"},
		{"poly-degree", "edge-weight=poly", Unknown, true, ""},
		{"poly-degree", "edge-weight=heat", Unknown, false, "edge-weight=poly | kernel=polynomial"},
		{"rule", "edge-weight=heat", Unknown, true, ""},
		{"rule", "edge-weight=poly", Unknown, false, "edge-weight=heat"},
		{"under", "rule=b", DenseData, true, ""},
		{"under", "", DenseData, false, "rule=b"},
		{"under", "rule=b", SparseData, false, "rule=b"}, // rule itself has no effect
		{"neighbors", "", Unknown, true, ""},
	} {
		list := Of(new(plain))
		if name, value, ok := strings.Cut(c.set, "="); ok {
			must.Do(t, Find(list, name).Set(value))
		}
		if ok, because := Relevant(list, Find(list, c.name), c.data); ok != c.want || because != c.reason {
			t.Errorf("%s with %q and data %d: %v, %q", c.name, c.set, c.data, ok, because)
		}
	}
}

// Check lists the faults of set fields, of options that the struct does not take too, and allows
// zero values.
func TestCheck(t *testing.T) {
	if err := Check(new(outer)); err != nil {
		t.Error(err)
	}
	negative, nan := -1.0, math.NaN()
	for says, o := range map[string]outer{
		"dims is -2: it must be at least 1": {Dims: -2},
		"neighbors is -1":                   {Graph: inner{Neighbors: -1}},
		"poly-degree is -3: it must be at least 1 (0 for the default, 2)": {Graph: inner{Degree: -3}},
		"ridge is -1: it must be a number of at least 0":                  {Ridge: &negative},
		"ridge is NaN": {Ridge: &nan},
		"spread is 1: it must be a number above 0 and below 1 (0 ": {Spread: 1},
		"spread is +Inf": {Spread: math.Inf(1)},
		`unknown edge-weight "x": choose dot, heat or poly`: {Graph: inner{Weight: "x"}},
		`unknown Skip "x": choose constant, zeros or none`:  {Skip: "x"},
		"pca is 3 or a share of 0.5":                        {Pca: Amount{Count: 3, Share: 0.5}},
		"pca is -1":                                         {Pca: Amount{Count: -1}},
		"pca is 0 or a share of NaN":                        {Pca: Amount{Share: math.NaN()}},
	} {
		err := Check(&o)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	err := Check(&outer{Dims: -1, Spread: 2, Skip: "constant"})
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two faults: %v", err)
	}
	zero := 0.0
	if err := Check(&outer{Ridge: &zero, Skip: Off, Dims: 1, Pca: Amount{Share: 1}}); err != nil {
		t.Error(err)
	}
	some := new(struct {
		Graph inner `flags:"edge-weight" group:"graph"`
	})
	if some.Graph.Neighbors = -1; Check(some) == nil {
		t.Error("a field that is no option of the struct is not checked")
	}
}

func TestAmount(t *testing.T) {
	for text, want := range map[string]Amount{"1": {Count: 1}, "12": {Count: 12}, "0.5": {Share: 0.5}, "1.0": {Share: 1}, "1e-3": {Share: 1e-3}} {
		got, err := ParseAmount(text)
		if err != nil || got != want || got.IsZero() {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		again, err := ParseAmount(got.String())
		if err != nil || again != got {
			t.Errorf("%s is written %q and read as %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "0", "0.0", "-1", "2.5", "Inf", "NaN", "x"} {
		if got, err := ParseAmount(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	if s := (Amount{}).String(); s != "" || !(Amount{}).IsZero() {
		t.Errorf("no amount is %q", s)
	}
}

func TestWithin(t *testing.T) {
	for name, c := range map[string]struct{ in, out []float64 }{
		">0": {[]float64{1e-300}, []float64{0, -1}}, ">=0": {[]float64{0}, []float64{-1e-300}}, ">=1": {[]float64{1}, []float64{0.999}},
		"0<x<1": {[]float64{0.5}, []float64{0, 1}}, "0<x<=1": {[]float64{1}, []float64{0, 1.1}}, "0<=x<1": {[]float64{0}, []float64{1, -0.1}},
		"": {[]float64{-7}, nil},
	} {
		for _, x := range c.in {
			if !within(x, name) {
				t.Errorf("%v is not in %s", x, name)
			}
		}
		for _, x := range append(c.out, math.NaN(), math.Inf(1), math.Inf(-1)) {
			if within(x, name) {
				t.Errorf("%v is in %s", x, name)
			}
		}
	}
}
