package text

import (
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Count counts the terms of texts in memory, one document each. file names them in messages.
func Count(file *input.File, texts []string, opt ReadOptions) (*counting.Collection, error) {
	in := &source{File: file, opt: opt}
	_, c, err := in.countTexts(func(emit func(counting.Batch) bool) error {
		from := &counting.Origin{File: file.Name, Unit: "text"}
		b := &rowBatch{from: from}
		for i, s := range texts {
			if b.add(counting.Document{Text: strings.ToValidUTF8(s, "\uFFFD"), Line: i + 1}); b.bytes >= counting.BatchBytes {
				if !emit(b) {
					return nil
				}
				b = &rowBatch{from: from}
			}
		}
		emit(b)
		return nil
	}, nil)
	return finish(file, c, "lines", err)
}
