package job

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/model"
)

// usualSnippets is Options.Snippets if that is nil.
const usualSnippets = 160

// TypicalChars is the most characters of typical texts that a model keeps.
const TypicalChars = 256 << 10

// ReadOptions returns the options of package corpus for the source and the texts of the job.
func (j *Job) ReadOptions() corpus.ReadOptions {
	s, t := &j.Source, &j.Text
	o := corpus.ReadOptions{
		Format: cmp.Or(s.Format, j.NamedFormat), UsualFormat: j.UsualFormat, Var: s.Var, LabelVar: s.LabelVar, LabelColumn: s.LabelColumn, TextColumn: s.TextColumn, IDColumn: s.IDColumn, TimeColumn: j.TimeColumn, Usual: j.UsualColumns, PageColumns: j.PageColumns, Decimal: s.Decimal, Missing: s.Missing, Header: s.Header, Transpose: s.Transpose, Labels: s.Truth, IDsFrom: s.IDsFrom,
		Split: s.Split, Strip: s.Strip, LabelHeader: s.LabelHeader, ClassFolder: s.ClassFolder, Encoding: s.Encoding,
		Reuters: corpus.ReutersOptions{Preset: s.ReutersPreset, Marked: s.ReutersMarked, Topics: s.ReutersTopics,
			TopicList: s.ReutersTopicList, Body: s.ReutersBody, Text: s.ReutersText},
		Text: corpus.TextOptions{Language: t.Language, StopWords: t.StopWords, NGrams: t.NGrams, Collocations: t.Collocations, MinLength: t.MinLength, Markup: t.Markup, Vocabulary: j.terms,
			MinDF: t.MinDF.Count, MinDFShare: t.MinDF.Share, MaxDF: t.MaxDF.Share, MaxDFCount: t.MaxDF.Count},
		Observer: j.Observe, Single: j.InSingle() && !j.Source.Precomputed,
	}
	if o.Snippets = j.shown(); j.Vectors.Model != "" {
		o.Snippets = corpus.WholeTexts // until the vectors are made
	}
	named, _ := j.NamedColumns() // checked with the request
	o.ViewColumns, o.AsNumbers = namesOf(named), namesOf(ofKind(named, model.KindNumber))
	if o.Categories = j.ColumnsAlone(); o.Categories {
		o.AsCategories = namesOf(ofKind(named, model.KindCategory))
	}
	if t.MinDF.Share > 0 {
		o.Text.MinDF = 1
	}
	if s.EdgeList {
		o.Format = "edges"
	}
	return o
}

// shown is the most characters of each text that the run keeps.
func (j *Job) shown() int {
	switch {
	case j.NoSnippets || !j.Takes("snippets"):
		return 0
	case j.Snippets != nil:
		return *j.Snippets
	}
	return usualSnippets
}

// SettleText fills in the defaults of raw text and reads the vocabulary.
func (j *Job) SettleText(ctx context.Context) error {
	t := &j.Text
	t.Language, t.StopWords = corpus.LanguageName(t.Language), corpus.LanguageName(t.StopWords)
	if t.Language == "" {
		t.Language = "auto"
	}
	if t.Language == "auto" && t.Vocabulary != "" {
		t.Language = "english" // the terms of a vocabulary have one language
	}
	if t.StopWords == "" || t.StopWords == "auto" {
		switch {
		case t.Language == "none":
			t.StopWords = "english"
		case strings.Contains(t.Language, ","):
			t.StopWords = "auto" // of each document's own
		default:
			t.StopWords = t.Language
		}
	}
	if t.MinDF.IsZero() {
		t.MinDF.Count = 2
	}
	if t.MaxDF.IsZero() {
		t.MaxDF.Share = 1
	}
	if t.Vocabulary != "" && strings.Contains(t.Language, ",") {
		return invalid.Errorf("‹vocabulary› %s: its terms are of one language: name that in ‹language›", t.Vocabulary)
	}
	t.NGrams, t.MinLength = max(t.NGrams, 1), request.OrInt(t.MinLength, 2)
	if t.Vocabulary == "" {
		return nil
	}
	var err error
	j.terms, err = corpus.ReadVocabulary(ctx, t.Vocabulary)
	return err
}

// IsText says whether the corpus was made from raw text.
func (j *Job) IsText() bool { return slices.Contains(corpus.TextFormats(), j.Corpus.Format) }

// singleText says of a text corpus of one document that it cannot be worked on, if that is why no
// term was left of it. Such an error is about the file as a whole; other files are not read again.
func (j *Job) singleText(ctx context.Context, err error) error {
	var at *corpus.FormatError
	text := folder.Is(j.File) || HasExtension(j.File, ".jsonl", ".ndjson", ".list", ".parquet", ".mbox", ".sgm") || slices.Contains(corpus.TextFormats(), j.Source.Format)
	if !text || !errors.As(err, &at) || at.Place != "" || ctx.Err() != nil {
		return err
	}
	opt := j.ReadOptions()
	opt.Observer, opt.Text = nil, corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1}
	if c, failed := corpus.Read(ctx, j.File, opt); failed == nil && c.Len() == 1 {
		return invalid.Errorf("%s: one document cannot be clustered: give a corpus of at least two (‹min-df› 1 keeps the terms of this one)", j.File)
	}
	return err
}
