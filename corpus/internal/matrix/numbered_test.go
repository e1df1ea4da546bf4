package matrix

import (
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
)

// A file whose lines number the terms is read as an earlier one of the same terms: where it begins
// and how many there are, a few documents do not show.
func TestNumberedAsEarlier(t *testing.T) {
	from := func(format string, first, count int) Options {
		return Options{Numbered: &columns.Numbered{Format: format, From: first, Count: count}}
	}
	for _, c := range []struct {
		name, format, text string
		opt                Options
		want               [][]float64
		note               string
	}{
		{"from 0, without the first", "svm", "1 1:2 2:3\n", from("svm", 0, 3), [][]float64{{0, 2, 3}}, "numbered from 0 to 2, as those of the earlier documents."},
		{"from 1, without the last", "svm", "1 1:2\n", from("svm", 1, 3), [][]float64{{2, 0, 0}}, "numbered from 1 to 3, as"},
		{"more than before", "svm", "1 1:2 4:5\n-1 3:4 5:1\n", from("svm", 1, 3), [][]float64{{2, 0, 0}, {0, 0, 4}}, "earlier documents: 2 entries of higher numbers left out"},
		{"none of them", "svm", "1 7:2\n", from("svm", 0, 2), [][]float64{{0, 0}}, "1 entry of higher numbers"},
		{"empty", "svm", "1\n", from("svm", 1, 2), [][]float64{{0, 0}}, "from 1 to 2"},
		{"of another format", "svm", "1 1:2\n", from("ldac", 0, 3), [][]float64{{2}}, ""},
		{"LDA-C", "ldac", "1 1:2\n0\n", from("ldac", 0, 3), [][]float64{{0, 2, 0}, {0, 0, 0}}, "from 0 to 2"},
		{"LDA-C from 1", "ldac", "1 1:2\n", from("ldac", 1, 3), [][]float64{{2, 0, 0}}, "from 1 to 3"},
		{"LDA-C with more", "ldac", "2 1:2 3:1\n", from("ldac", 0, 3), [][]float64{{0, 2, 0}}, "1 entry of higher numbers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustRead(t, []byte(c.text), c.format, c.opt, c.want)
			if n := c.opt.Numbered; n.Format == c.format && *r.Numbered != *n {
				t.Errorf("it says %v to the next file, not %v", *r.Numbered, *n)
			}
			wantNote(t, r, c.note)
		})
	}
	if _, err := readBytes([]byte("1 0:2\n"), "svm", from("svm", 1, 3)); err == nil {
		t.Error("a term 0 is none of terms from 1")
	}
	first := mustRead(t, []byte("1 0:2 3:1\n"), "svm", Options{}, nil)
	if want := (columns.Numbered{Format: "svm", From: 0, Count: 4}); *first.Numbered != want {
		t.Errorf("it says %v to the next file, not %v", *first.Numbered, want)
	}
}
