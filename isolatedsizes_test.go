package eigenmap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// The note on isolated documents names the clusters whose sizes they swell, and no other.
func TestIsolatedNamesClusters(t *testing.T) {
	words := [][]string{strings.Fields("rent flat landlord house city"), strings.Fields("train bus late delay station"), strings.Fields("school teacher class pupil lesson")}
	for _, empty := range []int{0, 1, 40} {
		var b strings.Builder
		b.WriteString("id,text\n")
		for i := range 90 {
			w := words[i%3]
			fmt.Fprintf(&b, "d%d,%s %s %s %s\n", i, w[i/3%5], w[(i/3+1)%5], w[(i/7+2)%5], w[i/11%5])
		}
		for i := range empty {
			fmt.Fprintf(&b, "e%d,\n", i)
		}
		file := filepath.Join(t.TempDir(), "a.csv")
		must.Do(t, os.WriteFile(file, []byte(b.String()), 0o600))
		run := cluster(t, file, options(t, "diffusion"))
		notes := run.Notes()
		at := slices.IndexFunc(notes, func(n string) bool { return strings.HasPrefix(n, "Isolated documents") })
		if (at >= 0) != (empty > 0) {
			t.Fatalf("%d empty texts: %q", empty, notes)
		}
		if at < 0 {
			continue
		}
		in := make([]int, len(run.Sizes))
		for _, c := range run.Labels[90:] {
			in[c]++
		}
		for c, n := range in {
			want := fmt.Sprintf("cluster %d holds %d of them, and ", c, n)
			if n == run.Sizes[c] {
				want = fmt.Sprintf("cluster %d holds no others", c)
			}
			if said := strings.Contains(notes[at], want); said != (n > 0 && 10*n >= run.Sizes[c]) {
				t.Errorf("%d of %d documents of cluster %d are isolated: %s", n, run.Sizes[c], c, notes[at])
			}
		}
	}
}
