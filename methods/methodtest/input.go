package methodtest

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// checkRefused: wrong inputs give fs.ErrInvalid and no panic.
func checkRefused(s *suite) {
	for _, sm := range s.samples(small) {
		for name, spoil := range spoilt(s.spec.Needs) {
			in := sm.input()
			if in.X == nil && !strings.HasPrefix(name, "any: ") {
				continue
			}
			spoil(in)
			if _, err := s.fit(background, s.options(), in); !refusal(err) {
				s.badf("%s: %s: not refused with fs.ErrInvalid: %v", sm.name, name, err)
			}
		}
	}
	s.manyDims()
	if !s.spec.Needs.Affinity {
		in := s.sparse(small, s.spec.Needs.Labels == method.Required).input()
		in.Graph, in.X = s.affinity(small, false).input().Graph, nil
		if _, err := s.fit(background, s.options(), in); !refusal(err) {
			s.badf("an affinity graph without need: not refused with fs.ErrInvalid: %v", err)
		}
	}
}

// manyDims: more dimensions than documents and columns are refused.
func (s *suite) manyDims() {
	for _, sm := range s.samples(small) {
		o := s.options()
		f := option.Find(option.Of(o), "dims")
		if f == nil {
			return
		}
		if err := f.Set("1000"); err != nil {
			s.badf("‹dims› cannot be 1000: %v", err)
			return
		}
		if _, err := s.fit(background, o, sm.input()); !refusal(err) {
			s.badf("%s: 1000 dimensions: not refused with fs.ErrInvalid: %v", sm.name, err)
		}
	}
}

// spoilt are changes that make an input wrong. Those that "any: " begins are of graphs too.
func spoilt(needs method.Needs) map[string]func(in *method.Input) {
	list := map[string]func(in *method.Input){
		"any: nothing": func(in *method.Input) { in.X, in.Counts, in.Graph, in.Given, in.Links = nil, nil, nil, nil, nil },
		"no matrix":    func(in *method.Input) { in.X, in.Counts = nil, nil },
		"no rows":      func(in *method.Input) { take(in, 0) },
		"one row":      func(in *method.Input) { take(in, 1) },
		"no columns": func(in *method.Input) {
			in.X, in.Counts = &sparse.CSR{NumRows: small, RowPtr: make([]int, small+1)}, nil
		},
		"NaN":               func(in *method.Input) { in.X, in.Counts = with(in.X, 5, math.NaN()), nil },
		"Inf":               func(in *method.Input) { in.X, in.Counts = with(in.X, 5, math.Inf(1)), nil },
		"-Inf":              func(in *method.Input) { in.X, in.Counts = with(in.X, small-1, math.Inf(-1)), nil },
		"NaN, listed":       func(in *method.Input) { in.X, in.Counts = wrapped(with(in.X, 5, math.NaN())), nil },
		"too many clusters": func(in *method.Input) { in.Clusters = small + 1 },
		"counts of others": func(in *method.Input) {
			in.Counts = rows.Select(in.X, []int{0, 1, 2})
		},
		"any: labels of fewer":      func(in *method.Input) { in.Given = &method.Given{Labels: []int{0, 1}, Names: []string{"a", "b"}} },
		"any: class without label":  func(in *method.Input) { in.Given = s3(0, 1, 1) },
		"any: class without a name": func(in *method.Input) { in.Given = s3(0, 1, 7) },
	}
	if needs.Positive {
		list["an entry below 0"] = func(in *method.Input) { in.X, in.Counts = with(in.X, 5, -1), nil }
	}
	switch labels, links := needs.Labels == method.Required, needs.Links == method.Required; {
	case labels || links:
		list["any: no labels and no links"] = func(in *method.Input) { in.Given, in.Links = nil, nil }
	}
	return list
}

// s3 are labels of three classes, one document each.
func s3(of ...int) *method.Given {
	labels := slices.Repeat([]int{-1}, small)
	copy(labels, of)
	return &method.Given{Labels: labels, Names: []string{"a", "b", "c"}}
}

// take keeps the first n documents. The labels are cut too, and so may lack classes.
func take(in *method.Input, n int) {
	at := indices.UpTo(n)
	choose(in, at)
}

// choose makes the input one of the given rows, which may repeat.
func choose(in *method.Input, at []int) {
	in.X = selected(in.X, at)
	if in.Counts != nil {
		in.Counts = selected(in.Counts, at)
	}
	if in.Given != nil {
		labels := make([]int, len(at))
		for k, i := range at {
			labels[k] = in.Given.Labels[i]
		}
		in.Given = &method.Given{Labels: labels, Names: in.Given.Names}
	}
	in.Links = nil
}

// selected are rows of a matrix; gonum has no dense matrix of zero rows but the empty one.
func selected(x mat.Matrix, at []int) mat.Matrix {
	if _, isSparse := x.(*sparse.CSR); !isSparse && len(at) == 0 {
		return new(mat.Dense)
	}
	return rows.Select(x, at)
}

