package corpus

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/sparse"
)

// outline is what is known of documents that are not here.
type outline struct {
	entries           int
	sizes             []int // documents of each class
	unlabelled        int
	empty, firstEmpty int // documents without a term, and the number of the first of them
}

// Blocks are the documents of a corpus that is not held in memory, to be counted a block at a time.
type Blocks struct {
	// Outline has the terms, classes and notes of all documents, as [Read] finds them, and no row:
	// its [Corpus.Len] is their number.
	Outline *Corpus

	contents *Contents
	opt      ReadOptions
	file     fs.FileInfo // when it was read first; nil of a folder
}

// ReadBlocks reads the texts of a corpus and keeps none of them: [Blocks.Each] then reads the file
// again, a block of documents at a time. The terms, the classes, the notes and the errors are those
// of [Read], but that each gets the names of the documents, in their order, in place of an error
// for two of one name. It is nil of formats that are not read in blocks (see [Survey]), of the
// standard input, and with Labels, Vectors, Snippets or Divide.
//
// Memory: the terms, with their words as they are written, and [StreamBytes] of texts.
func ReadBlocks(ctx context.Context, path string, opt ReadOptions, each func(id string) error) (*Blocks, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Labels != "" || opt.Vectors || opt.Divide || opt.Snippets > 0 {
		return nil, nil
	}
	file, err := shards.Stat(path)
	if err != nil || !file.Mode().IsRegular() {
		file = nil // an error comes again where it is read
	}
	opt.outline = &counting.Outline{Each: each}
	c, err := read(ctx, path, opt)
	if errors.Is(err, errWhole) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if opt.Text.VocabularyStems = opt.outline.Stems; opt.Text.Vocabulary == nil {
		opt.Text.Vocabulary = c.Terms
	}
	// The rows of a block are few, and what looks for terms in them takes no counts.
	opt.Text.Index, opt.Text.AnyText, opt.Observer, opt.Counts = opt.outline.Columns(), true, nil, false
	all := &Contents{Name: path, Format: c.Format, Documents: c.Total, ClassNames: c.ClassNames, class: opt.outline.Class}
	opt.outline = nil
	return &Blocks{c, all, opt, file}, nil
}

// errWhole says that a file is not read in blocks.
var errWhole = errors.New("the file is read whole")

// Each reads the file again and hands the documents to each as they come, some at a time and in
// their order. It is an error if the file was changed since it was read first, or if their number
// is another one; each never gets more than there were.
func (b *Blocks) Each(ctx context.Context, each func([]Document) error) error {
	now, err := shards.Stat(b.contents.Name)
	if b.file != nil && err == nil && (now.Size() != b.file.Size() || !now.ModTime().Equal(b.file.ModTime())) {
		return input.Failf(b.contents.Name, "", "changed while it was read: run the command again when nothing writes to it")
	}
	return b.contents.Again(ctx, b.opt, each)
}

// Corpus counts some consecutive documents; first is the number of the first of them, from 0. The
// columns and classes are as in Outline.
func (b *Blocks) Corpus(ctx context.Context, docs []Document, first int) (*Corpus, error) {
	c, err := b.contents.Corpus(ctx, docs, b.opt)
	if err != nil {
		return nil, err
	}
	c.First, c.Stems, c.Notes = first, b.Outline.Stems, nil
	return c, nil
}

// Joined joins parts of a corpus of counts of terms, which have its columns and classes, in their
// order. It panics if one of them is not sparse.
func Joined(parts []*Corpus) *Corpus {
	all := *parts[0]
	x := &sparse.CSR{NumCols: parts[0].X.(*sparse.CSR).NumCols, RowPtr: []int{0}}
	all.IDs, all.Labels, all.First = nil, nil, 0
	for _, p := range parts {
		of := p.X.(*sparse.CSR)
		for i := range of.NumRows {
			cols, values := of.Row(i)
			x.Col, x.Val = append(x.Col, cols...), append(x.Val, values...)
			x.RowPtr = append(x.RowPtr, len(x.Col))
			all.IDs = append(all.IDs, p.ID(i))
		}
		x.NumRows += of.NumRows
		all.Labels = append(all.Labels, p.Labels...)
	}
	all.X = x
	return &all
}

// takeOutline makes the corpus one of documents that are not here.
func (c *Corpus) takeOutline(o *counting.Outline) {
	c.Total = o.Documents
	c.outline = &outline{entries: int(o.Entries), sizes: o.Sizes, unlabelled: o.Documents, empty: o.Empty, firstEmpty: o.FirstEmpty}
	for _, n := range o.Sizes {
		c.outline.unlabelled -= n
	}
}

// Entries returns the number of entries of documents that are not here; ok is false of others.
func (c *Corpus) Entries() (n int, ok bool) {
	if c.outline == nil {
		return 0, false
	}
	return c.outline.entries, true
}

// HasLabels reports whether a document has a label, of documents that are not here too.
func (c *Corpus) HasLabels() bool {
	return c.Labels != nil || c.outline != nil && len(c.outline.sizes) > 0
}

// refuseWhole returns errWhole of an archive where documents are to be read in blocks.
func refuseWhole(in *input.File, opt ReadOptions) error {
	if opt.outline == nil {
		return nil
	}
	if archive, err := isTar(in, opt.Format); err != nil || archive {
		return cmp.Or(err, errWhole)
	}
	if z, err := openZip(in); err != nil || z != nil {
		return cmp.Or(err, errWhole)
	}
	if kind, err := table.FlatKind(in); err != nil || kind != "" {
		return cmp.Or(err, errWhole)
	}
	return nil
}

// holds reports whether documents of a format are held where they are to be read in blocks.
func (o *ReadOptions) holds(format string) bool {
	return o.outline != nil && !slices.Contains(streamedTables, format) &&
		!slices.Contains([]string{"jsonl", "json", "xml", "lines", "fasttext", "list", "parquet"}, format)
}
