package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestDatesSameInEachRun: whether a column of many different dates and a word holds dates is the
// same in each run. It depended on which fifty of them were looked at.
func TestDatesSameInEachRun(t *testing.T) {
	var b strings.Builder
	b.WriteString("name,price,when\n")
	for i := range 82 {
		when := fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28)
		if i == 40 {
			when = "soon"
		}
		fmt.Fprintf(&b, "n%d,%d,%s\n", i, i*7%31, when)
	}
	first := must.Get(readBytes([]byte(b.String()), "csv", ReadOptions{}))(t)
	for range 40 {
		again := must.Get(readBytes([]byte(b.String()), "csv", ReadOptions{}))(t)
		if !slices.Equal(again.Notes, first.Notes) || !slices.Equal(again.Terms, first.Terms) {
			t.Fatalf("%q and %q", again.Notes, first.Notes)
		}
	}
}
