package matrix

import (
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readLDAC reads counts as Blei's LDA-C takes them: a line "N term:count term:count ..." per
// document, of N pairs, with terms numbered from 0. The terms are named by a vocabulary beside the
// file, one per line.
func readLDAC(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	t := svmEntries{triplets: triplets{in: in}, lowest: math.MaxInt64, highest: -1}
	docs := int32(0)
	var lineOf []int64
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		field, rest := lexical.Next(line)
		if len(field) == 0 {
			continue
		}
		n, ok := lexical.Index(field)
		if !ok || n < 0 {
			return nil, in.Fail(lines.Place(), "%q is not the number of different terms of a document; a line is N term:count term:count ...", message.Clip(string(field), 40))
		}
		before := len(t.row)
		if field, rest = lexical.Next(rest); len(field) > 0 {
			if err := t.addPairs(docs, field, rest, lines); err != nil {
				return nil, err
			}
		}
		if have := len(t.row) - before; int64(have) != n {
			return nil, in.Fail(lines.Place(), "has %s, where its first number says %d; correct it, or read labels and values with ‹input-format› svm", message.Plural(have, "pair", "pairs"), n)
		}
		if lineOf, err = input.Push(in.Mem, lineOf, 8, lines.Number); err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		docs++
	}
	if docs == 0 {
		return nil, input.NoDocuments(in.Fail("", "it holds no documents; a corpus needs at least one document and one term"))
	}
	terms, err := in.vocabularyBeside(t.ldacTerms())
	if err != nil {
		return nil, err
	}
	numbers := &columns.Numbered{Format: "ldac"}
	if len(terms) > 0 && len(terms) == int(t.highest) {
		numbers.From = 1
		for k := range t.col {
			t.col[k]--
		}
		t.highest--
		in.Notef("The terms are numbered from 1: there are as many as the vocabulary has lines.")
	}
	numbers.Count = max(int(t.highest)+1, len(terms))
	if earlier := in.earlierNumbers("ldac"); earlier != nil && terms == nil {
		if err := t.renumber(earlier, *numbers); err != nil {
			return nil, err
		}
		numbers = earlier
	}
	x, err := t.csr(int(docs), numbers.Count)
	if err != nil {
		if d, ok := err.(*duplicate); ok {
			return nil, in.Fail(linePlace(lineOf[d.row]), "term %d has two counts; keep one of them", d.col)
		}
		return nil, in.Wrap("", err)
	}
	in.Notef("The file is one of LDA-C: its first numbers count the terms of a document and are no labels.")
	return &draft{x: x, byRow: true, what: "the matrix", colNames: terms, numbered: numbers}, nil
}

// ldacTerms returns how many lines a vocabulary of these terms may have: one for each number up to
// the highest, or one less if number 0 does not occur, as in files that count from 1; or more.
func (t *svmEntries) ldacTerms() (least, usual, most int) {
	usual = int(t.highest) + 1
	least = usual
	if usual > 1 && !slices.Contains(t.col, 0) {
		least--
	}
	return least, usual, math.MaxInt
}

// VocabularyNames are the names that a vocabulary in the folder of a file of counts may have.
func VocabularyNames(counts string) []string {
	base := input.UnpackedName(counts)
	if strings.Contains(base, "docword") {
		return []string{strings.Replace(base, "docword", "vocab", 1)}
	}
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	return []string{base + ".vocab", stem + ".vocab", stem + ".vocab.txt", "vocab.txt", "vocab"}
}

// vocabularyBeside reads the terms of a vocabulary of least to most words beside the file: one
// called as the file with .vocab, or with vocab in place of docword, or vocab.txt. nil for none.
// A note on one of another length says that there are usual terms.
func (in *source) vocabularyBeside(least, usual, most int) ([]string, error) {
	for _, name := range VocabularyNames(filepath.Base(in.Path)) {
		path, ok := in.Sibling(name)
		if !ok {
			continue
		}
		words, err := input.ReadLines(in.Ctx, path, in.Mem.Limit)
		if err != nil {
			return nil, err
		}
		for len(words) > 0 && words[len(words)-1] == "" {
			words = words[:len(words)-1]
		}
		if len(words) < least || len(words) > most {
			in.Notef("File %s beside it was passed over: it has %s, and there are %s.", name, message.Plural(len(words), "line", "lines"), message.Plural(usual, "term", "terms"))
			continue
		}
		in.Notef("The terms are from %s beside it.", name)
		return words, nil
	}
	return nil, nil
}

