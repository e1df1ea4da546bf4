package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Weighting a corpus' own documents as later ones gives the same bits.
func TestWeightedLikeIsWeighted(t *testing.T) {
	x := must.Get(sparse.FromMatrix(mat.NewDense(4, 3, []float64{1, 0, 2, 0, 3, 1, 0, 0, 5, 4, 1, 0})))(t)
	for _, m := range []mat.Matrix{x, x.ToDense()} {
		c := &Corpus{X: m}
		idf := must.Get(c.IDF())(t)
		part := c.SelectRows([]int{3, 0})
		for _, weighting := range []string{WeightTF, WeightTFIDF, WeightBinary} {
			for _, normalize := range []string{NormL2, NormNone} {
				all := must.Get(c.Weighted(weighting, normalize))(t)
				later := must.Get(part.WeightedLike(weighting, normalize, idf))(t)
				for j := range 3 {
					if later.At(0, j) != all.At(3, j) || later.At(1, j) != all.At(0, j) {
						t.Errorf("%s, %s: column %d differs", weighting, normalize, j)
					}
				}
			}
		}
		if _, err := part.WeightedLike(WeightTFIDF, NormL2, idf[1:]); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("two weights for three columns: %v", err)
		}
	}
}

// A list of stop words gives the same texts as the file that it is from.
func TestStopListIsTheFile(t *testing.T) {
	dir := t.TempDir()
	words := filepath.Join(dir, "stop.txt")
	must.Do(t, os.WriteFile(words, []byte("# mine\nBoat river\nl’eau\n"), 0o600))
	texts := filepath.Join(dir, "texts.jsonl")
	must.Do(t, os.WriteFile(texts, []byte(`{"text":"boat sails rivers river sailing"}`+"\n"+`{"text":"a boat sailing on tides"}`+"\n"), 0o600))
	byFile := TextOptions{StopWords: words, MinDF: 1}
	list := must.Get(byFile.StopList())(t)
	if !slices.Equal(list, []string{"boat", "l'eau", "river"}) {
		t.Errorf("the list is %q", list)
	}
	a := must.Get(Read(context.Background(), texts, ReadOptions{Text: byFile}))(t)
	b := must.Get(Read(context.Background(), texts, ReadOptions{Text: TextOptions{StopWords: "none", Stop: list, MinDF: 1}}))(t)
	if !slices.Equal(a.Terms, b.Terms) || !mat.Equal(a.X, b.X) {
		t.Errorf("by file %q, by list %q", a.Terms, b.Terms)
	}
	if list, err := (TextOptions{StopWords: "english"}).StopList(); list != nil || err != nil {
		t.Errorf("a language: %q, %v", list, err)
	}
}
