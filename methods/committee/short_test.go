package committee

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// placed are options of a member that gives the documents places.
type placed struct {
	method.Options
	at *mat.Dense
}

func (p placed) Fit(context.Context, *method.Input) (*method.Fitted, error) {
	return &method.Fitted{Embedding: p.at}, nil
}

// A member whose documents cannot move by their terms for want of memory names a way out that the
// committee has.
func TestMemberShortOfMemory(t *testing.T) {
	m := members[slices.IndexFunc(members, func(m member) bool { return m.spec.Name == Blind })]
	const n, terms = 60, 400_000
	at, x := mat.NewDense(n, 2, nil), &sparse.CSR{NumRows: n, NumCols: terms, RowPtr: make([]int, 1, n+1)}
	for i := range n {
		at.Set(i, i%2, 1)
		x.Col, x.Val = append(x.Col, int32(i%2), int32(2+i)), append(x.Val, 1, 1)
		x.RowPtr = append(x.RowPtr, len(x.Col))
	}
	m.options = func(*Options) method.Options { return placed{m.spec.New(), at} }
	in := &method.Input{X: x, Clusters: 2, Seed: 1}
	if _, c, err := m.fit(context.Background(), new(Options), in); err != nil || c.Terms == nil {
		t.Fatalf("%v, %v", c, err)
	}
	_, _, err := m.fit(memory.Bound(context.Background(), 5<<20), new(Options), in)
	if !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "leave diffusion out of ‹members›") || strings.Contains(err.Error(), "nearest-by") {
		t.Error(err)
	}
}
