package text

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

// document is one text and what its source says about it.
type document struct {
	id, label       string
	hasID, hasLabel bool
	repeats         bool // another document may have the id: it then gets a number after it
	line            int  // where it begins in its file, from 1
	text            string
	snippet         string  // of the text; "" if none is wanted
	beside          []Value // what its other columns hold, if that is wanted
	skip            bool    // a reader's rule leaves it out; it is not counted
	odd             bool    // its label is no class, such as a list of several
	noText          bool    // its text is null or missing, which counts as an empty one
	// also has further labels: the document is repeated for each, with #label after its id.
	also    []string
	damaged bool            // it has bytes that are invalid in its encoding
	guessed string          // the encoding that it was read as, because it is not UTF-8; else ""
	message bool            // it was read as a message, and is stripped
	mail    bool            // it is mail from which StripAuto cut something
	cut     bool            // parts of mail were cut out of it
	emptied bool            // no word is left of it, and parts of mail were cut out
	plain   bool            // its format says that it has no HTML, or that was read already
	markup  bool            // HTML in it was left out
	twice   bool            // it was encoded twice, which was undone
	pdf     string          // the version of the program that read it as a PDF; else ""
	tongue  language.Tongue // what it is written in
	// packed is the number, up to [tokens.Unspaced], of the script without blanks whose runs were
	// cut into pieces; 0 for none.
	packed uint8
}

// batch is a few documents that one worker reads and counts.
type batch interface {
	len() int
	// document returns document i; an error names its file and line.
	document(i int) (document, error)
	// held returns the bytes of the documents that are in memory.
	held() int
}

// counted is what remains of a batch: the documents without their texts, and their counts by the
// term numbers of the worker that counted them, as [sparse.AppendCount] writes them.
type counted struct {
	worker  int
	from    *origin    // nil: documents name their places themselves
	docs    []document // text is empty
	ends    []int      // document i has the counts [ends[i-1], ends[i])
	counts  []byte
	words   int64
	entries int64
	skipped int
	err     error
}

// Estimated bytes of one entry of the maps and slices below, without the text of the words.
const (
	formBytes = 96
	termBytes = 96
	gramBytes = 96
)

// atOnce is how many words are looked up at a time.
const atOnce = 64

// counter counts words for one worker. Its numbers of words and terms depend on the texts that the
// worker happened to read; [tally.collection] replaces them by the columns of the result.
type counter struct {
	*analyzer // of the current language
	scan      tokens.Scanner
	forms     *tokens.Table   // word of the current language -> its form, or -1 for a word that is left out
	tables    []*tokens.Table // the forms of each language, by number; nil: none was met
	speaks    language.Tongue // the current language
	snippets  int             // most characters of a snippet, 0: none
	cut       []string        // parts of mail that are cut out of texts
	written   bool            // texts that look as if they were encoded twice are as they are
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

func newCounter(a *analyzer) *counter {
	c := &counter{
		analyzer: a,
		snippets: a.snippets,
		cut:      a.strip,
		written:  a.encoded,
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
	c.speaks, c.analyzer = own, c.each[own]
	c.scan.Split, c.scan.Elide = c.split, c.elide
	if c.tables[own] == nil {
		c.tables[own] = tokens.NewTable()
		c.bytes += tokens.FirstSlots * tokens.SlotBytes
	}
	c.forms = c.tables[own]
}

// count counts the documents of a batch. It stops at the first document that cannot be read.
func (c *counter) count(ctx context.Context, b batch) (out counted) {
	c.counts = c.counts[:0]
	if o, ok := b.(interface{ origin() *origin }); ok {
		out.from = o.origin()
	}
	out.docs = make([]document, 0, b.len())
	out.ends = make([]int, 0, b.len())
	for i := range b.len() {
		d, err := b.document(i)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && d.skip {
			out.skipped++
			continue
		}
		if err == nil {
			var words int64
			if !c.written {
				d.text, d.twice = charset.Once(d.text)
			}
			if !d.message {
				whole := len(d.text)
				d.text, d.mail = plain.Strip(d.text, c.cut)
				d.cut = len(d.text) < whole
			}
			if c.opt.Markup != plain.KeepMarkup && !d.plain {
				d.text, d.markup = plain.WithoutMarkup(d.text)
			}
			if c.each != nil {
				d.tongue = language.Of(&c.scan, d.text, c.among)
				c.use(d.tongue.Language())
			}
			words, err = c.add(ctx, d.text)
			out.words += words
			d.emptied = d.cut && words == 0
			if c.scan.Script > 0 && !c.scan.Whole {
				d.packed = uint8(c.scan.Script)
			}
		}
		if err != nil {
			out.err = err
			return out
		}
		d.snippet, d.text = plain.Snippet(d.text, c.snippets), ""
		d.id, d.label = lexical.Tidy(d.id), lexical.Tidy(d.label)
		id, also := d.id, d.also
		if len(also) > 0 {
			d.id, d.also = id+"#"+d.label, nil
		}
		for _, label := range append([]string{d.label}, also...) {
			if label != d.label {
				d.id = id + "#" + label
			}
			d.label = c.keep(label)
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
	out.counts = slices.Clone(c.counts) // no spare capacity: the counts stay until the end
	return out
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
		if stem := c.analyzer.term(text); stem != "" {
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
