package matrix

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readSVM reads svmlight and libsvm: one line "label index:value index:value ... # comment" per
// document. Indices count from 1, or from 0 if 0 occurs, and may be in any order. A label alone is
// a document without terms; an empty line is not a document. Of several labels with commas between
// them ‹label-column› takes one; else such a document has none. qid:... is ignored. The files
// beside it that corpus.Write makes name classes, documents and terms.
func readSVM(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	t := svmEntries{triplets: triplets{in: in}, lowest: math.MaxInt64, highest: -1}
	var words []string
	var lineOf []int64 // line of each document
	known := make(map[string]string)
	take, several := 0, 0 // the label of several to take, from 1; 0: none
	if in.opt.LabelColumn != "" && in.opt.LabelColumn != "none" {
		var err error
		if take, err = strconv.Atoi(in.opt.LabelColumn); err != nil || take < 1 {
			return nil, in.Fail("‹label-column› "+message.Clip(in.opt.LabelColumn, 40), "is not the number of one of several labels, from 1; give 1 for the first, or none")
		}
	}
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
		word := ""
		if bytes.IndexByte(field, ':') < 0 {
			if lines.Number == 1 && isSizes(line) {
				in.Notef("The first line holds the sizes of the data and is no document.")
				continue
			}
			if bytes.IndexByte(field, ',') >= 0 {
				if field = chosen(field, take); take == 0 {
					several++
				}
			}
			if word = known[string(field)]; word == "" {
				word = strings.Clone(string(field))
				known[word] = word
				if err := in.Mem.Take(int64(len(word)+64), 1); err != nil {
					return nil, in.Wrap(lines.Place(), err)
				}
			}
			field, rest = lexical.Next(rest)
		}
		if len(words) >= math.MaxInt32 {
			return nil, in.Fail(lines.Place(), "more than %d documents; split the file", math.MaxInt32)
		}
		doc := int32(len(words))
		if words, err = input.Push(in.Mem, words, 16, word); err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if lineOf, err = input.Push(in.Mem, lineOf, 8, lines.Number); err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if err := t.addPairs(doc, field, rest, lines); err != nil {
			return nil, err
		}
	}
	if len(words) == 0 {
		return nil, input.NoDocuments(in.Fail("", "it holds no documents; a corpus needs at least one document and one term"))
	}
	if t.highest < 0 {
		return nil, in.Fail("", "its lines hold labels but no entries; check that this is the right file")
	}
	base := int32(1)
	if t.lowest == 0 {
		base = 0
		in.Notef("The terms are numbered from 0.")
	}
	for k := range t.col {
		t.col[k] -= base
	}
	x, err := t.csr(len(words), int(int32(t.highest)-base)+1)
	if err != nil {
		if d, ok := err.(*duplicate); ok {
			return nil, in.Fail(linePlace(lineOf[d.row]), "term %d has two values; keep one of them", d.col+base)
		}
		return nil, in.Wrap("", err)
	}
	d := &draft{x: x, byRow: true, what: "the matrix"}
	for i, w := range words {
		if strings.EqualFold(w, "nan") {
			words[i] = "" // the writer's mark of a document without label
		}
	}
	if several > 0 && !in.opt.LabelsGiven && in.opt.LabelColumn != "none" {
		none := "count as unlabelled"
		if 10*several > len(words) {
			none, known = "the corpus is read without labels", nil
		}
		in.Notef("%s several labels, of which a document may have one, and %s; ‹label-column› 1 takes the first of each, none says that there are no labels.",
			message.Plural(several, "document has", "documents have"), none)
	}
	if len(known) > 0 && in.opt.LabelColumn != "none" {
		d.labels = &Labels{What: "the labels", File: in.Name, Without: "give labels with ‹truth›", Words: words}
	}
	return d, in.takeLabelsBeside(d)
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
		case math.IsNaN(value) || math.IsInf(value, 0):
			return in.Fail(lines.Place(), "term %d has the value %v; replace values that are not finite numbers", index, value)
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
