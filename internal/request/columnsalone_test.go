package request

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestColumnsAloneChoosesMethod: a clustering of a table by its columns alone that names no method
// takes k-means, unless another option is one of the usual method's.
func TestColumnsAloneChoosesMethod(t *testing.T) {
	for name, c := range map[string]struct {
		options []string
		want    string
	}{
		"columns alone":           {[]string{"views", "columns"}, DefaultMethodColumns},
		"its own options":         {[]string{"views", "columns", "init", "random"}, DefaultMethodColumns},
		"an option of the graph":  {[]string{"views", "columns", "neighbors", "9"}, DefaultMethod},
		"words and columns":       {[]string{"views", "words", "views", "columns"}, DefaultMethod},
		"a method":                {[]string{"views", "columns", "method", "diffusion"}, "diffusion"},
		"an empty name":           {[]string{"views", "columns", "method", ""}, DefaultMethodColumns},
		"without views":           {nil, DefaultMethod},
		"must-links beside views": {[]string{"views", "columns", "constraints", "none.csv"}, DefaultMethodConstraints},
	} {
		opt := Options{Clusters: 2}
		for k := 0; k < len(c.options); k += 2 {
			must.Do(t, opt.Set(c.options[k], c.options[k+1]))
		}
		if r := must.Get(New(opt, "cluster"))(t); r.Spec.Name != c.want {
			t.Errorf("%s: method %s, want %s", name, r.Spec.Name, c.want)
		}
	}
	opt := Options{Vectors: Vectors{Views: []string{"columns"}}}
	if r := must.Get(New(opt, "cluster"))(t); r.Method != DefaultMethodColumns {
		t.Errorf("views as a field: method %s, want %s", r.Method, DefaultMethodColumns)
	}
}
