package methodtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

type event = progress.Event

// The size of the corpora.
const (
	clusters = 3
	small    = 60  // documents
	large    = 210 // of the check of threads, unless the test is short
	labeled  = 12  // documents with a label
)

// sample is an input, and other documents of the same topics.
type sample struct {
	name  string
	data  option.Data
	input func() *method.Input // a new one each time: nothing is shared
	fresh mat.Matrix           // nil: there are no rows, only a graph
}

// samples are the inputs of n documents that the method takes. One that the method refuses because
// of an option set by With, named in the error, is left out.
func (s *suite) samples(n int) (list []sample) {
	for _, sm := range s.allSamples(n) {
		if !s.refusesSetting(sm) {
			list = append(list, sm)
		}
	}
	if list == nil {
		s.badf("the options %v are refused for every input", s.settings)
	}
	return list
}

// refusesSetting says whether the method refuses a sample because of an option set by With.
func (s *suite) refusesSetting(sm sample) bool {
	if s.settings == nil {
		return false
	}
	if refused, known := s.refused[sm.name]; known {
		return refused
	}
	_, err := s.fit(background, s.options(), sm.input())
	s.refused[sm.name] = refusal(err) && slices.ContainsFunc(s.settings, func(set [2]string) bool {
		return strings.Contains(err.Error(), words.Option(set[0]))
	})
	return s.refused[sm.name]
}

func (s *suite) allSamples(n int) []sample {
	needs := s.spec.Needs
	given := needs.Labels == method.Required
	list := []sample{s.sparse(n, given), s.dense(n, given)}
	if needs.Labels == method.Optional {
		list = append(list, s.sparse(n, true), s.dense(n, true))
	}
	if needs.Links != method.None {
		list = append(list, s.linked(n))
	}
	if needs.Affinity {
		list = append(list, s.affinity(n, given))
	}
	return list
}

// sparse is a sample of texts, with labels of a part or without.
func (s *suite) sparse(n int, given bool) sample {
	return sample{named("sparse", given), option.SparseData, func() *method.Input {
		raw := counts(n, 1)
		return s.complete(&method.Input{X: s.weighted(raw), Counts: raw, Terms: terms()}, n, given)
	}, s.weighted(counts(20, 9))}
}

// dense is a sample of points, with labels of a part or without.
func (s *suite) dense(n int, given bool) sample {
	return sample{named("dense", given), option.DenseData, func() *method.Input {
		return s.complete(&method.Input{X: blobs(n, 1)}, n, given)
	}, blobs(20, 9)}
}

// linked is a sample of texts with must-links, without labels.
func (s *suite) linked(n int) sample {
	sm := s.sparse(n, false)
	return sample{"links", sm.data, func() *method.Input {
		in := sm.input()
		var list []links.Link
		for i := range labeled - clusters {
			list = append(list, links.Link{A: i, B: i + clusters})
		}
		groups, err := links.MustOnly(n, list)
		if err != nil {
			panic(err)
		}
		in.Links = groups
		return in
	}, sm.fresh}
}

// affinity is a sample of a graph alone.
func (s *suite) affinity(n int, given bool) sample {
	return sample{named("affinity", given), option.Unknown, func() *method.Input {
		g, err := graph.Build(background, counts(n, 1), graph.Options{})
		if err != nil {
			panic(err)
		}
		return s.complete(&method.Input{Graph: g}, n, given)
	}, nil}
}

func named(name string, given bool) string {
	if given {
		return name + " with labels"
	}
	return name
}

// complete adds what does not depend on the kind of data.
func (s *suite) complete(in *method.Input, n int, given bool) *method.Input {
	in.Clusters, in.Seed = clusters, 7
	if given {
		in.Given = &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c"}}
		for i := range in.Given.Labels {
			if in.Given.Labels[i] = -1; i < labeled {
				in.Given.Labels[i] = i % clusters
			}
		}
	}
	return in
}

// weighted are counts as the method is given them: rows of unit length unless it works on counts.
func (s *suite) weighted(x *sparse.CSR) *sparse.CSR {
	if s.spec.Needs.Counts {
		return x
	}
	out := x.Filter(func(_, _ int, _ float64) bool { return true })
	for i := range out.NumRows {
		_, vals := out.Row(i)
		sum := 0.0
		for _, v := range vals {
			sum += v * v
		}
		for k := range vals {
			vals[k] /= math.Sqrt(sum)
		}
	}
	return out
}

// width is the number of terms of a topic.
const width = 15

// counts are term counts of documents of three topics that share some terms: document i is of topic
// i mod 3. No two documents are equal.
func counts(n int, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 5))
	b := sparse.NewBuilder(n, clusters*width)
	for i := range n {
		for range 12 {
			b.Add(i, (i%clusters*width+rng.IntN(width+5))%(clusters*width), float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

func terms() []string {
	list := make([]string, clusters*width)
	for j := range list {
		list[j] = fmt.Sprintf("term%02d", j)
	}
	return list
}

// blobs are points of five positive coordinates around three centres: point i is of blob i mod 3.
func blobs(n int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 6))
	x := mat.NewDense(n, 5, nil)
	for i := range n {
		for j := range 5 {
			centre := 4.0
			if j == i%clusters {
				centre = 7
			}
			x.Set(i, j, max(0.1, centre+0.8*rng.NormFloat64()))
		}
	}
	return x
}

// listed is a matrix that lists its entries and has no other storage.
type listed struct{ x *sparse.CSR }

func (m listed) Dims() (int, int)    { return m.x.Dims() }
func (m listed) At(i, j int) float64 { return m.x.At(i, j) }
func (m listed) T() mat.Matrix       { return mat.Transpose{Matrix: m} }

func (m listed) DoNonZero(call func(i, j int, v float64)) {
	for i := range m.x.NumRows {
		cols, vals := m.x.Row(i)
		for k, j := range cols {
			call(i, int(j), vals[k])
		}
	}
}

// bare is a matrix of which nothing but the entries is known.
type bare struct{ x mat.Matrix }

func (m bare) Dims() (int, int)    { return m.x.Dims() }
func (m bare) At(i, j int) float64 { return m.x.At(i, j) }
func (m bare) T() mat.Matrix       { return mat.Transpose{Matrix: m} }

// wrapped is x in a type that no method knows.
func wrapped(x mat.Matrix) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		return listed{s}
	}
	return bare{x}
}
