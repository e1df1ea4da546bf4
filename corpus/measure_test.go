package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Measure extrapolates long files of lines within a few percent, takes the header of Matrix Market,
// and is exact on short files.
func TestMeasure(t *testing.T) {
	const n = 80_000
	rng := rand.New(rand.NewPCG(1, 2))
	var text, vectors strings.Builder
	for i := range n {
		words := make([]string, 60)
		for k := range words {
			words[k] = fmt.Sprintf("word%c%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26), 'a'+rng.IntN(6))
		}
		fmt.Fprintf(&text, "{\"id\":\"document-%d\",\"label\":\"class%d\",\"text\":\"%s\"}\n", i, i%3, strings.Join(words, " "))
		fmt.Fprintf(&vectors, "%d", i%4)
		for k := range 60 {
			fmt.Fprintf(&vectors, " %d:%d.25", 1+40*k+rng.IntN(40), 1+rng.IntN(1000))
		}
		vectors.WriteString("\n")
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		content        string
		classes, terms int
	}{"long.jsonl": {text.String(), 3, 26 * 26 * 6}, "long.svm": {vectors.String(), 4, 2400}} {
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, []byte(c.content), 0o600))
		if len(c.content) <= wholeBytes {
			t.Fatalf("%s has only %d bytes", name, len(c.content))
		}
		opt := ReadOptions{Text: TextOptions{Language: "none", StopWords: "none", MinDF: 1}}
		s, err := Measure(context.Background(), file, opt)
		if err != nil {
			t.Fatal(name, err)
		}
		if off := math.Abs(float64(s.Documents)/n - 1); off > 0.03 || s.Share <= 0 || s.Share > 0.5 || !s.Sparse {
			t.Errorf("%s: %+v", name, s)
		}
		if len(s.Classes) != c.classes || math.Abs(float64(s.Terms)/float64(c.terms)-1) > 0.1 {
			t.Errorf("%s: %d classes, %d terms", name, len(s.Classes), s.Terms)
		}
		if mean := float64(s.Entries) / float64(s.Documents); mean < 58 || mean > 61 {
			t.Errorf("%s: %g entries per document", name, mean)
		}
	}
	short := filepath.Join(dir, "short.mtx")
	must.Do(t, os.WriteFile(short, []byte("%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1\n3 4 2\n"), 0o600))
	if s, err := Measure(context.Background(), short, ReadOptions{}); err != nil || s.Documents != 3 || s.Terms != 4 || s.Entries != 2 || s.Share != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Measure(context.Background(), filepath.Join(dir, "none"), ReadOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(cancelled, filepath.Join(dir, "long.jsonl"), ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
