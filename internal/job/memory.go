package job

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/method"
)

// TakeCorpus checks a corpus that was made in memory; any matrix is converted once. Rows in single
// precision stay so if the request is for that.
func TakeCorpus(c *corpus.Corpus, single bool) (*corpus.Corpus, error) {
	taken := *c
	stored := method.Rows
	if single {
		stored = method.KeptRows
	}
	var err error
	if taken.X, err = stored(c.X); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	n, cols := taken.X.Dims()
	switch {
	case c.Labels != nil && len(c.Labels) != n:
		return nil, invalid.Errorf("%s: it has %d labels for %d documents", c.Name, len(c.Labels), n)
	case slices.ContainsFunc(c.Labels, func(k int) bool { return k >= len(c.ClassNames) }):
		return nil, invalid.Errorf("%s: it has %d names of classes, and a label %d", c.Name, len(c.ClassNames), slices.Max(c.Labels))
	case c.IDs != nil && len(c.IDs) != n:
		return nil, invalid.Errorf("%s: it has %d ids for %d documents", c.Name, len(c.IDs), n)
	case c.Terms != nil && len(c.Terms) != cols:
		return nil, invalid.Errorf("%s: it has %d terms for %d columns", c.Name, len(c.Terms), cols)
	}
	return &taken, nil
}
