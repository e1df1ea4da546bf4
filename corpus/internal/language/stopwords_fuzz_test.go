package language

import (
	"maps"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

// FuzzStopWords reads arbitrary bytes as a list of stop words.
func FuzzStopWords(f *testing.F) {
	f.Add([]byte("the a\nof # and\n"))
	f.Add([]byte("\xef\xbb\xbfl\u2019eau\r\n"))
	f.Add([]byte("\xff\xfet\x00"))
	f.Add([]byte{0, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ReadStops(corpustest.WriteFile(t, t.TempDir(), "stop.txt", data))
		if err != nil {
			corpustest.CheckFault(t, err)
			return
		}
		words := slices.Collect(maps.Keys(list))
		if slices.Contains(words, "") {
			t.Fatalf("%q", words)
		}
		set := StopsOf(words)
		for _, w := range words {
			if !set(w) {
				t.Fatalf("%q is not found again", w)
			}
		}
	})
}
