package eigenmap_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A dry run says how the run will weigh its rows, what becomes of copies, and that it chooses the
// number of clusters: of counts in files of numbers it said tf and keep.
func TestDryRunNamesTheWeightsOfTheRun(t *testing.T) {
	const n, d = 120, 300
	rng := rand.New(rand.NewPCG(1, 9))
	var counts, svm, units strings.Builder
	for i := range n {
		row := make([]int, d)
		for range 10 + rng.IntN(15) {
			row[i%3*d/3+rng.IntN(d/3)]++
		}
		counts.WriteString(strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]") + "\n")
		fmt.Fprintf(&svm, "%d", i%3)
		for j, v := range row {
			if v > 0 {
				fmt.Fprintf(&svm, " %d:%d", j+1, v)
			}
		}
		fmt.Fprintf(&svm, "\n")
		fmt.Fprintf(&units, "%g,%g,%g,%g\n", float64(i%3)+rng.Float64(), rng.Float64(), rng.Float64(), 1000*rng.Float64())
	}
	dir := t.TempDir()
	files := []string{write(t, dir, "counts.csv", counts.String()), write(t, dir, "counts.svm", svm.String()), write(t, dir, "units.csv", units.String())}
	for _, file := range files {
		for _, method := range []string{"diffusion", "gmm"} {
			opt := options(t, method, "clusters", "3")
			p := must.Get(eigenmap.DryRun(t.Context(), file, opt, "cluster"))(t)
			did := settings(cluster(t, file, opt).Settings())
			for _, name := range []string{"weighting", "normalize", "duplicates"} {
				if plans := settings(p.Settings()); plans[name] != did[name] || did[name] == "" {
					t.Errorf("%s by %s: the plan says %s %s, and the run took %s", file, method, name, plans[name], did[name])
				}
			}
		}
	}
	var opt eigenmap.Options
	set(t, &opt, "clusters", "auto")
	if p := must.Get(eigenmap.DryRun(t.Context(), files[0], opt, "cluster"))(t); settings(p.Settings())["clusters"] != "auto" || !p.Sparse {
		t.Errorf("clusters auto: %v, sparse rows: %v", p.Settings(), p.Sparse)
	}
}

func settings(list []eigenmap.Setting) map[string]string {
	of := map[string]string{}
	for _, s := range list {
		of[s.Name] = s.Text
	}
	return of
}
