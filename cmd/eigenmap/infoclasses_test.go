package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Boxes in which texts were kept do not say which texts are alike. The next command of info then
// finds the number of clusters by the documents; it asked for as many clusters as there are boxes.
func TestInfoOfUnrelatedClasses(t *testing.T) {
	subjects := [][]string{strings.Fields("honey hive pollen queen swarm wax"), strings.Fields("glacier ice snow melt moraine sea"), strings.Fields("engine brakes gearbox tyres road garage")}
	rng := rand.New(rand.NewPCG(1, 7))
	for name, related := range map[string]bool{"boxes": false, "subjects": true} {
		dir := filepath.Join(t.TempDir(), name)
		var svm strings.Builder
		for i := range 120 {
			subject := rng.IntN(3)
			class := i % 4
			if related {
				class = subject
			}
			var text []string
			for range 12 {
				text = append(text, subjects[subject][rng.IntN(6)])
			}
			folder := filepath.Join(dir, fmt.Sprint("class", class))
			must.Do(t, os.MkdirAll(folder, 0o700))
			write(t, folder, fmt.Sprint(i, ".txt"), strings.Join(text, " "))
			fmt.Fprintf(&svm, "%d %d:1 %d:2 %d:1\n", class, 1+6*subject, 2+6*subject+rng.IntN(2), 4+6*subject+rng.IntN(3))
		}
		file := write(t, t.TempDir(), "rows.svm", svm.String())
		for path, option := range map[string]string{dir: " --class-folder none", file: " --label-column none"} {
			said := mustCall(t, "info", path).stdout
			_, next, _ := strings.Cut(said, "\nnext  ")
			want := " -k auto" + option
			if related == strings.Contains(next, want) || related == strings.Contains(said, "do not say which documents are alike") {
				t.Errorf("%s: info of %s says\n%s", name, path, said)
			}
			if !related {
				mustCall(t, append([]string{"cluster", path}, strings.Fields(want)...)...)
			}
		}
	}
}

// Of a rare class most documents are nearest to its own, which is no chance although nearly all
// documents are nearest to one of their class by chance too: info said that such classes do not say
// which documents are alike.
func TestInfoOfARareClass(t *testing.T) {
	for distance, said := range map[float64]bool{0: true, 2: false} {
		rng, table := rand.New(rand.NewPCG(3, 5)), "id,a,b,c,d,e,f,label\n"
		for i := range 1000 {
			at, class := 0.0, "usual"
			if i%100 == 0 {
				at, class = distance, "rare"
			}
			table += fmt.Sprintf("r%d", i)
			for range 6 {
				table += fmt.Sprintf(",%.3f", at+rng.NormFloat64())
			}
			table += "," + class + "\n"
		}
		got := mustCall(t, "info", write(t, t.TempDir(), "rare.csv", table)).stdout
		if strings.Contains(got, "do not say which documents are alike") != said {
			t.Errorf("at distance %g info says\n%s", distance, got)
		}
	}
}
