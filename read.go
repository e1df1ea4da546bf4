package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
)

// read brings in the file and makes the rows or the graph that the method works on.
func (j *job) read(ctx context.Context) error {
	for _, f := range j.renamed {
		j.note(fmt.Sprintf("%s is now called %s; the next version does not take the old name", words.Option(f.Was), words.Option(f.Name)))
	}
	if err := together(ctx, j.load(ctx)); err != nil {
		return err
	}
	return j.settle(ctx)
}

// settle reads what belongs to the corpus that was read, and makes the rows or the graph. Ranks
// compare what they read before they work on it, since other input may end one of them alone.
func (j *job) settle(ctx context.Context) error {
	if err := together(ctx, j.readGiven(ctx)); err != nil {
		return err
	}
	if err := together(ctx, j.readVectors(ctx)); err != nil {
		return err
	}
	if err := j.sameInput(ctx); err != nil {
		return err
	}
	if err := together(ctx, j.prepare(ctx)); err != nil {
		return err
	}
	if err := j.sameGraph(ctx); err != nil {
		return err
	}
	return j.divideRows(ctx)
}

// prepare makes the rows or the graph of the documents that were read here.
func (j *job) prepare(ctx context.Context) error {
	if j.Source.Precomputed {
		if err := j.readAffinity(); err != nil {
			return err
		}
		if err := j.takePaper(); err != nil {
			return err
		}
		return j.settleLabels()
	}
	if j.inSingle() { // no effect on a corpus that was read so
		if err := j.corpus.ToSingle(); err != nil {
			return err
		}
	}
	if err := j.readTimes(ctx); err != nil {
		return err
	}
	if err := j.selectClasses(); err != nil {
		return err
	}
	if err := j.settleLabels(); err != nil {
		return err
	}
	j.noteEmptyLabels()
	if err := j.weigh(ctx); err != nil {
		return err
	}
	if err := j.readGraph(ctx); err != nil {
		return err
	}
	return j.settleOptions()
}

// load reads the corpus as it is.
func (j *job) load(ctx context.Context) error {
	defer j.stage("read")()
	err := j.settleText(ctx)
	stored := ctx
	if err == nil {
		stored, err = j.withEarlyStore(ctx)
	}
	if err == nil {
		err = j.checkSource(ctx)
	}
	if err = together(ctx, err); err != nil {
		return err
	}
	if err := j.readCorpus(stored, j.readOptions()); err != nil {
		return j.singleText(ctx, err)
	}
	return nil
}

// usualSnippets is Options.Snippets if that is nil.
const usualSnippets = 160

// readOptions returns the options of package corpus for the source and the texts of the job.
func (j *job) readOptions() corpus.ReadOptions {
	s, t := &j.Source, &j.Text
	o := corpus.ReadOptions{
		Format: s.Format, Var: s.Var, LabelVar: s.LabelVar, LabelColumn: s.LabelColumn, TextColumn: s.TextColumn, IDColumn: s.IDColumn, TimeColumn: j.TimeColumn, Decimal: s.Decimal, Header: s.Header, Transpose: s.Transpose, Labels: s.Truth, IDsFrom: s.IDsFrom,
		Split: s.Split, Strip: s.Strip, LabelHeader: s.LabelHeader, ClassFolder: s.ClassFolder, Encoding: s.Encoding,
		Reuters: corpus.ReutersOptions{Preset: s.ReutersPreset, Marked: s.ReutersMarked, Topics: s.ReutersTopics,
			TopicList: s.ReutersTopicList, Body: s.ReutersBody, Text: s.ReutersText},
		Text: corpus.TextOptions{Language: t.Language, StopWords: t.StopWords, NGrams: t.NGrams, MinLength: t.MinLength, Vocabulary: j.terms,
			MinDF: t.MinDF.Count, MinDFShare: t.MinDF.Share, MaxDF: t.MaxDF.Share, MaxDFCount: t.MaxDF.Count},
		Observer: j.observe, Single: j.inSingle() && !j.Source.Precomputed,
	}
	if o.Snippets = usualSnippets; j.Snippets != nil {
		o.Snippets = *j.Snippets
	}
	if !j.takes("snippets") {
		o.Snippets = 0
	}
	if t.MinDF.Share > 0 {
		o.Text.MinDF = 1
	}
	if s.EdgeList {
		o.Format = "edges"
	}
	return o
}

