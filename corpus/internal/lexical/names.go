package lexical

import (
	"encoding/xml"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/internal/spreadsheet"
)

// Names that columns usually have, in lower case, best first.
var (
	// LabelNames are usual names of the column of classes.
	LabelNames = []string{"label", "class", "category", "target", "y", "gnd", "labels", "cluster"}
	// IDNames are usual names of the column of document names.
	IDNames = []string{"id", "doc", "docid", "document", "doc_id", "document_id", "_id", spreadsheet.MarkedID}
	// NestedIDNames are usual names of document names inside an object, such as meta.id.
	NestedIDNames = []string{"id", "docid", "doc_id", "document_id", "_id"}
	// IndexNames are the names of the column of row numbers as pandas and R write it.
	IndexNames = []string{"", "unnamed: 0", "__index_level_0__", "index", "rowname", "rownames", "row.names", "row_names"}
	// TextNames are usual names of the column of texts.
	TextNames = []string{"text", "body", "content", "contents", "texts", "abstract", SomeText, "document", "sentence", "review", "reviews", "article", "message",
		"description", "comment", "comments", "feedback", "answer", "answers", "tweet", "post", "question", "summary", "headline", "title"}
	// CodeNames are the last words of names of columns whose whole numbers are ids or codes.
	CodeNames = []string{"id", "ids", "uid", "uuid", "guid", "code", "codes", "fips", "timestamp"}
	// AmbiguousNames are those of them that a column of a measurement may have alone.
	AmbiguousNames = []string{"code", "codes"}
	// RowNumberNames are the last words of names of columns that number the rows, or measure.
	RowNumberNames = []string{"index", "idx"}
	// LongCodeNames are such words for numbers of four digits or more: smaller ones are counts or
	// answers, as of calls by phone.
	LongCodeNames = []string{"zip", "zipcode", "postcode", "plz", "postleitzahl", "phone", "telephone", "telefon", "tel", "mobile", "fax",
		"ean", "isbn", "issn", "upc", "gtin", "sku", "asin", "iban", "ssn", "barcode", "imei"}
	// CountedNames are words that make a count of what follows them: lines of code, num_codes.
	CountedNames = []string{"of", "n", "num", "count", "counts", "total", "sum", "mean", "avg", "average", "anzahl", "nombre"}
	// CoordinateNames are names of columns of places, which are measured also in equal steps.
	CoordinateNames = []string{"x", "y", "z", "lat", "latitude", "lon", "long", "lng", "longitude"}
	// KeyNames are the last words of names of columns that number documents, if hardly two of their
	// numbers are alike; they may count things otherwise.
	KeyNames = []string{"no", "nr", "num", "number", "nummer", "numero", "numéro", "número", "key", "index", "idx", "ticket", "serial", "invoice", "account", "konto"}
	// KeyEndings are the ends of such words, as in Kundennr.
	KeyEndings = []string{"nr", "nummer"}
	// YearNames are the last words of names of columns of years.
	YearNames = []string{"year", "years", "yr", "jahr", "année", "annee", "año", "anno", "jaar", "rok", "år"}
	// ShortTextNames are the [TextNames] of texts that stand for longer ones.
	ShortTextNames = []string{"description", "comment", "comments", "feedback", "answer", "answers", "question", "summary", "headline", "title"}
)

// SomeText among the [TextNames] is any name that ends in text, such as reviewText.
const SomeText = "*text"

// Tidy makes the name of a document or class from a file's text. It trims white space and replaces
// each run of control characters (line breaks, tabs, escapes) by one blank, so that names that look
// alike are equal.
func Tidy(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		var out strings.Builder
		for part := range strings.FieldsFuncSeq(name, unicode.IsControl) {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			if out.Len() > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(part)
		}
		return out.String()
	}
	return strings.TrimSpace(name)
}

// TidyAll applies [Tidy] to each name in place.
func TidyAll(names []string) {
	for i, name := range names {
		names[i] = Tidy(name)
	}
}

// Next cuts the first field off a line. Fields are separated by ASCII white space; the field is
// empty at the end of the line.
func Next(line []byte) (field, rest []byte) {
	i := 0
	for i < len(line) && isBlank(line[i]) {
		i++
	}
	j := i
	for j < len(line) && !isBlank(line[j]) {
		j++
	}
	return line[i:j], line[j:]
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'
}

// NameWords are the words of a name of a column in lower case: customer and id of CustomerID,
// customerId and customer_id.
func NameWords(name string) (list []string) {
	last := ' '
	runes := []rune(name)
	start := 0
	add := func(end int) {
		if start < end {
			list = append(list, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			add(i)
			start = i + 1
		case unicode.IsUpper(r) && unicode.IsLower(last), unicode.IsUpper(last) && unicode.IsUpper(r) && i+2 < len(runes) && unicode.IsLower(runes[i+1]):
			add(i)
			start = i
		}
		last = r
	}
	add(len(runes))
	return list
}

// Attribute returns the value of an XML attribute by its name without a prefix; "" for none.
func Attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
