package matrix

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// termColumns are the usual names, in lower case, of a column of terms.
var termColumns = []string{"term", "terms", "word", "words", "token", "tokens", "feature", "features", "vocabulary", "vocab", "ngram", "lemma", "stem"}

// geneColumns are the usual names, in lower case, of a column of genes or of what measures them.
var geneColumns = []string{"gene", "genes", "gene_id", "geneid", "gene id", "gene_name", "gene name", "gene_symbol", "gene symbol", "genesymbol", "symbol",
	"hgnc_symbol", "ensembl", "ensembl_id", "ensembl_gene_id", "transcript", "transcript_id", "probe", "probe_id", "probeset", "probe_set_id", "id_ref"}

// plainRows is from how many rows on their names say what they are.
const plainRows = 3

// nameOrientation says of a table that its rows are plainly genes, by the name of their column or
// identifiers, or by barcodes of cells that name the others; and of a table of counts that its
// rows are plainly terms and its columns documents: its first column is called so, or it holds
// nothing but words of letters, while the names of the other columns have digits or marks, as
// names of documents have, and are no years. Nothing is transposed unless it is asked for, since
// persons and animals have names of letters too.
func (c *csvCollector) nameOrientation() {
	if c.in.opt.Transpose || c.in.opt.LabelsGiven || c.ID != 0 || !c.GuessedID || c.Label >= 0 || c.Header == nil || len(c.ids) < plainRows {
		return
	}
	head := strings.ToLower(strings.TrimSpace(c.Header[0]))
	if slices.Contains(geneColumns, head) || mostly(c.ids, ofEnsembl) || mostly(c.Header[1:], isBarcode) {
		c.in.Notef("The rows look like genes, such as %q, and the columns like cells or samples; to take those for the documents, give ‹transpose›.", message.Clip(c.ids[0], 40))
		return
	}
	if c.store.contains(func(v float64) bool { return v < 0 || v != float64(int64(v)) }) {
		return
	}
	if !slices.Contains(termColumns, head) && !(!slices.Contains(lexical.IDNames, head) && mostly(c.ids, ofLetters) && mostly(c.Header[1:], func(s string) bool { return !ofLetters(s) }) && !mostly(c.Header[1:], isYear)) {
		return
	}
	c.in.Notef("The rows look like terms, such as %q, and the columns like documents; if they are, give ‹transpose›.", message.Clip(c.ids[0], 40))
}

// ofEnsembl reports whether a word is Ensembl's identifier of a gene or a transcript, such as
// ENSG00000141510.17 or ENSMUST00000108658.
func ofEnsembl(word string) bool {
	word, _, _ = strings.Cut(word, ".")
	kind := strings.TrimRight(word, "0123456789")
	return strings.HasPrefix(kind, "ENS") && (strings.HasSuffix(kind, "G") || strings.HasSuffix(kind, "T")) && len(word) > len(kind)+5
}

// isBarcode reports whether a word names a cell by eight bases at least, such as
// AAACCTGAGAAGGCCT-1, behind the name of a sample or alone.
func isBarcode(word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("-_.:#", r) }),
		func(part string) bool { return len(part) >= 8 && strings.Trim(part, "ACGT") == "" })
}

// mostly reports whether nine of ten words are of a kind.
func mostly(words []string, kind func(string) bool) bool {
	n := 0
	for _, w := range words {
		if kind(strings.TrimSpace(w)) {
			n++
		}
	}
	return len(words) > 0 && 10*n >= 9*len(words)
}

// isYear reports whether a word is a year from 1900 to 2100.
func isYear(word string) bool {
	year, err := strconv.Atoi(word)
	return err == nil && year >= 1900 && year <= 2100
}

// ofLetters reports whether a word has letters alone, or letters on both sides of hyphens and
// apostrophes.
func ofLetters(word string) bool {
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '\'' || r == '’' }) {
		if strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
			return false
		}
	}
	return strings.ContainsFunc(word, unicode.IsLetter)
}
