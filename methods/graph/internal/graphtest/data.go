// Package graphtest makes rows for tests of graphs, and finds their neighbours by the definition.
package graphtest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Stories draws documents of topics: half of the words of each come from the 30 words of its topic.
func Stories(n, topics, terms, words int, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, terms)
	for i := range n {
		topic := rng.IntN(topics)
		for w := range words {
			u := rng.Float64()
			if w%2 == 0 {
				b.Add(i, (topic*997+int(30*u*u))%terms, 1)
			} else {
				b.Add(i, int(float64(terms)*u*u*u), 1)
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

// Blobs draws points of Gaussian clusters.
func Blobs(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	centres := mat.NewDense(30, d, nil)
	normal := func(_, _ int, _ float64) float64 { return rng.NormFloat64() }
	centres.Apply(normal, centres)
	x.Apply(func(i, j int, _ float64) float64 { return 3*centres.At(i%30, j) + rng.NormFloat64() }, x)
	return x
}

// Documents draws counts with a few frequent and many rare columns, and copies of documents.
func Documents(n, terms int, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, terms)
	var earlier [][][2]int
	for i := range n {
		var doc [][2]int
		if i > 0 && rng.IntN(10) == 0 {
			doc = earlier[rng.IntN(i)]
		} else {
			for range 1 + rng.IntN(12) {
				doc = append(doc, [2]int{int(float64(terms) * math.Pow(rng.Float64(), 3)), 1 + rng.IntN(4)})
			}
		}
		earlier = append(earlier, doc)
		for _, e := range doc {
			b.Add(i, e[0], float64(e[1]))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

// CSR is x as a sparse matrix.
func CSR(t interface{ Fatal(...any) }, x mat.Matrix) *sparse.CSR {
	a, err := sparse.FromMatrix(x)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// DrawPoints draws points with small integer coordinates: many ties, copies and zero rows.
func DrawPoints(t *rapid.T) *mat.Dense {
	n := rapid.IntRange(2, 40).Draw(t, "n")
	d := rapid.IntRange(1, 6).Draw(t, "d")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0: // a zero row
		case 1: // a copy
			x.SetRow(i, x.RawRowView(rapid.IntRange(0, i).Draw(t, "of")))
		default:
			for j := range d {
				x.Set(i, j, float64(rapid.IntRange(-2, 3).Draw(t, "v")))
			}
		}
	}
	return x
}

// Rows makes rows with copies, of length 1 or not, sparse or dense, with empty rows or not.
func Rows(n, cols, entries int, unit, empty bool, seed uint64) *sparse.CSR {
	r := rand.New(rand.NewPCG(seed, 1))
	x := &sparse.CSR{NumCols: cols, RowPtr: []int{0}}
	add := func(at []int32, vals []float64) {
		x.Col, x.Val = append(x.Col, at...), append(x.Val, vals...)
		x.NumRows++
		x.RowPtr = append(x.RowPtr, len(x.Col))
	}
	for i := range n {
		if empty && i%37 == 5 {
			add(nil, nil)
			continue
		}
		if i > 10 && i%9 == 0 {
			at, vals := x.Row(r.IntN(i))
			add(slices.Clone(at), slices.Clone(vals))
			continue
		}
		set := map[int32]bool{}
		for range entries {
			set[int32(r.IntN(1+r.IntN(cols)))] = true
		}
		var at []int32
		for c := range set {
			at = append(at, c)
		}
		slices.Sort(at)
		vals, sum := make([]float64, len(at)), 0.0
		for k := range vals {
			vals[k] = 0.1 + r.Float64()
			sum += vals[k] * vals[k]
		}
		if unit {
			x0 := &sparse.CSR{NumRows: 1, NumCols: cols, RowPtr: []int{0, len(at)}, Col: at, Val: vals}
			vals = x0.ScaleRows([]float64{1 / math.Sqrt(sum)}).Val
		}
		add(at, vals)
	}
	return x
}

// Own are the rows that a share has of all.
func Own(x mat.Matrix, share *ranks.Share) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		return s.SelectRows(between(share.First(), share.Own()))
	}
	_, cols := x.Dims()
	return x.(*mat.Dense).Slice(share.First(), share.First()+share.Own(), 0, cols)
}

// Uneven divides n rows among the ranks so that later ones have more.
func Uneven(team ranks.Team, n int) *ranks.Share {
	all, r := team.Size()*(team.Size()+1)/2, team.Rank()
	return ranks.NewShare(team, n*(r+1)*(r+2)/2/all-n*r*(r+1)/2/all)
}

// between lists count numbers from first on.
func between(first, count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// BruteForce ranks all other rows of every row by the definition; exact on dyadic numbers.
func BruteForce(x *mat.Dense, k int) (index []int32, dist2, dot []float64) {
	n, _ := x.Dims()
	for i := range n {
		type other struct {
			j        int32
			d2, prod float64
		}
		var all []other
		for j := range n {
			if j == i {
				continue
			}
			o := other{j: int32(j)}
			for c, a := range x.RawRowView(i) {
				b := x.RawRowView(j)[c]
				o.d2 += (a - b) * (a - b)
				o.prod += a * b
			}
			all = append(all, o)
		}
		slices.SortFunc(all, func(a, b other) int { return cmp.Or(cmp.Compare(a.d2, b.d2), cmp.Compare(a.j, b.j)) })
		for _, o := range all[:k] {
			index, dist2, dot = append(index, o.j), append(dist2, o.d2), append(dot, o.prod)
		}
	}
	return index, dist2, dot
}

// Cases are rows of all kinds that a search treats in its own way.
func Cases() map[string]mat.Matrix {
	dense := mat.DenseCopyOf(Rows(300, 12, 6, false, false, 5))
	whole := mat.NewDense(200, 3, nil)
	r := rand.New(rand.NewPCG(3, 3))
	whole.Apply(func(int, int, float64) float64 { return float64(r.IntN(6)) }, whole)
	return map[string]mat.Matrix{
		"length 1":             Rows(700, 300, 20, true, false, 1),
		"length 1, few common": Rows(400, 5000, 5, true, false, 2),
		"length 1, empty rows": Rows(500, 200, 15, true, true, 3),
		"other lengths":        Rows(350, 100, 8, false, true, 4),
		"dense":                dense,
		"dense whole numbers":  whole,
		"one band":             Rows(40, 30, 5, true, false, 6),
	}
}
