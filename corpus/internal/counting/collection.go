package counting

import "github.com/eigenmap/eigenmap/sparse"

// Collection is the counts of a collection of texts, in the order of the documents.
type Collection struct {
	Format string      // "folder", "jsonl", "list" (files of several formats), "mbox", "parquet" or "reuters"
	X      *sparse.CSR // documents × terms
	// Counts has the rows in place of X with Keep.Counts, but for archives and folders.
	Counts *sparse.Counts
	Terms  []string // name of each column
	// Stems is what the words of each column have in common, if texts of several languages were
	// read, each in its own ([Options.Language]); else nil, and [Options.Stems] gives them.
	Stems []string
	IDs   []string // name of each document; nil if no document has one
	Notes []string // what the reader found out or decided, one sentence each
	// Unread are the parts of a divided collection that were not asked for; their documents' ids
	// begin with them.
	Unread []string
	// Labels is the class of each document, an index into ClassNames from 0; -1 for an unlabelled
	// document, nil if no document has a label.
	Labels     []int
	ClassNames []string
	// Snippets are the beginnings of the texts; nil if none are wanted.
	Snippets []string
	// Rarities counts the terms of each document that would be left out without it; nil if
	// Options.ForModel says that all are kept.
	Rarities []Rarity
}

// Rarity says how many terms a document has that a vocabulary made without it would lack.
type Rarity struct {
	Terms int32 // distinct terms of the document, those that are no columns included
	Own   int32 // of these, the terms that would be no columns if the document were not there
}

// Reorder puts the documents into the order that rows gives.
func (c *Collection) Reorder(rows []int) {
	if c.Counts != nil {
		c.X, c.Counts = c.Counts.Select(rows), nil
	} else {
		c.X = c.X.SelectRows(rows)
	}
	c.IDs = reordered(c.IDs, rows)
	c.Snippets = reordered(c.Snippets, rows)
	c.Rarities = reordered(c.Rarities, rows)
	c.Labels = reordered(c.Labels, rows)
}

// reordered returns the list in the order that rows gives; nil for nil.
func reordered[T any](list []T, rows []int) []T {
	if list == nil {
		return nil
	}
	moved := make([]T, len(rows))
	for i, r := range rows {
		moved[i] = list[r]
	}
	return moved
}