// readUCI reads a bag of words of the UCI repository (docword.*.txt): a line each with the numbers
// of documents, terms and entries, then lines document, term, count, with numbers from 1.
func readUCI(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	var sizes [3]int64
	for k, what := range []string{"documents", "terms", "entries"} {
		line, err := nextFilled(lines)
		if err != nil {
			return nil, in.Wrap(lines.Place(), input.Early(err))
		}
		field, rest := lexical.Next(line)
		n, ok := lexical.Index(field)
		if more, _ := lexical.Next(rest); !ok || n < 0 || len(more) > 0 {
			return nil, in.Fail(lines.Place(), "is not the number of %s; a bag of words of UCI begins with three lines: documents, terms, entries", what)
		}
		sizes[k] = n
	}
	if err := in.checkShape("the header", sizes[0], sizes[1], sizes[2]); err != nil {
		return nil, err
	}
	t := mtxEntries{triplets: triplets{in: in}, mtxHeader: mtxHeader{rows: sizes[0], cols: sizes[1], entries: sizes[2]}}
	for {
		line, err := nextFilled(lines)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if err := t.addLine(line, lines); err != nil {
			return nil, err
		}
	}
	if n := int64(len(t.row)); n != sizes[2] {
		return nil, in.Fail("", "has %d entries, where its third line says %d; copy or download it again", n, sizes[2])
	}
	x, err := t.csr(int(sizes[0]), int(sizes[1]))
	if d, ok := err.(*duplicate); ok {
		return nil, in.Fail("", "document %d has two counts of term %d; keep one of them", d.row+1, d.col+1)
	}
	if err != nil {
		return nil, in.Wrap("", err)
	}
	count := int(sizes[1])
	terms, err := in.vocabularyBeside(count, count, count)
	return &draft{x: x, byRow: true, what: "the matrix", colNames: terms}, err
}

// nextFilled returns the next line that is not blank.
func nextFilled(lines *input.Lines) ([]byte, error) {
	for {
		line, err := lines.Next()
		if err != nil {
			return nil, err
		}
		if field, _ := lexical.Next(line); len(field) > 0 {
			return line, nil
		}
	}
}

// readTriplets reads a sparse matrix from lines row, column, value, separated by blanks, tabs,
// commas or semicolons, with a header or without one. Numbers count from 1, or from 0 if 0 occurs.
func readTriplets(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	t := triplets{in: in}
	least, most := [2]int64{1, 1}, [2]int64{-1, -1}
	for {
		line, err := nextFilled(lines)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		fields := separated(line)
		if isComment(fields[0]) {
			continue
		}
		var at [2]int64
		ok := len(fields) == 3
		for k := 0; k < 2 && ok; k++ {
			at[k], ok = lexical.Index(fields[k])
			ok = ok && at[k] >= 0 && at[k] < 1<<31-1
		}
		if !ok && lines.Number == 1 && len(fields) == 3 {
			continue // a header
		}
		if !ok {
			return nil, in.Fail(lines.Place(), "is not row, column, value; correct it, or give the format of the file with ‹input-format›")
		}
		v, err := lexical.Value(fields[2])
		if err != nil || v-v != 0 {
			return nil, in.Fail(lines.Place(), "the value %q is not a finite number; correct it", message.Clip(string(fields[2]), 40))
		}
		for k := range at {
			least[k], most[k] = min(least[k], at[k]), max(most[k], at[k])
		}
		if err := t.add(int32(at[0]), int32(at[1]), v); err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
	}
	if len(t.row) == 0 {
		return nil, input.NoDocuments(in.Fail("", "it holds no entries; a line is row, column, value"))
	}
	for k := range t.row {
		t.row[k] -= int32(least[0])
		t.col[k] -= int32(least[1])
	}
	rows, cols := most[0]-least[0]+1, most[1]-least[1]+1
	if err := in.checkShape("", rows, cols, int64(len(t.row))); err != nil {
		return nil, err
	}
	x, err := t.csr(int(rows), int(cols))
	if d, ok := err.(*duplicate); ok {
		return nil, in.Fail("", "row %d, column %d has two values; keep one of them", int64(d.row)+least[0], int64(d.col)+least[1])
	}
	if err != nil {
		return nil, in.Wrap("", err)
	}
	in.Notef("Rows are numbered from %d, columns from %d.", least[0], least[1])
	return &draft{x: x, what: "the matrix"}, nil
}

// separated cuts a line that is not blank at blanks, tabs, commas and semicolons.
func separated(line []byte) (fields [][]byte) {
	for field, rest := nextSeparated(line); ; field, rest = nextSeparated(rest) {
		fields = append(fields, field)
		if len(strings.TrimSpace(string(rest))) == 0 {
			return fields
		}
	}
}

// nextSeparated cuts the first field off a line, without quotes around it.
func nextSeparated(line []byte) (field, rest []byte) {
	const cut = " \t\r\n,;"
	i := 0
	for i < len(line) && strings.IndexByte(" \t\r\n", line[i]) >= 0 {
		i++
	}
	if i < len(line) && line[i] == '"' {
		for j := i + 1; j < len(line); j++ {
			if line[j] == '"' {
				return line[i+1 : j], afterSeparator(line[j+1:])
			}
		}
	}
	j := i
	for j < len(line) && strings.IndexByte(cut, line[j]) < 0 {
		j++
	}
	return line[i:j], afterSeparator(line[j:])
}

// afterSeparator cuts blanks and one comma or semicolon off.
func afterSeparator(line []byte) []byte {
	i := 0
	for i < len(line) && strings.IndexByte(" \t\r\n", line[i]) >= 0 {
		i++
	}
	if i < len(line) && (line[i] == ',' || line[i] == ';') {
		i++
	}
	return line[i:]
}

// isComment reports whether a line that begins with this field is a comment.
func isComment(field []byte) bool { return len(field) > 0 && (field[0] == '#' || field[0] == '%') }
