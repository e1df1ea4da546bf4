package counting

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/sparse"
)

// Estimated bytes of one entry of the maps and slices below, without the text of the words.
const (
	formBytes = 96
	termBytes = 96
	gramBytes = 96
)

// atOnce is how many words are looked up at a time.
const atOnce = 64

// counter counts words for one worker. Its numbers of words and terms depend on the texts that the
// worker happened to read; [Tally.Collection] replaces them by the columns of the result.
type counter struct {
	*Analyzer // of the current language
	scan      tokens.Scanner
	forms     *tokens.Table   // word of the current language -> its form, or -1 for a word that is left out
	tables    []*tokens.Table // the forms of each language, by number; nil: none was met
	speaks    language.Tongue // the current language
	snippets  int             // most characters of a snippet, 0: none
	cut       []string        // parts of mail that are cut out of texts
	encoded   bool            // texts that look as if they were encoded twice are as they are
	mixed     bool            // the texts are in several languages: their terms have stems
	form      []form
	stems     map[string]int32 // stem -> its term
	grams     map[gram]int32   // run of words -> its term
	term      []vocabularyTerm
	df        []int32 // documents that have the term
	// before has the previous word in this document and the run of two words that ends there; -1:
	// none.
	before [2]int32
	// times is how often each form was met in the current document, by its value in the table, and
	// tally how often each term; both are zero between documents. met and touched are the values
	// and terms that are not.
	times, met     []int32
	tally, touched []int32
	keys           [atOnce]tokens.Key // words that are looked up together, and their values
	values         [atOnce]int32
	counts         []byte            // of the current batch
	labels         map[string]string // label -> the one copy that is kept
	bytes          int64             // estimated memory of all this
}

// vocabularyTerm is a stem, or a run of words.
type vocabularyTerm struct {
	stem string
	gram // left is -1 for a stem
}

// gram is a run of words: a run that is shorter by one word, and the last word. Both have lower
// numbers than the run.
type gram struct{ left, last int32 }

// form is a distinct word of a language in canonical form.
type form struct {
	text   string
	term   int32
	tongue language.Tongue
	count  int64
}

func newCounter(a *Analyzer) *counter {
	c := &counter{
		Analyzer: a,
		snippets: a.Snippets,
		cut:      a.Strip,
		encoded:  a.Encoded,
		scan:     tokens.Scanner{Split: a.split, Word: make([]byte, 0, tokens.MaxLength*utf8.UTFMax)},
		tables:   make([]*tokens.Table, max(1, len(a.each))),
		stems:    make(map[string]int32),
		grams:    make(map[gram]int32),
		labels:   make(map[string]string),
		times:    make([]int32, tokens.LeftOut+1),
	}
	c.forms = tokens.NewTable()
	c.tables[0] = c.forms
	return c
}

// use turns to the words of a language. Without languages of each document there is one, number 0.
func (c *counter) use(own language.Tongue) {
	if own == c.speaks {
		return
	}
	c.speaks, c.Analyzer = own, c.each[own]
	c.scan.Split, c.scan.Elide = c.split, c.elide
	if c.tables[own] == nil {
		c.tables[own] = tokens.NewTable()
		c.bytes += tokens.FirstSlots * tokens.SlotBytes
	}
	c.forms = c.tables[own]
}

// count counts the documents of a batch. It stops at the first document that cannot be read.
func (c *counter) count(ctx context.Context, b Batch) (out counted) {
	c.counts = c.counts[:0]
	if o, ok := b.(interface{ From() *Origin }); ok {
		out.from = o.From()
	}
	out.docs = make([]Document, 0, b.Len())
	out.ends = make([]int, 0, b.Len())
	for i := range b.Len() {
		d, err := b.Document(i)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && d.Skip {
			out.skipped++
			continue
		}
		if err == nil {
			var words int64
			words, err = c.analyze(ctx, &d)
			out.words += words
		}
		if err != nil {
			out.err = err
			return out
		}
		c.record(&out, d)
	}
	out.counts = slices.Clone(c.counts) // no spare capacity: the counts stay until the end
	return out
}

