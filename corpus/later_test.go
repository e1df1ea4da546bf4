package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Weighting a corpus' own documents as later ones gives the same bits.
func TestWeightedLikeIsWeighted(t *testing.T) {
	x, err := sparse.FromMatrix(mat.NewDense(4, 3, []float64{1, 0, 2, 0, 3, 1, 0, 0, 5, 4, 1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []mat.Matrix{x, x.ToDense()} {
		c := &Corpus{X: m}
		idf, err := c.IDF()
		if err != nil {
			t.Fatal(err)
		}
		part := c.SelectRows([]int{3, 0})
		for _, weighting := range []string{WeightTF, WeightTFIDF, WeightBinary} {
			for _, normalize := range []string{NormL2, NormNone} {
				all, err := c.Weighted(weighting, normalize)
				if err != nil {
					t.Fatal(err)
				}
				later, err := part.WeightedLike(weighting, normalize, idf)
				if err != nil {
					t.Fatal(err)
				}
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
	if err := os.WriteFile(words, []byte("# mine\nBoat river\nl’eau\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	texts := filepath.Join(dir, "texts.jsonl")
	if err := os.WriteFile(texts, []byte(`{"text":"boat sails rivers river sailing"}`+"\n"+`{"text":"a boat sailing on tides"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	byFile := TextOptions{StopWords: words, MinDF: 1}
	list, err := byFile.StopList()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(list, []string{"boat", "l'eau", "river"}) {
		t.Errorf("the list is %q", list)
	}
	a, err := Read(context.Background(), texts, ReadOptions{Text: byFile})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read(context.Background(), texts, ReadOptions{Text: TextOptions{StopWords: "none", Stop: list, MinDF: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Terms, b.Terms) || !mat.Equal(a.X, b.X) {
		t.Errorf("by file %q, by list %q", a.Terms, b.Terms)
	}
	if list, err := (TextOptions{StopWords: "english"}).StopList(); list != nil || err != nil {
		t.Errorf("a language: %q, %v", list, err)
	}
}
