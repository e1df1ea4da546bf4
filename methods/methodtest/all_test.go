package methodtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/methodtest"
	"github.com/eigenmap/eigenmap/methods/registry"
)

// waivers are the checks that a method does not pass, each with its reason. A method without an
// entry passes all of them.
var waivers = map[string][]methodtest.Option{
	"nmf": {methodtest.Waive("training rows", "the fit stops at a tolerance, and placing solves the least squares of each row exactly")},
	"plsa": {methodtest.Waive("training rows", "the fit holds documents with a label in their class and smooths the others, and folding in"+
		" takes the terms of a row alone"), methodtest.Waive("units", "entries are counts: the evidence for a topic grows with them")},
	"semi-le":   {methodtest.Waive("units", labelEdges)},
	"cle":       {methodtest.Waive("units", labelEdges)},
	"spg":       {methodtest.Waive("units", labelEdges)},
	"lpp":       {methodtest.Waive("units", ridge)},
	"semi-ldc":  {methodtest.Waive("units", ridge)},
	"tsvm":      {methodtest.Waive("units", costs)},
	"graph-ssl": {methodtest.Waive("units", costs)},
	"committee": {methodtest.Waive("units", costs)},
}

// Constants in units of the data, by definition.
const (
	labelEdges = "labels are edges of a given weight, beside dot products of the rows"
	ridge      = "the ridge is in units of the squares of the rows"
	costs      = "the costs of errors stand beside the length of the separating vector, as in every support vector machine"
)

// Every method of the registry passes the suite.
func TestAllMethods(t *testing.T) {
	for name := range waivers {
		if _, ok := registry.Find(name); !ok {
			t.Errorf("there are waivers of %s, which is not in the registry", name)
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
		{"edge-weight": "poly", "symmetry": "mutual", "drop-first": "true", "neighbors": "40"},
		{"epsilon": "2.5", "edge-weight": "binary", "symmetry": "sum", "drop-zeros": "true"},
		{"graph-kind": "complete", "normalize-rows": "true"},
		{"landmarks": "30"},
	},
	"spectral":          {{"graph-kind": "complete"}, {"landmarks": "40"}},
	"diffusion":         {{"graph-kind": "complete"}, {"dims": "6", "diffusion-time": "2.5"}, {"landmarks": "40"}},
	"semi-le":           {{"normalize-rows": "true", "edge-weight": "heat", "heat-rule": "median"}, {"graph-kind": "complete"}, {"landmarks": "40"}},
	"cle":               {{"normalize-rows": "true", "symmetry": "mutual", "neighbors": "40"}, {"graph-kind": "complete"}, {"landmarks": "40", "normalize-rows": "true"}},
	"lsi":               {{"solver": "dense"}, {"normalize-rows": "true"}},
	"pca":               {{"pca": "0.9"}, {"pca": "4", "solver": "dense"}},
	"co-clustering":     {{"row-length": "free"}, {"dims": "4", "restarts": "2"}},
	"nmf":               {{"nmf-solver": "hals", "nmf-weighting": "none", "restarts": "2"}, {"nmf-solver": "multiplicative", "restarts": "1"}},
	"gmm":               {{"em-restarts": "3"}, {"covariance": "diagonal", "pca": "4"}, {"covariance": "tied", "pca": "3"}, {"covariance": "spherical"}},
	"lapgmm":            {{"schedule": "unsmoothed", "pca": "3", "starts": "2"}},
	"spg":               {{"penalty": "ridge", "responses": "pca", "normalize-rows": "true"}, {"penalty": "elastic-net", "cardinality": "5"}},
	"lpp":               {{"edges": "pca"}, {"normalize-rows": "true", "edge-weight": "heat"}, {"solver": "lanczos", "tol": "1e-11"}},
	"lda":               {{"normalize-rows": "true"}},
	"spca":              {{"cardinality": "0.2", "normalize-rows": "true"}},
	"le-cas":            {{"first-clustering": "k-means", "normalize-rows": "true"}, {"kernel": "polynomial", "drop-first": "true"}},
	"ggle":              {{"shape": "1", "neighbors": "12"}},
	"isomap":            {{"parts": "largest"}, {"landmarks": "20", "normalize-rows": "true"}},
	"lle":               {{"landmarks": "30", "parts": "all"}},
	"plsa":              {{"kind": "aspect"}},
	"semi-ldc":          {{"soft-labels": "propagation", "rule": "seeded"}, {"soft-labels": "hard"}, {"discriminant": "kernel"}},
	"label-propagation": {{"form": "zhou"}, {"form": "zhu", "class-mass": "true", "class-shares": "labels"}}, // auto asks no divided documents, as a note says
	"tsvm":              {{"kernel": "gaussian"}, {"kernel": "polynomial"}},
	"kernel-ridge":      {{"sigma": "20", "kernel-ridge": "0.1"}},
	"logistic":          {{"class-weights": "equal", "likelihood-weight": "10"}},
	"graph-ssl":         {{"kernel": "gaussian"}},
	"committee":         {{"members": "semi-ldc,diffusion"}, {"members": "logistic,tsvm", "neighbors": "9"}},
	"kernel-kmeans":     {{"kernel": "polynomial"}, {"kernel": "linear"}},
	"kmeans":            {{"init": "random"}},
	"leiden":            {{"resolution": "3", "symmetry": "mutual"}, {"edge-weight": "heat", "heat-rule": "local"}},
}

// variantWaivers are waivers of single variants.
var variantWaivers = map[string][]methodtest.Option{
	"le 2": {methodtest.Waive("units", "(1 + x·y)^p has a constant beside products of the data")},
	"le 3": {methodtest.Waive("units", "the radius is in the units of the data"),
		methodtest.Waive("plan", "how many edges are within a radius is not known before the search: a plan is refused")},
	"isomap 1":        {methodtest.Waive("plan", "how large the largest part is, which alone is embedded, is not known before the search")},
	"kernel-kmeans 1": {methodtest.Waive("units", "(offset + x·y)^degree has a constant beside products of the data")},
	"kernel-ridge 1":  {methodtest.Waive("units", "a σ that is given is in the units of squared distances of the data")},
}

// Methods pass the suite under other options than their defaults. It runs in long tests alone.
func TestVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("long: the suite once more per variant")
	}
	for name, list := range variants {
		spec, ok := registry.Find(name)
		if !ok {
			t.Errorf("there are variants of %s, which is not in the registry", name)
			continue
		}
		for i, settings := range list {
			options := slices.Clone(waivers[name])
			for option, value := range settings {
				options = append(options, methodtest.With(option, value))
			}
			variant := fmt.Sprintf("%s %d", name, i+1)
			options = append(options, variantWaivers[variant]...)
			t.Run(variant, func(t *testing.T) { methodtest.Check(t, spec, options...) })
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

// An option of one name is one thing: it has the same kind, range and letter in all methods.
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
