package text

import (
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/parallel"
)

// Document is a text as its file has it, with the names that the file gives it. A field that is
// missing or null is empty.
type Document struct {
	ID    string
	Label string
	Text  string
	Odd   bool // its label is no class, such as a list of several
	// Beside is what its other columns or fields hold, those that hold something, if that is wanted.
	Beside []counting.Value
}

// stream decodes the documents that produce emits, batches in parallel, and gives them to
// ReadOptions.Each in their order. Memory: three rounds of batches.
func (in *source) stream(produce func(emit func(counting.Batch) bool) error) error {
	type decoded struct {
		docs []Document
		err  error
	}
	return counting.Rounds(in.Ctx, produce, func(round []counting.Batch) error {
		parts := make([]decoded, len(round))
		err := parallel.For(in.Ctx, len(round), 1, func(_, lo, hi int) error {
			for i := lo; i < hi; i++ {
				parts[i].docs, parts[i].err = documentsOf(round[i])
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range parts {
			if len(p.docs) > 0 {
				if err := in.opt.Each(p.docs); err != nil {
					return err
				}
			}
			if p.err != nil {
				return p.err
			}
		}
		return nil
	})
}

// documentsOf decodes a batch up to the first document that cannot be read.
func documentsOf(b counting.Batch) ([]Document, error) {
	docs := make([]Document, 0, b.Len())
	for i := range b.Len() {
		d, err := b.Document(i)
		if err != nil {
			return docs, err
		}
		if !d.Skip {
			docs = append(docs, Document{ID: lexical.Tidy(d.ID), Label: lexical.Tidy(d.Label), Text: d.Text, Odd: d.Odd, Beside: d.Beside})
		}
	}
	return docs, nil
}

// CountDocuments counts the terms of documents in memory, as [Read] counts documents of a file.
// file names them in messages; their ids differ.
func CountDocuments(file *input.File, docs []Document, opt ReadOptions) (*counting.Collection, error) {
	in := &source{File: file, opt: opt}
	_, c, err := in.countTexts(func(emit func(counting.Batch) bool) error {
		from := &counting.Origin{File: file.Name, Unit: "document"}
		b := &rowBatch{from: from}
		for i := range docs {
			d := &docs[i]
			if b.add(counting.Document{Text: d.Text, ID: d.ID, HasID: true, Line: i + 1}); b.bytes >= counting.BatchBytes {
				if !emit(b) {
					return nil
				}
				b = &rowBatch{from: from}
			}
		}
		emit(b)
		return nil
	}, nil)
	return finish(file, c, "", err)
}
