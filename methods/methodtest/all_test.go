package methodtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/methodtest"
	"github.com/eigenmap/eigenmap/methods/registry"
)

// waivers are the checks that a method does not pass, each with its reason. A method without an entry
// passes all of them.
var waivers = map[string][]methodtest.Option{}

// Every method of the registry passes the suite.
func TestAllMethods(t *testing.T) {
	for name := range waivers {
		if _, ok := registry.Find(name); !ok {
			t.Errorf("there are waivers of %s, which is no method", name)
		}
	}
	for _, spec := range registry.Specs {
		t.Run(spec.Name, func(t *testing.T) { methodtest.Check(t, spec, waivers[spec.Name]...) })
	}
}

// variants are other options under which a method passes the suite too.
var variants = map[string][]map[string]string{
	"le": {
		{"edge-weight": "heat", "heat-rule": "local", "normalize-rows": "true"},
		{"edge-weight": "poly", "symmetry": "mutual", "drop-first": "true", "neighbors": "20"},
		{"epsilon": "2.5", "edge-weight": "binary", "symmetry": "sum", "drop-zeros": "true"},
	},
	"semi-le": {{"normalize-rows": "true", "edge-weight": "heat", "heat-rule": "median"}},
}

// Methods pass the suite under other options than their defaults. It runs in long tests alone.
func TestVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("long: the suite once more per variant")
	}
	for name, list := range variants {
		spec, ok := registry.Find(name)
		if !ok {
			t.Errorf("there are variants of %s, which is no method", name)
			continue
		}
		for i, settings := range list {
			options := slices.Clone(waivers[name])
			for option, value := range settings {
				options = append(options, methodtest.With(option, value))
			}
			t.Run(fmt.Sprintf("%s %d", name, i+1), func(t *testing.T) { methodtest.Check(t, spec, options...) })
		}
	}
}

// No two methods have one name.
func TestNames(t *testing.T) {
	names := registry.Names()
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			t.Errorf("two methods are called %s", names[i])
		}
	}
}

// An option of one name is one thing: it has the same kind, range and letter in all methods, and its
// choices in one method have the meaning that they have in another.
func TestVocabulary(t *testing.T) {
	letters := map[string]string{}
	for name, uses := range methodtest.Vocabulary(registry.Specs) {
		first := uses[0]
		for _, use := range uses[1:] {
			a, b := first.Field, use.Field
			if a.Kind != b.Kind || a.Path != b.Path || a.Short != b.Short {
				t.Errorf("‹%s› is of another kind in %s than in %s", name, use.Method, first.Method)
			}
			if a.Range != b.Range {
				t.Errorf("‹%s› has the range %q in %s and %q in %s", name, b.Range, use.Method, a.Range, first.Method)
			}
		}
		if name != strings.ToLower(name) || strings.ContainsAny(name, "_ .") {
			t.Errorf("the name ‹%s› is not of lower-case words joined by dashes", name)
		}
		if short := first.Field.Short; short != "" {
			if other := letters[short]; other != "" {
				t.Errorf("‹%s› and ‹%s› have the letter %s", name, other, short)
			}
			letters[short] = name
		}
	}
}
