package corpus

import (
	"slices"
	"strings"
	"testing"
)

// A word that two languages stem apart, such as guten in German texts and in ones that are read as
// English, is listed once among the terms of a cluster, without a stem behind it.
func TestWordsOnce(t *testing.T) {
	german := `{"text":"Wir sind für guten Service und guten Preis dankbar, das ist nicht oft so"}` + "\n"
	other := `{"text":"guten service xyz"}` + "\n"
	english := `{"text":"The boats are on the river and they will sail to the sea"}` + "\n"
	c := readLines(t, strings.Repeat(german, 4)+strings.Repeat(other, 4)+strings.Repeat(english, 8), TextOptions{})
	if !slices.Contains(c.Terms, "guten/guten") {
		t.Fatalf("guten has one stem in %q", c.Terms)
	}
	labels := make([]int, 16)
	for i := 8; i < 16; i++ {
		labels[i] = 1
	}
	var listed []string
	for _, w := range c.TopTerms(labels, 2, 10)[0] {
		listed = append(listed, w.Term)
		if got, _, _ := strings.Cut(c.Terms[w.Column], "/"); got != w.Term {
			t.Errorf("%q is the column %q", w.Term, c.Terms[w.Column])
		}
	}
	slices.Sort(listed)
	if want := []string{"dankbar", "guten", "preis", "service", "xyz"}; !slices.Equal(listed, want) {
		t.Errorf("the terms are %q, want %q", listed, want)
	}
}
