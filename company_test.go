package eigenmap_test

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/registry"
)

// linesIn are the lines of a text file.
func linesIn(t *testing.T, file string) (lines []string) {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// placedLines are the lines of clusters.csv of some documents, by their ids.
func placedLines(t *testing.T, ctx context.Context, model string, documents []string) map[string]string {
	t.Helper()
	file := write(t, t.TempDir(), "new.jsonl", strings.Join(documents, "\n")+"\n")
	p, err := eigenmap.Predict(ctx, model, file)
	if err != nil {
		t.Errorf("%d documents: %v", len(documents), err)
		return nil
	}
	dir := t.TempDir()
	if err := p.Save(dir); err != nil {
		t.Error(err)
		return nil
	}
	lines := map[string]string{}
	for _, row := range rowsOf(t, dir)[1:] {
		lines[row[0]] = strings.Join(row, ",")
	}
	return lines
}

// Of every method, a new document has the same line in clusters.csv alone, in company, in any
// order, and on every rank.
func TestALineDoesNotDependOnCompany(t *testing.T) {
	ctx := context.Background()
	documents := append(linesIn(t, fresh), linesIn(t, train)[:4]...)
	documents = append(documents, `{"id":"odd","text":"quux zyzzyva","label":"sky"}`)
	for i, s := range registry.Specs {
		if race.On && i%4 != 0 {
			continue // ranks of each run in the suite of methods
		}
		t.Run(s.Name, func(t *testing.T) {
			run := cluster(t, train, options(t, s.Name, needed(s)...))
			if run.Fitted.Placer == nil {
				t.Skip(s.Closed)
			}
			model := saveModel(t, run)
			all := placedLines(t, ctx, model, documents)
			if len(all) != len(documents) {
				t.Fatalf("%d lines of %d documents", len(all), len(documents))
			}
			check := func(ctx context.Context, what string, some []string) {
				for id, line := range placedLines(t, ctx, model, some) {
					if line != all[id] {
						t.Errorf("%s: %s, and in company %s", what, line, all[id])
					}
				}
			}
			mixed := slices.Clone(documents)
			rand.New(rand.NewPCG(5, 5)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			if !race.On { // only ranks share memory here
				for _, d := range documents {
					check(ctx, "alone", []string{d})
				}
				back := slices.Clone(documents)
				slices.Reverse(back)
				check(ctx, "in reverse", back)
				check(ctx, "a part at random", mixed[:7])
			}
			ranks.Together(2, func(team ranks.Team) { check(ranks.With(ctx, team), "on a rank", mixed) })
		})
	}
}

// What one document gets does not depend on its company, also of a file that does not say how many
// terms there are, or from which number they count, and of a document without entries.
func TestOneOfNumberedTerms(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct {
		name, terms string // names of terms beside the documents of the fit
		lines       []string
	}{
		{"x.ldac", "x.vocab", []string{
			"2 1:3 2:2", "3 1:2 2:2 3:1", "2 5:3 6:1", "3 4:1 5:2 6:2", "2 1:1 3:1",
			"2 4:1 5:2", "0", "1 2:1",
		}},
		{"x.svm", "x.terms.txt", []string{
			"1 0:3 1:2", "1 0:2 1:2 2:1", "-1 4:3 5:1", "-1 3:1 4:2 5:2", "1 0:1 2:1",
			"-1 3:1 4:2", "-1", "1 1:1",
		}},
		{"x.svm", "", []string{
			"1 0:3 1:2", "1 0:2 1:2 2:1", "-1 4:3 5:1", "-1 3:1 4:2 5:2", "1 0:1 2:1",
			"-1 3:1 4:2", "-1", "1 1:1",
		}},
		{"x.ldac", "", []string{
			"2 0:3 1:2", "3 0:2 1:2 2:1", "2 4:3 5:1", "3 3:1 4:2 5:2", "2 0:1 2:1",
			"2 3:1 4:2", "0", "1 1:1",
		}},
		{"x.csv", "", []string{"3,2,0", "2,2,0.5", "0,1,3", "0,1,2", "1,1.5,0", "0.5,1,2", "0,0,0", "0,-1,0"}},
	} {
		t.Run(c.name+c.terms, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, c.name)
			if c.terms != "" {
				write(t, dir, c.terms, "ship\nsea\nsail\ncode\nbug\ncompiler\n")
			}
			put := func(lines ...string) {
				must.Do(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
			}
			put(c.lines...)
			model := saveModel(t, cluster(t, file, options(t, "kmeans", "duplicates", "keep")))
			all := must.Get(eigenmap.Predict(ctx, model, file, eigenmap.Options{}))(t)
			if c.terms != "" {
				must.Do(t, os.Remove(filepath.Join(dir, c.terms)))
			}
			for i, line := range c.lines {
				put(line)
				one, err := eigenmap.Predict(ctx, model, file, eigenmap.Options{})
				if err != nil {
					t.Errorf("document %d alone: %v", i+1, err)
				} else if one.Labels[0] != all.Labels[i] || one.Distance[0] != all.Distance[i] {
					t.Errorf("document %d: cluster %d at %v alone, %d at %v among others",
						i+1, one.Labels[0], one.Distance[0], all.Labels[i], all.Distance[i])
				}
			}
		})
	}
}
