package job

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The contrast of sparse rows is that of the same dense ones, and takes the time of their entries:
// a row may have a million columns.
func TestContrastOfSparseRows(t *testing.T) {
	const n, cols = 300, 1_000_000
	wide, narrow := sparse.NewBuilder(n, cols), mat.NewDense(n, 40, nil)
	for i := range n {
		for c := range 5 {
			at, v := (i+c*c)%40, float64(1+(i*c)%3)
			wide.Add(i, at*(cols/40), v)
			narrow.Set(i, at, narrow.At(i, at)+v)
		}
	}
	x := must.Get(wide.Build())(t)
	lists := must.Get(graph.Nearest(context.Background(), x, 5, progress.Observer(nil)))(t)
	start := time.Now()
	got := contrast(x, lists)
	if took := time.Since(start); took > time.Second {
		t.Errorf("%d entries took %v", x.NNZ(), took)
	}
	if want := contrast(narrow, lists); got != want {
		t.Errorf("the contrast is %v, of dense rows %v", got, want)
	}
}

// A weight that is hardly above 0 is not shown as 0, which columns have that take no part.
func TestSmallWeights(t *testing.T) {
	j := &Job{Views: []View{{Name: "product", Kind: "category", Weight: .004}, {Name: "price", Kind: "number", Weight: .006}}}
	if got := strings.Join(j.viewsRow(), ": "); got != "columns: product below 0.01 (category), price 0.01 (number), weights beside 1 of the texts" {
		t.Error(got)
	}
}

// Rows of many terms get columns behind them in the memory of their entries: as dense rows these
// would take 8 GB.
func TestColumnsBehindManyTerms(t *testing.T) {
	const n, terms = 1000, 1_000_000
	b, read := sparse.NewBuilder(n, terms), mat.NewDense(n, 2, nil)
	for i := range n {
		for c := range 5 {
			b.Add(i, i%2*(terms/2)+(i+c)%40, .2)
		}
		read.Set(i, i%2, 1)
	}
	x := must.Get(b.Build())(t)
	x = x.NormalizeRows()
	j := &Job{Request: &request.Request{}, Corpus: &corpus.Corpus{X: x}, X: x}
	j.MaxBytes = 200 << 20
	j.ColumnsRead = &ColumnsRead{View: []model.ColumnView{{Name: "kind", Kind: model.KindCategory, Values: []string{"a", "b"}}}, X: read}
	joined := must.Get(j.joinColumns(context.Background(), x, &model.Rows{Columns: terms}, nil))(t)
	if _, cols := joined.Dims(); cols != terms+2 || !sparse.Is(joined) {
		t.Errorf("%d columns", cols)
	}
}
