package corpus

import (
	"bytes"
	"io"
	"math"
	"strings"
)

// readSVM reads svmlight and libsvm: a line "label index:value index:value ... # comment" a
// document. Indices count from 1, or from 0 where 0 occurs; they may come in any order. A label
// alone is a document without terms; an empty line is none. qid:... is passed over. Files beside it that [Write] makes name classes,
// documents and terms.
func readSVM(in *input) (*draft, error) {
	lines := lineReader{in: in}
	entries := triplets{in: in}
	var words []string
	var lineOf []int64 // of each document
	known := make(map[string]string)
	lowest, highest := int64(math.MaxInt64), int64(-1)
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		field, rest := nextField(line)
		if len(field) == 0 {
			continue
		}
		word := ""
		if bytes.IndexByte(field, ':') < 0 {
			if bytes.IndexByte(field, ',') >= 0 {
				return nil, in.fail(lines.place(), "document with several labels (%s), but one class a document is taken; keep one of them", clip(string(field), 40))
			}
			if word = known[string(field)]; word == "" {
				word = strings.Clone(string(field))
				known[word] = word
				if err := in.mem.take(int64(len(word)+64), 1); err != nil {
					return nil, in.wrap(lines.place(), err)
				}
			}
			field, rest = nextField(rest)
		}
		if len(words) >= math.MaxInt32 {
			return nil, in.fail(lines.place(), "more than %d documents; split the file", math.MaxInt32)
		}
		doc := int32(len(words))
		if words, err = push(in.mem, words, 16, word); err != nil {
			return nil, in.wrap(lines.place(), err)
		}
		if lineOf, err = push(in.mem, lineOf, 8, lines.number); err != nil {
			return nil, in.wrap(lines.place(), err)
		}
		for ; len(field) > 0; field, rest = nextField(rest) {
			if bytes.HasPrefix(field, []byte("qid:")) {
				continue
			}
			index, value, pair, err := parsePair(field)
			switch {
			case !pair || err != nil:
				return nil, in.fail(lines.place(), "%q is not a pair index:number; correct or remove it", clip(string(field), 40))
			case index < 0 || index >= math.MaxInt32:
				return nil, in.fail(lines.place(), "index %d is outside 0..%d; number the terms from 1", index, math.MaxInt32-1)
			case math.IsNaN(value) || math.IsInf(value, 0):
				return nil, in.fail(lines.place(), "term %d has the value %v; replace values that are not finite numbers", index, value)
			}
			lowest, highest = min(lowest, index), max(highest, index)
			if err := entries.add(doc, int32(index), value); err != nil {
				return nil, in.wrap(lines.place(), err)
			}
		}
	}
	if len(words) == 0 {
		return nil, in.fail("", "it holds no documents; a corpus needs at least one document and one term")
	}
	if highest < 0 {
		return nil, in.fail("", "its lines hold labels but no entries; check that this is the right file")
	}
	base := int32(1)
	if lowest == 0 {
		base = 0
		in.notef("The terms are numbered from 0.")
	}
	for k := range entries.col {
		entries.col[k] -= base
	}
	x, err := entries.csr(len(words), int(int32(highest)-base)+1)
	if err != nil {
		if d, ok := err.(*duplicate); ok {
			return nil, in.fail(linePlace(lineOf[d.row]), "term %d has two values; keep one of them", d.col+base)
		}
		return nil, in.wrap("", err)
	}
	d := &draft{x: x, byRow: true, what: "the matrix"}
	for i, w := range words {
		if strings.EqualFold(w, "nan") {
			words[i] = "" // what the writer puts where a document has no label
		}
	}
	if len(known) > 0 {
		d.labels = &rawLabels{what: "the labels", file: in.name, without: "give labels with --truth", words: words}
	}
	return d, in.sidecarLabels(d)
}

// parsePair reads "index:number". pair tells whether it has that form at all.
func parsePair(b []byte) (index int64, value float64, pair bool, err error) {
	head, tail, found := bytes.Cut(b, []byte(":"))
	index, ok := parseIndex(head)
	if !found || !ok || len(tail) == 0 {
		return 0, 0, false, nil
	}
	value, err = parseValue(tail)
	return index, value, true, err
}