// with is a copy of x with another first entry of row i.
func with(x mat.Matrix, i int, v float64) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		s = s.Filter(func(_, _ int, _ float64) bool { return true })
		s.Val[s.RowPtr[i]] = v
		return s
	}
	d := mat.DenseCopyOf(x)
	d.Set(i, 0, v)
	return d
}

// checkDegenerate: unusual inputs give a finite result or fs.ErrInvalid, and no panic.
func checkDegenerate(s *suite) {
	for _, sm := range s.samples(small) {
		if sm.input().X == nil {
			continue
		}
		for name, change := range degenerate {
			in := sm.input()
			if in.Links != nil {
				continue
			}
			change(in)
			out, err := s.fit(background, s.options(), in)
			switch {
			case err != nil && !refusal(err):
				s.badf("%s: %s: neither a result nor fs.ErrInvalid: %v", sm.name, name, err)
			case err == nil && out == nil:
				s.badf("%s: %s: neither a result nor an error", sm.name, name)
			case err == nil:
				if where := infinite(out); where != "" {
					s.badf("%s: %s: %s", sm.name, name, where)
				}
			}
		}
	}
}

// degenerate are changes that leave an input valid.
var degenerate = map[string]func(in *method.Input){
	"one row, one cluster": func(in *method.Input) {
		take(in, 1)
		in.Clusters, in.Given = 1, givenAll(in.Given, 1)
	},
	"two rows, two clusters": func(in *method.Input) {
		take(in, 2)
		in.Clusters, in.Given = 2, givenAll(in.Given, 2)
	},
	"constant columns": func(in *method.Input) {
		in.X, in.Counts = mapped(in.X, func(i, j int, v float64) float64 {
			if j < 3 {
				return 2
			}
			return v
		}), nil
	},
	"one row many times": func(in *method.Input) {
		in.X, in.Counts = rows.Select(in.X, make([]int, small)), nil
	},
	"every row twice": func(in *method.Input) {
		var at []int
		for i := range small {
			at = append(at, i, i)
		}
		choose(in, at)
	},
	"rows without entries": func(in *method.Input) {
		in.X, in.Counts = mapped(in.X, func(i, _ int, v float64) float64 {
			if i%7 == 6 {
				return 0
			}
			return v
		}), nil
	},
	"zeros alone": func(in *method.Input) {
		in.X, in.Counts = mapped(in.X, func(_, _ int, _ float64) float64 { return 0 }), nil
	},
	"one column": func(in *method.Input) {
		x := mat.NewDense(small, 1, nil)
		for i := range small {
			x.Set(i, 0, in.X.At(i, 0)+1)
		}
		in.X, in.Counts, in.Terms = x, nil, nil
	},
	"as many clusters as documents": func(in *method.Input) {
		take(in, labeled)
		in.Clusters = labeled
	},
	"no number of clusters":   func(in *method.Input) { in.Clusters = 0 },
	"classes and no clusters": func(in *method.Input) { in.Clusters, in.Classes = 0, clusters },
	"one cluster":             func(in *method.Input) { in.Clusters = 1 },
	"one class among unlabeled": func(in *method.Input) {
		if in.Given != nil {
			for i, k := range in.Given.Labels {
				in.Given.Labels[i] = min(k, 0)
			}
			in.Given.Names = in.Given.Names[:1]
		}
	},
	"every document labelled": func(in *method.Input) {
		if in.Given != nil {
			for i := range in.Given.Labels {
				in.Given.Labels[i] = i % clusters
			}
		}
	},
}

// givenAll labels each of k documents with a class of its own, if labels are given at all.
func givenAll(g *method.Given, k int) *method.Given {
	if g == nil {
		return nil
	}
	out := &method.Given{Names: g.Names[:k]}
	for i := range k {
		out.Labels = append(out.Labels, i)
	}
	return out
}

// mapped changes each entry and keeps the storage.
func mapped(x mat.Matrix, change func(i, j int, v float64) float64) mat.Matrix {
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			out.Set(i, j, change(i, j, x.At(i, j)))
		}
	}
	if _, isSparse := x.(*sparse.CSR); isSparse {
		s, err := sparse.FromMatrix(out)
		if err != nil {
			panic(err)
		}
		return s
	}
	return out
}

// checkStorage: a matrix of another type gives the bits that a *sparse.CSR or a *mat.Dense gives.
func checkStorage(s *suite) {
	for _, sm := range s.samples(small) {
		in := sm.input()
		if in.X == nil {
			continue
		}
		want := s.plain(sm)
		if want == nil {
			continue
		}
		in.X = wrapped(in.X)
		if in.Counts != nil {
			in.Counts = wrapped(in.Counts)
		}
		out, err := s.fit(background, s.options(), in)
		if err != nil {
			s.badf("%s: a matrix of another type is refused: %v", sm.name, err)
		} else if d := difference(want, out); d != "" {
			s.badf("%s: a matrix of another type gives another result: %s", sm.name, d)
		}
	}
}

