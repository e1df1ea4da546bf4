package counting

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// countJSONL counts the field text of JSON lines.
func countJSONL(ctx context.Context, lines, name string, opt Options) (*Collection, error) {
	var docs fixed
	for d := json.NewDecoder(strings.NewReader(lines)); ; {
		var line struct{ Text string }
		if err := d.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, Document{Text: line.Text, Line: len(docs) + 1})
	}
	a, err := NewAnalyzer(opt, Keep{})
	if err != nil {
		return nil, err
	}
	mem := input.NewBudget(1 << 30)
	t, err := Count(ctx, a, mem, func(emit func(Batch) bool) error {
		for batch := range slices.Chunk(docs, 100) {
			if !emit(batch) {
				break
			}
		}
		return nil
	}, func(int) {})
	if err != nil {
		return nil, err
	}
	return t.Collection(ctx, a, mem, name)
}

func countTexts(t testing.TB, lines string, opt Options) *Collection {
	t.Helper()
	c := must.Get(countJSONL(context.Background(), lines, "test.jsonl", opt))(t)
	return c
}
