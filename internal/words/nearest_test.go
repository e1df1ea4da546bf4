package words

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"le", "semi-le", "cle", "lsi", "pca", "nmf", "gmm", "lda", "plsa", "tsvm", "kernel-kmeans", "kmeans"}
	for word, want := range map[string]string{
		"gm": " (did you mean gmm?)", "PCA": " (did you mean pca?)", "kmaens": " (did you mean kmeans?)", "lsa": " (did you mean lsi or lda or plsa?)",
		"semile": " (did you mean semi-le?)", "magic": "", "": "", "k": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	flags := []string{"clusters", "text-column", "time-column", "time-period", "k-by", "seed"}
	for word, want := range map[string]string{
		"text": " (did you mean --text-column?)", "n_clusters": " (did you mean --clusters?)", "sede": " (did you mean --seed?)",
		"time": " (did you mean --time-column or --time-period?)", "column": "", "": "", "magic": "",
	} {
		if got := NearestFlag(word, flags); got != want {
			t.Errorf("flag %q: %q, want %q", word, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"le", "le", 0}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