// settleText fills in the defaults of raw text and reads the vocabulary.
func (j *job) settleText(ctx context.Context) error {
	t := &j.Text
	t.Language, t.StopWords = corpus.LanguageName(t.Language), corpus.LanguageName(t.StopWords)
	if t.Language == "" {
		t.Language = "auto"
	}
	if t.Language == "auto" && t.Vocabulary != "" {
		t.Language = "english" // the terms of a vocabulary have one language
	}
	if t.StopWords == "" || t.StopWords == "auto" {
		t.StopWords = "english"
		if t.Language != "none" {
			t.StopWords = t.Language
		}
	}
	if t.MinDF.IsZero() {
		t.MinDF.Count = 2
	}
	if t.MaxDF.IsZero() {
		t.MaxDF.Share = 1
	}
	t.NGrams, t.MinLength = max(t.NGrams, 1), orInt(t.MinLength, 2)
	if t.Vocabulary == "" {
		return nil
	}
	var err error
	j.terms, err = corpus.ReadVocabulary(ctx, t.Vocabulary)
	return err
}

func orInt(v, standard int) int {
	if v == 0 {
		return standard
	}
	return v
}

// checkSource refuses what can be refused before the file is read.
func (j *job) checkSource(ctx context.Context) error {
	if j.texts == nil && model.Is(j.file) {
		return invalid.Errorf("%s: this is a model file, not a corpus: give the corpus it was made from, or eigenmap info to see the model", j.file)
	}
	if j.Source.IDsFrom != "" && j.Source.Truth == "" && j.Labels == "" && j.Constraints == "" {
		return invalid.Errorf("‹ids-from› has no effect without ‹truth›, ‹labels› or ‹constraints›: leave it out")
	}
	if j.texts != nil {
		return checkFiles(ctx, j.Source.Truth)
	}
	return checkFiles(ctx, j.file, j.Source.Truth)
}

// readCorpus reads the corpus under the given options.
func (j *job) readCorpus(ctx context.Context, opt corpus.ReadOptions) error {
	c, err := j.documents(ctx, opt)
	if err != nil {
		return err
	}
	return j.takeRead(ctx, c)
}

// takeRead makes what was read the corpus of the job, and checks that it has documents and that the
// options given have an effect on its format.
func (j *job) takeRead(ctx context.Context, c *corpus.Corpus) error {
	if j.Source.IDsFrom != "" && c.IDs != nil {
		j.note("The documents have ids of their own, so ‹ids-from› has no effect.")
	}
	if j.corpus = c; c.Divided() {
		j.takeShare(ranks.From(ctx), c)
	}
	if err := j.checkFormats(c.Format); err != nil {
		return err
	}
	if slices.Contains(corpus.GraphFormats(), c.Format) && !j.Source.Precomputed {
		if err := j.takeGraph(); err != nil {
			return j.inFile(err)
		}
		j.note("The file is a graph, which is taken as it is, as by ‹precomputed›.")
		if err := j.checkRelevant(j.fields(), j.data()); err != nil {
			return j.inFile(err)
		}
	}
	for _, n := range c.Notes {
		if n != c.LabelNote || j.Source.Truth == "" {
			j.note(n)
		}
	}
	if r, cols := c.X.Dims(); r == 0 || cols == 0 {
		return invalid.Errorf("%s: it holds no documents: %d rows and %d columns", j.file, r, cols)
	}
	return nil
}

// documents reads the file, or counts the texts that are in memory.
func (j *job) documents(ctx context.Context, opt corpus.ReadOptions) (*corpus.Corpus, error) {
	if j.texts != nil {
		return corpus.FromTexts(ctx, j.texts, opt)
	}
	opt.Divide = j.readsOwnRows(ctx)
	c, err := corpus.Read(ctx, j.file, opt)
	if err == nil && c.Divided() && c.Documents() < fewDocuments {
		opt.Divide = false
		c, err = corpus.Read(ctx, j.file, opt)
	}
	return c, err
}

// isText says whether the corpus was made from raw text.
func (j *job) isText() bool { return slices.Contains(corpus.TextFormats(), j.corpus.Format) }

// checkFormats refuses the first option given that none of the formats takes.
func (r *request) checkFormats(formats ...string) error {
	for _, f := range runFields(&r.Options) {
		if !r.was(f.Name) || slices.ContainsFunc(formats, func(format string) bool { return takesFormat(f, format) }) {
			continue
		}
		if slices.Contains(formats, "") {
			return invalid.Errorf("%s has no effect on a matrix in memory, only on files of the formats %s: leave it out", words.Option(f.Name), strings.Join(f.Formats, ", "))
		}
		return invalid.Errorf("%s has no effect on the format %s, only on %s: leave it out", words.Option(f.Name),
			strings.Join(slices.Compact(formats), " and "), strings.Join(f.Formats, ", "))
	}
	return nil
}

// singleText says of a text corpus of one document that it cannot be worked on, if that is why no
// term was left of it. Such an error is about the file as a whole; other files are not read again.
func (j *job) singleText(ctx context.Context, err error) error {
	var at *corpus.FormatError
	text := isFolder(j.file) || hasExtension(j.file, ".jsonl", ".ndjson", ".list", ".parquet", ".mbox", ".sgm") || slices.Contains(corpus.TextFormats(), j.Source.Format)
	if !text || !errors.As(err, &at) || at.Place != "" || ctx.Err() != nil {
		return err
	}
	opt := j.readOptions()
	opt.Observer, opt.Text = nil, corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1}
	if c, failed := corpus.Read(ctx, j.file, opt); failed == nil && c.Len() == 1 {
		return invalid.Errorf("%s: one document cannot be clustered: give a corpus of at least two (‹min-df› 1 keeps the terms of this one)", j.file)
	}
	return err
}

