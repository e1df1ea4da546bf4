package text

import (
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Count counts the terms of texts in memory, one document each. file names them in messages.
func Count(file *input.File, texts []string, opt ReadOptions) (*Collection, error) {
	in := &source{File: file, opt: opt}
	_, c, err := in.countTexts(func(emit func(batch) bool) error {
		from := &origin{file: file.Name, unit: "text"}
		b := &rowBatch{from: from}
		for i, s := range texts {
			if b.add(document{text: strings.ToValidUTF8(s, "\uFFFD"), line: i + 1}); b.bytes >= batchBytes {
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
