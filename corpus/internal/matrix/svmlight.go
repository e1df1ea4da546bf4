package matrix

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/storage"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// readSVM reads svmlight and libsvm: one line "label index:value index:value ... # comment" per
// document. Indices count from 1, or from 0 if 0 occurs, and may be in any order. A label alone is
// a document without terms; an empty line is not a document. Of several labels with commas between
// them ‹label-column› takes one; else such a document has none. qid:... is ignored. The files
// beside it that corpus.Write makes name classes, documents and terms.
func readSVM(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	t := svmEntries{triplets: triplets{in: in, gaps: true}, lowest: math.MaxInt64, highest: -1}
	labels, err := newSVMLabels(in)
	if err != nil {
		return nil, err
	}
	var lineOf []int64 // line of each document
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		field, rest := lexical.Next(line)
		if len(field) == 0 {
			continue
		}
		if lines.Number == 1 && isSizes(line) {
			in.Notef("The first line holds the sizes of the data and is no document.")
			continue
		}
		var label []byte
		if bytes.IndexByte(field, ':') < 0 {
			label = field
			field, rest = lexical.Next(rest)
		}
		doc := int32(len(labels.words))
		if err := labels.add(label, lines); err != nil {
			return nil, err
		}
		if lineOf, err = input.Push(in.Mem, lineOf, 8, lines.Number); err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if err := t.addPairs(doc, field, rest, lines); err != nil {
			return nil, err
		}
	}
	d, err := t.draft(len(labels.words), lineOf)
	if err != nil {
		return nil, err
	}
	d.labels = labels.labels()
	return d, in.takeLabelsBeside(d)
}

// draft makes the matrix of so many documents.
func (t *svmEntries) draft(docs int, lineOf []int64) (*draft, error) {
	in := t.in
	if docs == 0 {
		return nil, input.NoDocuments(in.Fail("", "it holds no documents; a corpus needs at least one document and one term"))
	}
	earlier := in.earlierNumbers("svm")
	if t.highest < 0 && earlier == nil {
		return nil, in.Fail("", "its lines hold labels but no entries; check that this is the right file")
	}
	numbers := columns.Numbered{Format: "svm", From: 1}
	if t.lowest == 0 {
		numbers.From = 0
	}
	numbers.Count = int(t.highest) - numbers.From + 1
	if earlier != nil {
		if err := t.renumber(earlier, numbers); err != nil {
			return nil, err
		}
		numbers = *earlier
	} else {
		if numbers.From == 0 {
			in.Notef("The terms are numbered from 0.")
		}
		for k := range t.col {
			t.col[k] -= int32(numbers.From)
		}
	}
	entries, err := t.csr(docs, numbers.Count)
	if d, ok := err.(*duplicate); ok {
		return nil, in.Fail(linePlace(lineOf[d.row]), "term %d has two values; keep one of them", int(d.col)+numbers.From)
	}
	if err != nil {
		return nil, in.Wrap("", err)
	}
	x, err := asTaken(in, entries)
	return &draft{x: x, byRow: true, what: "the matrix", firstGap: t.firstGap, numbered: &numbers}, in.wrapRows(err)
}

// asTaken makes dense rows of those that are not taken as sparse: the format is used for any data,
// measurements and images too.
func asTaken(in *source, a *sparse.CSR) (mat.Matrix, error) {
	var t storage.Tally
	t.Add(a.Val)
	cells := int64(a.NumRows) * int64(a.NumCols)
	if cells > storage.MostDense || t.Sparse(float64(cells), a.NumCols) {
		return a, nil
	}
	if in.Mem.Take(cells, 8) != nil {
		return nil, &tooDense{a.NumRows, a.NumCols, len(a.Val)}
	}
	x := a.ToDense()
	in.Mem.Give(12*int64(len(a.Val))+8*int64(a.NumRows+1), 1)
	return x, nil
}

// svmLabels collects the labels of documents.
type svmLabels struct {
	in      *source
	take    int // the label of several to take, from 1; 0: none
	several int // documents with several labels, if none is taken
	any     bool
	known   map[string]string
	words   []string
}

func newSVMLabels(in *source) (*svmLabels, error) {
	l := &svmLabels{in: in, known: make(map[string]string)}
	if want := in.opt.LabelColumn; want != "" && want != "none" {
		var err error
		if l.take, err = strconv.Atoi(want); err != nil || l.take < 1 {
			return nil, in.Fail("‹label-column› "+message.Clip(want, 40), "is not the number of one of several labels, from 1; give 1 for the first, or none")
		}
	}
	return l, nil
}

