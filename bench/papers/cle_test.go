package papers

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// dataDir is the folder of the original corpora beside a checkout.
var dataDir = filepath.Join("..", "..", "..", "shared", "data")

// The short form of the tables: near the paper, and the same on one thread and on several.
func TestCLETablesShort(t *testing.T) {
	for _, e := range Experiments() {
		if !strings.HasPrefix(e.Name, "cle-") {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			run := func(threads int, opt Options) *Run {
				withThreads(t, threads)
				opt.Dir, opt.Tests, opt.Cases = dataDir, 2, 1
				r, err := e.Run(context.Background(), opt)
				if errors.Is(err, fs.ErrNotExist) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			wide := Options{Rows: []string{"2", "3"}}
			if testing.Short() {
				wide = Options{Rows: []string{"3"}, Methods: []string{"lsi", "le", "semi-le", "cle"}}
			}
			two := run(2, wide)
			for _, r := range two.Rows {
				for _, c := range two.Columns {
					ac, nmi := two.Score(r, c, 0).Mean, two.Score(r, c, 1).Mean
					t.Logf("r = %s, %s: AC %.4f, NMI %.4f", r.Key, c.Title(), ac, nmi)
					graphs := c.Method == "le" || c.Method == "semi-le" || c.Method == "cle"
					// Two draws of Reuters may be easy or hard classes.
					if ac <= 1/r.Value || e.Corpus.Name == TDT2.Name && graphs && ac < 0.95 {
						t.Errorf("r = %s, %s: AC %.4f", r.Key, c.Title(), ac)
					}
				}
			}
			one := run(1, Options{Rows: []string{"3"}, Methods: []string{"lsi", "le", "semi-le", "cle"}})
			for _, c := range one.Columns {
				for m := range e.Metrics {
					if a, b := one.Score(one.Rows[0], c, m), two.Score(one.Rows[0], c, m); a != b {
						t.Errorf("%s: one thread gave %+v, two gave %+v", c.Title(), a, b)
					}
				}
			}
		})
	}
}
