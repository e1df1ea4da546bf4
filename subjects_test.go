package eigenmap_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"gonum.org/v1/gonum/mat"
)

// subjects draws texts of subjects that have so many parts each: of its words some are of its part,
// more of its subject, and the most of all texts.
func subjects(n, subjects, parts int) []string {
	rng := rand.New(rand.NewPCG(5, uint64(subjects*100+parts)))
	texts := make([]string, n)
	for i := range texts {
		subject, part := i%subjects, i/subjects%parts
		var words []string
		for range 12 {
			words = append(words, fmt.Sprintf("all%d", rng.IntN(300)))
			switch u := rng.Float64(); {
			case u < 0.5:
				words = append(words, fmt.Sprintf("part%dx%dw%d", subject, part, rng.IntN(25)))
			case u < 0.9:
				words = append(words, fmt.Sprintf("subject%dw%d", subject, rng.IntN(60)))
			}
		}
		texts[i] = strings.Join(words, " ")
	}
	return texts
}

// Texts of a few subjects with parts have as many clusters as subjects, on weak evidence, and about
// as many as parts as the next number; subjects without parts are as many as they are.
func TestSubjectsWithParts(t *testing.T) {
	for _, c := range []struct{ subjects, parts int }{{3, 4}, {4, 5}, {9, 1}} {
		run, err := eigenmap.ClusterTexts(context.Background(), subjects(1200, c.subjects, c.parts), eigenmap.Options{ClusterRange: eigenmap.KRange{Auto: true}})
		if err != nil {
			t.Fatal(err)
		}
		s := run.Search
		if s.Clusters != c.subjects || c.parts > 1 && (s.Evidence != choosek.Weak || s.RunnersUp[0] < 3*c.subjects) {
			t.Errorf("%d subjects of %d parts: %d, %s, %v: %s", c.subjects, c.parts, s.Clusters, s.Evidence, s.RunnersUp, s.Because)
		}
	}
}

// Vectors of a few bent sheets, which communities cut into pieces, have as many clusters as sheets.
func TestVectorsOfSheets(t *testing.T) {
	const sheets, each, columns = 4, 500, 96
	rng := rand.New(rand.NewPCG(8, 8))
	x := mat.NewDense(sheets*each, columns, nil)
	for i := range sheets * each {
		row, a, b := x.RawRowView(i), 2*rng.Float64(), 2*rng.Float64()
		for j := range row {
			row[j] = .15 * rng.NormFloat64()
		}
		for j := range 6 { // directions of its own
			row[6*(i%sheets)+j] += math.Sin(a+float64(j)) + math.Cos(b*float64(j)/3)
		}
	}
	run, err := eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{ClusterRange: eigenmap.KRange{Auto: true}})
	if err != nil {
		t.Fatal(err)
	}
	if s := run.Search; s.Clusters != sheets || s.Evidence != choosek.Weak || s.RunnersUp[0] < 2*sheets {
		t.Errorf("%d sheets: %d, %s, %v: %s", sheets, s.Clusters, s.Evidence, s.RunnersUp, s.Because)
	}
}