// add adds the label of the next document; nil for none.
func (l *svmLabels) add(label []byte, lines *input.Lines) (err error) {
	in := l.in
	if len(l.words) >= math.MaxInt32 {
		return in.Fail(lines.Place(), "more than %d documents; split the file", math.MaxInt32)
	}
	if bytes.IndexByte(label, ',') >= 0 {
		if label = chosen(label, l.take); l.take == 0 {
			l.several++
		}
	}
	word := ""
	if len(label) > 0 {
		l.any = true
		if word = l.known[string(label)]; word == "" {
			word = strings.Clone(string(label))
			l.known[word] = word
			if err := in.Mem.Take(int64(len(word)+64), 1); err != nil {
				return in.Wrap(lines.Place(), err)
			}
		}
	}
	l.words, err = input.Push(in.Mem, l.words, 16, word)
	return in.Wrap(lines.Place(), err)
}

// labels are the labels of the file; nil if it has none, or none are wanted.
func (l *svmLabels) labels() *Labels {
	in := l.in
	if in.opt.LabelColumn == "none" {
		return nil
	}
	if l.several > 0 && !in.opt.LabelsGiven {
		none := "count as unlabelled"
		if 10*l.several > len(l.words) {
			none, l.any = "the corpus is read without labels", false
		}
		in.Notef("%s several labels, of which a document may have one, and %s; ‹label-column› 1 takes the first of each, none says that there are no labels.",
			message.Plural(l.several, "document has", "documents have"), none)
	}
	if !l.any {
		return nil
	}
	for i, w := range l.words {
		if strings.EqualFold(w, "nan") {
			l.words[i] = "" // the writer's mark of a document without label
		}
	}
	return &Labels{What: "the labels", File: in.Name, Without: "give labels with ‹truth›", Words: l.words}
}

// isSizes reports whether a line is three whole numbers: documents, terms and labels, as the files
// of extreme classification begin.
func isSizes(line []byte) bool {
	fields := bytes.Fields(line)
	for _, f := range fields {
		if _, ok := lexical.Index(f); !ok {
			return false
		}
	}
	return len(fields) == 3
}

// chosen is label k of several with commas between them, from 1; empty if there is none.
func chosen(field []byte, k int) []byte {
	labels := bytes.Split(field, []byte(","))
	if k < 1 || k > len(labels) {
		return nil
	}
	return labels[k-1]
}

// svmEntries are the entries of the documents, and the range of their indices in the file.
type svmEntries struct {
	triplets
	lowest, highest int64
}

// addPairs adds the pairs index:value of a document: field is the first, rest is the remaining
// line.
func (t *svmEntries) addPairs(doc int32, field, rest []byte, lines *input.Lines) error {
	in := t.in
	for ; len(field) > 0; field, rest = lexical.Next(rest) {
		if bytes.HasPrefix(field, []byte("qid:")) {
			continue
		}
		index, value, pair, err := parsePair(field)
		switch {
		case !pair || err != nil:
			return in.Fail(lines.Place(), "%q is not a pair index:number; correct or remove it", message.Clip(string(field), 40))
		case index < 0 || index >= math.MaxInt32:
			return in.Fail(lines.Place(), "index %d is outside 0..%d; number the terms from 1", index, math.MaxInt32-1)
		case math.IsNaN(value) && t.gaps:
			t.missed(lines.Place(), fmt.Sprintf("term %d", index))
		case value-value != 0:
			return in.Fail(lines.Place(), "term %d has the value %v; %s", index, value, sparseWay)
		}
		t.lowest, t.highest = min(t.lowest, index), max(t.highest, index)
		if err := t.add(doc, int32(index), value); err != nil {
			return in.Wrap(lines.Place(), err)
		}
	}
	return nil
}

// parsePair reads "index:number". pair reports whether it has that form.
func parsePair(b []byte) (index int64, value float64, pair bool, err error) {
	head, tail, found := bytes.Cut(b, []byte(":"))
	index, ok := lexical.Index(head)
	if !found || !ok || len(tail) == 0 {
		return 0, 0, false, nil
	}
	value, err = lexical.Value(tail)
	return index, value, true, err
}
