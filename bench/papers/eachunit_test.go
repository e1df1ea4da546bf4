package papers

import (
	"context"
	"errors"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// EachUnit hands over every draw of every corpus that is there, with the documents that the methods
// get; what visit returns ends it.
func TestEachUnit(t *testing.T) {
	shippedCorpus(t)
	views, err := Find("defaults/text")
	if err != nil {
		t.Fatal(err)
	}
	e := views[0].Experiment
	all := must.Get(e.Rows[0].Corpus.Load(context.Background(), ""))(t)
	seen := 0
	err = e.EachUnit(context.Background(), Options{Tests: 3}, func(row Row, test int, u *Unit) error {
		if row.Key != "Debian's" || test != seen {
			t.Errorf("visit %d is of %s, test %d", seen, row.Key, test)
		}
		want, err := drawDocuments(all, row.Key, test, 0)
		if err != nil || !mat.Equal(want.X, u.X) || u.K != 3 {
			t.Errorf("test %d: other documents than the methods get, %v", test, err)
		}
		seen++
		return nil
	})
	if err != nil || seen != 3 {
		t.Errorf("%d units, %v", seen, err)
	}
	stop := errors.New("enough")
	if err := e.EachUnit(context.Background(), Options{Tests: 3}, func(Row, int, *Unit) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if err := e.EachUnit(context.Background(), Options{Tests: -1}, nil); err == nil {
		t.Error("-1 draws")
	}
}
