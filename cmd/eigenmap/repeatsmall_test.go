package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// The config.yaml of a run repeats it where it names what the run decided from its documents: of
// copies that count once as many differ as there are clusters; isolated documents were counted
// where the number of clusters was chosen; more documents are to be joined than a part has; a part
// of the columns is so few that a mixture would take them as they are; documents are joined to a
// tenth of those with a label.
func TestConfigRepeatsFewDocuments(t *testing.T) {
	groups := []string{"cat dog mouse horse", "bread cheese wine apple", "train ship plane bike"}
	copied, islands, dense, classed, wide := "id,text\n", "id,text\n", "id,a,b\n", "id,a,b,label\n", "id"
	for i := range 60 {
		wide += fmt.Sprintf(",v%d", i)
	}
	for i := range 8 {
		copied += fmt.Sprintf("c%d,%s%s\n", i, groups[i%7%3], strings.Repeat(" cat bread", i%7))
	}
	for i := range 20 {
		text := groups[i%2]
		if i >= 10 {
			text = "the"
		}
		islands += fmt.Sprintf("i%d,%s%s\n", i, text, strings.Repeat(" "+strings.Fields(text)[0], i))
	}
	for i := range 60 {
		dense += fmt.Sprintf("d%d,%d.%d,%d\n", i, 9*(i%2), i%7, i*i%11)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 90 {
		wide += fmt.Sprintf("\nw%d", i)
		for range 60 {
			wide += fmt.Sprintf(",%.4f", float64(i%3)+rng.NormFloat64())
		}
	}
	for i := range 120 {
		classed += fmt.Sprintf("k%d,%.3f,%.3f,%c\n", i, float64(i%3)+rng.NormFloat64(), float64(i%2)+rng.NormFloat64(), 'x'+i%3)
	}
	for name, c := range map[string]struct{ text, flags string }{
		"copies":    {copied, "--method le -k 7 --min-df 1"},
		"isolated":  {islands, "--method spg -k 2-5"},
		"columns":   {wide, "--method gmm -k 3"},
		"neighbors": {dense, "--method ggle -k 2"},
		"labels":    {classed, "--method graph-ssl --labeled-fraction 0.3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, first, again := write(t, dir, "corpus.csv", c.text), filepath.Join(dir, "first"), filepath.Join(dir, "again")
			mustCall(t, append([]string{"cluster", file, "--out", first}, strings.Fields(c.flags)...)...)
			mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
			for _, file := range []string{"clusters.csv", "config.yaml"} {
				sameFile(t, file, first, again)
			}
		})
	}
}