// checkYields: a result is what Yields announces, and its parts fit each other.
func checkYields(s *suite) {
	for _, sm := range s.samples(small) {
		out := s.plain(sm)
		if out == nil {
			continue
		}
		if where := infinite(out); where != "" {
			s.badf("%s: %s", sm.name, where)
		}
		y := s.spec.Yields
		s.embeds(sm, out)
		if y.Clusters != (out.Clusters != nil) {
			s.badf("%s: Yields.Clusters is %v, and the result has clusters: %v", sm.name, y.Clusters, out.Clusters != nil)
		}
		if out.Embedding != nil {
			n, d := out.Embedding.Dims()
			if n != small {
				s.badf("%s: the embedding has %d rows of %d documents", sm.name, n, small)
			}
			if v := out.Values; v != nil && (len(v.Values) > 0 && len(v.Values) != d || v.Classes != nil && len(v.Classes) != d) {
				s.badf("%s: %d values and %d classes of %d coordinates", sm.name, len(v.Values), len(v.Classes), d)
			}
		}
		if out.Clusters != nil {
			s.clustersFit(sm, out.Clusters)
		}
		seen := map[string]bool{}
		for _, f := range out.Facts {
			if f.ID != "" && seen[f.ID] {
				s.badf("%s: two facts are %s", sm.name, f.ID)
			}
			if seen[f.ID] = true; f.ID == "" && f.Line == "" {
				s.badf("%s: a fact has neither an ID nor a line: %+v", sm.name, f)
			}
		}
	}
}

// embeds: a method that makes coordinates makes them. One that finds clusters itself may leave them
// out if clusters are wanted.
func (s *suite) embeds(sm sample, out *method.Fitted) {
	if !s.spec.Yields.Coordinates || out.Embedding != nil {
		return
	}
	if !s.spec.Yields.Clusters {
		s.badf("%s: there is no embedding", sm.name)
		return
	}
	in := sm.input()
	in.Clusters, in.Classes = 0, clusters
	if out, err := s.fit(background, s.options(), in); err != nil || out.Embedding == nil {
		s.badf("%s: there is no embedding though none but that is wanted: %v", sm.name, err)
	}
}

func (s *suite) clustersFit(sm sample, c *method.Clusters) {
	k := len(c.Sizes)
	if len(c.Labels) != small || slices.Min(c.Labels) < 0 || slices.Max(c.Labels) >= k {
		s.badf("%s: the labels %v do not fit %d documents and %d clusters", sm.name, c.Labels, small, k)
		return
	}
	if !slices.Equal(c.Sizes, method.SizesOf(c.Labels, k)) {
		s.badf("%s: the sizes are %v, of the labels %v", sm.name, c.Sizes, method.SizesOf(c.Labels, k))
	}
	if c.Classes != nil && len(c.Classes) != k {
		s.badf("%s: %d names of %d clusters", sm.name, len(c.Classes), k)
	}
	if s.spec.Yields.Naming == method.ClassesOnly && len(c.Classes) != k {
		s.badf("%s: the clusters are classes, and have no names", sm.name)
	}
	if s.spec.Yields.Probabilities != (c.Posterior != nil) {
		s.badf("%s: Yields.Probabilities is %v, and the result has them: %v", sm.name, s.spec.Yields.Probabilities, c.Posterior != nil)
	}
	if c.Posterior == nil {
		return
	}
	if n, d := c.Posterior.Dims(); n != small || d != k {
		s.badf("%s: the probabilities are %d × %d", sm.name, n, d)
		return
	}
	for i := range small {
		row := c.Posterior.RawRowView(i)
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		if !(math.Abs(sum-1) < 1e-9) || slices.Min(row) < 0 {
			s.badf("%s: the probabilities of document %d are %v", sm.name, i, row)
			return
		}
	}
}

// checkUnchanged: a fit changes neither its options nor its input.
func checkUnchanged(s *suite) {
	for _, sm := range s.samples(small) {
		o, in, want := s.options(), sm.input(), sm.input()
		before := copied(o)
		if _, err := s.fit(background, o, in); err != nil {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		if !reflect.DeepEqual(o, before) {
			s.badf("%s: the options changed from %+v to %+v", sm.name, before, o)
		}
		for what, same := range map[string]bool{
			"rows":   sameRows(in.X, want.X),
			"counts": sameRows(in.Counts, want.Counts),
			"graph":  reflect.DeepEqual(in.Graph, want.Graph),
			"labels": reflect.DeepEqual(in.Given, want.Given),
			"links":  reflect.DeepEqual(in.Links, want.Links),
			"terms":  slices.Equal(in.Terms, want.Terms),
		} {
			if !same {
				s.badf("%s: the %s of the input changed", sm.name, what)
			}
		}
	}
}

var flagLike = regexp.MustCompile(`(^|[\s(])--[a-z]`)

// checkMessages: no note or error of the checks before names a flag of the command line.
func checkMessages(s *suite) {
	for _, text := range s.said {
		if flagLike.MatchString(text) {
			s.badf("a message names a flag and not an option between ‹ and ›: %s", text)
		}
		if strings.Count(text, "‹") != strings.Count(text, "›") {
			s.badf("the marks of an option are not closed: %s", text)
		}
	}
}
