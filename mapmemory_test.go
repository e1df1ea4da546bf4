package eigenmap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestMapOfManyClusters: the coordinates that a map is drawn from are no more for thousands of
// clusters than for some. As many as clusters took 2 GB for 5,333 triples of documents.
func TestMapOfManyClusters(t *testing.T) {
	const triples = 2000
	var b strings.Builder
	for i := range triples {
		fmt.Fprintf(&b, "%d,%d\n%d,%d\n", 3*i, 3*i+1, 3*i+1, 3*i+2)
	}
	path := filepath.Join(t.TempDir(), "edges.csv")
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o644))
	opt := options(t, "leiden", "map", "true", "seed", "0", "input-format", "edges")
	opt.Clusters = 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run := cluster(t, path, opt)
	runtime.ReadMemStats(&after)
	if run.Map == nil || len(run.Sizes) != triples {
		t.Fatalf("%d clusters, and a map: %v", len(run.Sizes), run.Map != nil)
	}
	const coordinates = 8 * 3 * triples * triples
	if took := after.TotalAlloc - before.TotalAlloc; took > coordinates {
		t.Errorf("%d bytes were taken, one coordinate for each cluster takes %d", took, coordinates)
	}
}
