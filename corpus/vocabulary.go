package corpus

import (
	"context"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// ReadVocabulary reads terms for [TextOptions.Vocabulary]: from a text file of one term per line,
// without empty lines and comments (which begin with # and a blank), or from a corpus file that
// names its columns, such as the .npz that [Write] makes.
func ReadVocabulary(ctx context.Context, path string) ([]string, error) {
	if format := formatByExtension(path); format != "" {
		c, err := Read(ctx, path, ReadOptions{Format: format})
		if err != nil {
			return nil, err
		}
		if c.Terms == nil {
			return nil, input.Failf(path, "", "does not name its columns, so it is not a vocabulary; give a file with names of terms, or one term per line")
		}
		return c.Terms, nil
	}
	lines, err := input.ReadLines(ctx, path, 0)
	if err != nil {
		return nil, err
	}
	terms := lines[:0]
	for _, t := range lines {
		if t != "" && t != "#" && !strings.HasPrefix(t, "# ") {
			terms = append(terms, t)
		}
	}
	if len(terms) == 0 {
		return nil, input.Failf(path, "", "holds no terms; write one per line")
	}
	return terms, nil
}