// analyze counts the words of a document's text, without what is no word to a reader, in the
// language of the text, and returns how many there are. The text stays as it was counted.
func (c *counter) analyze(ctx context.Context, d *Document) (words int64, err error) {
	if !c.encoded {
		d.Text, d.twice = charset.Once(d.Text)
	}
	if !d.Message {
		d.Text, d.removed = plain.WithoutRemoved(d.Text, c.cut)
		whole := len(d.Text)
		d.Text, d.book = plain.WithoutLicence(d.Text, c.cut)
		d.Text, d.Mail = plain.Strip(d.Text, c.cut)
		d.Cut = len(d.Text) < whole
	}
	if c.opt.Markup != plain.KeepMarkup && !d.Plain {
		d.Text, d.markup = plain.WithoutMarkup(d.Text)
	}
	if c.each != nil {
		d.tongue = language.Of(&c.scan, d.Text, c.among)
		c.use(d.tongue.Language())
	}
	words, err = c.add(ctx, d.Text)
	d.emptied = d.Cut && words == 0
	if c.scan.Script > 0 && !c.scan.Whole {
		d.packed = uint8(c.scan.Script)
	}
	return words, err
}

// record appends a document with the counts of its terms, once for each of its labels, and clears
// the counts for the next one. Its snippet takes the place of its text.
func (c *counter) record(out *counted, d Document) {
	d.snippet, d.Text = plain.Snippet(d.Text, c.snippets), ""
	d.ID, d.Label = lexical.Tidy(d.ID), lexical.Tidy(d.Label)
	id, also := d.ID, d.Also
	if len(also) > 0 {
		d.ID, d.Also = id+"#"+d.Label, nil
	}
	for _, label := range append([]string{d.Label}, also...) {
		if label != d.Label {
			d.ID = id + "#" + label
		}
		d.Label = c.keep(label)
		out.entries += int64(len(c.touched))
		for _, t := range c.touched {
			c.counts = sparse.AppendCount(c.counts, t, c.tally[t])
			c.df[t]++
		}
		out.docs = append(out.docs, d)
		out.ends = append(out.ends, len(c.counts))
	}
	for _, t := range c.touched {
		c.tally[t] = 0
	}
	c.touched = c.touched[:0]
}

// keep returns the one copy of a label that is kept.
func (c *counter) keep(label string) string {
	kept, ok := c.labels[label]
	if !ok {
		kept = strings.Clone(label) // it may be a piece of a long text
		c.labels[kept] = kept
	}
	return kept
}

// add counts the words of a text into tally and touched, and returns how many were not left out.
// The words of addresses count in a text that has no others.
func (c *counter) add(ctx context.Context, text string) (words int64, err error) {
	c.scan.Begin(text)
	words, err = c.addAll(ctx)
	if words == 0 && err == nil && c.scan.Addressed {
		c.scan.Begin(text)
		c.scan.Addresses = true
		words, err = c.addAll(ctx)
	}
	for _, v := range c.met {
		n := c.times[v]
		c.times[v] = 0
		f := &c.form[v-2]
		f.count += int64(n)
		c.hit(f.term, n)
	}
	c.met = c.met[:0]
	return words, err
}

// addAll counts the words that the scanner finds.
func (c *counter) addAll(ctx context.Context) (words int64, err error) {
	c.before = [2]int32{-1, -1}
	for since := 0; ; since++ {
		if since == 1<<10 {
			if since, err = 0, ctx.Err(); err != nil {
				return words, err
			}
		}
		found := c.scan.Keys(c.keys[:])
		words += c.addKeys(c.keys[:found])
		if found == len(c.keys) {
			continue
		}
		if !c.scan.NextSlowly() {
			return words, nil
		}
		f, ok := c.forms.FindNext(&c.scan)
		if !ok {
			f = c.meet(string(c.scan.Spelling()), c.scan.Plain)
		}
		words += c.addValues([]int32{f + 2})
	}
}