func (j *job) readAffinity() error {
	w, ok := j.corpus.X.(*sparse.CSR)
	if !ok {
		var err error
		if w, err = sparse.FromMatrix(j.corpus.X); err != nil {
			return j.inFile(err)
		}
	}
	from := graph.TakeAffinity
	switch {
	case j.spec.Needs.Kernel:
		from = graph.FromKernel
	case j.inMemory:
		from = graph.FromAffinity // a copy: the matrix is the caller's
	}
	g, err := from(w)
	if err != nil {
		return j.inFile(err)
	}
	j.graph = g
	return nil
}

// weigh makes the rows.
func (j *job) weigh(ctx context.Context) error {
	defer j.stage("weights")()
	j.counts = j.isText() || j.corpus.HoldsCounts()
	if j.vectors != nil && !j.joinsViews() {
		return j.weighVectors(ctx)
	}
	j.noteCounts()
	j.settleWeights(j.counts)
	if !j.corpus.Divided() {
		if err := method.CheckScale(j.corpus.X); err != nil {
			return j.inFile(err)
		}
	}
	rows := j.rowsHere()
	if _, cols := rows.X.Dims(); corpus.NeedsIDF(j.Weighting) {
		if err := memory.Need(ctx, memory.Bytes(3*8, cols), "give ‹weighting› tf", "%s has %s, whose documents are counted for ‹weighting› %s",
			j.file, words.Counted(cols, "column"), j.Weighting); err != nil {
			return err
		}
	}
	x, err := rows.Weighted(j.Weighting, j.Normalize)
	if err != nil {
		return j.inFile(err)
	}
	if j.x = x; j.joinsViews() {
		return j.joinViews(ctx)
	}
	j.noteZeros()
	if err := j.checkWeights(); err != nil {
		return err
	}
	j.noteEqual()
	return nil
}

// noteZeros says which dense rows are zeros alone.
func (j *job) noteZeros() {
	if sparse.Is(j.x) {
		return
	}
	list := j.allNumbers(method.WithoutEntries(j.x))
	if len(list) == 0 {
		return
	}
	ids := make([]string, len(list))
	for at, i := range list {
		ids[at] = clip(j.corpus.ID(i))
	}
	j.warn(fmt.Sprintf("Rows of zeros, which say nothing of their documents: %d of %s (%s). They have no neighbours, and their clusters are arbitrary.",
		len(list), words.Counted(j.corpus.Len(), "document"), words.Few(ids, 5)))
}

// checkWeights refuses weights that are all 0 where the method joins documents by them; of other
// methods it says so.
func (j *job) checkWeights() error {
	x := j.x
	if m, ok := x.(*sparse.CSR); ok && corpus.NeedsIDF(j.Weighting) && !j.share.Divided() && !slices.ContainsFunc(m.Val, func(v float64) bool { return v != 0 }) {
		const why = "every weight is 0: all documents have the same terms, and the tf-idf of a term that every document has is 0"
		if j.spec.Needs.Affinity {
			return j.inFile(invalid.Errorf("%s: give ‹weighting› tf, or documents that differ", why))
		}
		j.note(strings.ToUpper(why[:1]) + why[1:] + "; ‹weighting› tf keeps the counts.")
	}
	return nil
}

// noteCounts says that the entries of a file that holds no texts are weighed as counts of terms.
func (j *job) noteCounts() {
	if j.counts && j.Weighting == "" && !j.Paper && !j.spec.Needs.Counts && !j.isText() {
		j.note("The entries look like counts of terms and are weighed as such; ‹weighting› tf takes them as they are.")
	}
}

// settleWeights decides weighting and normalization if they were not given. counts says that the
// entries are counts of terms; the papers weigh none but those of raw texts, by tf-idf.
func (j *job) settleWeights(counts bool) {
	asCounts := j.spec.Needs.Counts
	if j.Weighting == "" {
		switch {
		case asCounts || !counts || j.Paper && !j.isText():
			j.Weighting = corpus.WeightTF
		case (j.spec.Needs.Roots || j.command == "graph") && !j.Paper:
			j.Weighting = corpus.WeightHellinger
		default:
			j.Weighting = corpus.WeightTFIDF
		}
	}
	if j.Normalize == "" {
		j.Normalize = corpus.NormNone
		if sparse.Is(j.corpus.X) && !asCounts {
			j.Normalize = corpus.NormL2
		}
	}
}
