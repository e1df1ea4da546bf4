package eigenmap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// A graph of hundreds of components of about one size has each for a cluster, in one start of
// k-means: by the number of equally large ones eight of 300 would be thrown together.
func TestComponentsAreClusters(t *testing.T) {
	var b strings.Builder
	const parts = 150
	for c := range parts {
		for e, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			fmt.Fprintf(&b, "n%03d.%d n%03d.%d %d\n", c, pair[0], c, pair[1], 1+c*(e+1)%3)
		}
	}
	file := filepath.Join(t.TempDir(), "parts.txt")
	must.Do(t, os.WriteFile(file, []byte(b.String()), 0o600))
	for _, method := range []string{"", "le", "spectral"} {
		opt := options(t, method, "edge-list", "true")
		opt.Clusters = 0
		set(t, &opt, "clusters", "auto")
		run := cluster(t, file, opt)
		if len(run.Sizes) != parts || run.Sizes[0] != 3 {
			t.Errorf("%q: %d clusters, the largest of %d", method, len(run.Sizes), run.Sizes[0])
		}
		if search := run.Search; !strings.Contains(search.Because, "no edge joins two of them") {
			t.Errorf("%q: %s", method, search.Because)
		}
	}
}