// addKeys counts words by their keys. They are looked up together, so that the processor waits for
// several entries of the table at a time.
func (c *counter) addKeys(keys []tokens.Key) (words int64) {
	values := c.values[:len(keys)]
	for i, k := range keys {
		values[i] = c.forms.Value(k)
	}
	for i, v := range values {
		if v == 0 {
			word := tokens.Scanner{Key: keys[i], Size: keys[i].Size(), Word: c.scan.Word[:0]}
			f, ok := c.forms.Find(keys[i]) // it may be twice among the keys
			if !ok {
				f = c.meet(string(word.Spelling()), true)
			}
			values[i] = f + 2
		}
	}
	return c.addValues(values)
}

// addValues counts words by their values in the table, and returns how many were not left out. It
// has no branches that depend on the words.
func (c *counter) addValues(values []int32) (words int64) {
	at := len(c.met)
	c.met = slices.Grow(c.met, len(values)+1)
	met, times := c.met[:at+len(values)+1], c.times
	times[tokens.LeftOut] = 1 // never met
	for _, v := range values {
		n := times[v]
		times[v] = n + 1
		met[at] = v
		if n == 0 {
			at++
		}
	}
	c.met = met[:at]
	if c.opt.NGrams > 1 {
		for _, v := range values {
			if v != tokens.LeftOut {
				c.runs(c.form[v-2].term)
			}
		}
	}
	return int64(len(values)) - int64(times[tokens.LeftOut]-1)
}

// hit counts a term in the current document that many times.
func (c *counter) hit(t, times int32) {
	if c.tally[t] == 0 {
		c.touched = append(c.touched, t)
	}
	c.tally[t] += times
}

// runs counts the runs that end at word t.
func (c *counter) runs(t int32) {
	two := int32(-1)
	if c.before[0] >= 0 {
		two = c.run(gram{c.before[0], t})
		c.hit(two, 1)
	}
	if c.opt.NGrams > 2 && c.before[1] >= 0 {
		c.hit(c.run(gram{c.before[1], t}), 1)
	}
	c.before = [2]int32{t, two}
}

// run returns the term of a run of words, and adds it if it is new.
func (c *counter) run(g gram) int32 {
	t, ok := c.grams[g]
	if !ok {
		t = c.newTerm(vocabularyTerm{gram: g})
		c.grams[g] = t
		c.bytes += gramBytes
	}
	return t
}

func (c *counter) newTerm(v vocabularyTerm) int32 {
	c.term = append(c.term, v)
	c.df = append(c.df, 0)
	c.tally = append(c.tally, 0)
	return int32(len(c.term) - 1)
}

// meet adds a new word and returns its form, or -1 for a word that is left out.
func (c *counter) meet(word string, plain bool) int32 {
	text := word
	if !plain {
		text = c.canonical(word)
	}
	f, ok := tokens.Find(c.forms, text)
	if !ok {
		f = -1
		if stem := c.Analyzer.term(text); stem != "" {
			f = int32(len(c.form))
			c.form = append(c.form, form{text: text, term: c.number(stem), tongue: c.speaks})
			c.times = append(c.times, 0)
		}
		c.forms.Add(text, f)
		c.bytes += formBytes + int64(len(text))
	}
	if text != word {
		c.forms.Add(word, f)
		c.bytes += formBytes + int64(len(word))
	}
	return f
}

// number returns the term of a stem, and adds it if it is new.
func (c *counter) number(stem string) int32 {
	t, ok := c.stems[stem]
	if !ok {
		t = c.newTerm(vocabularyTerm{stem, gram{-1, -1}})
		c.stems[stem] = t
		c.bytes += termBytes + int64(len(stem))
	}
	return t
}

// absorb adds the counts of another worker and returns the new number of each of its terms.
func (c *counter) absorb(o *counter) (moved []int32) {
	moved = make([]int32, len(o.term))
	for t, v := range o.term {
		if v.left < 0 {
			moved[t] = c.number(v.stem)
		} else {
			moved[t] = c.run(gram{moved[v.left], moved[v.last]})
		}
		c.df[moved[t]] += o.df[t]
	}
	for _, f := range o.form {
		c.use(f.tongue)
		c.form[c.meet(f.text, true)].count += f.count
	}
	return moved
}
