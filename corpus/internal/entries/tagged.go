package entries

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// referenceColumns are the columns of references. Searches that were merged have some ids twice:
// the name "document" allows that.
var referenceColumns = []string{"document", TextColumn, "title", "abstract", "keywords", "authors", "year", "journal", "type"}

// dialect is how a program writes references as lines that begin with a tag.
type dialect struct {
	name   string         // of the format, in a sentence
	starts *regexp.Regexp // the first line of a file
	line   *regexp.Regexp // a line with a tag, and its value
	first  string         // the tag that begins an entry
	last   string         // the tag that ends one; "" if the next one does
	more   string         // what continuations begin with; "" if any line without a tag is one
	// tags lists the tags that fill each column but the text, with blanks between them. The first one
	// that an entry has counts; of keywords and authors all values do.
	tags map[string]string
}

// dialects are the formats of tagged references that are read, made when one is first looked for:
// the start of the program does without them.
var dialects = sync.OnceValue(func() []dialect {
	return []dialect{
		{
			name: "references (RIS)", first: "TY", last: "ER",
			starts: regexp.MustCompile(`^TY  ?- ?(?:[A-Z]{2,}\s*)?$`), line: regexp.MustCompile(`^([A-Z][A-Z0-9])  ?-(?: (.*))?$`),
			tags: map[string]string{"document": "ID DO AN UR", "title": "TI T1 CT BT", "abstract": "AB N2", "keywords": "KW", "authors": "AU A1", "year": "PY Y1 DA", "journal": "JO JF T2 JA J2", "type": "TY"},
		},
		{
			name: "references (MEDLINE)", first: "PMID",
			starts: regexp.MustCompile(`^PMID ?- *\d+\s*$`), line: regexp.MustCompile(`^([A-Z][A-Z0-9]{1,3}) *- (.*)$`), more: " ",
			tags: map[string]string{"document": "PMID", "title": "TI BTI", "abstract": "AB OAB", "keywords": "OT", "authors": "FAU AU", "year": "DP", "journal": "JT TA", "type": "PT"},
		},
		{
			name: "references (Web of Science)", first: "PT", last: "ER",
			starts: regexp.MustCompile(`^(FN\s+(Clarivate|Thomson|ISI)|FN\s.*Web of Science|PT [JBSP]$)`), line: regexp.MustCompile(`^([A-Z][A-Z0-9])(?:[ \t](.*))?$`),
			tags: map[string]string{"document": "UT DI", "title": "TI", "abstract": "AB", "keywords": "DE", "authors": "AU", "year": "PY", "journal": "SO", "type": "DT PT"},
		},
		{
			name: "references (RefWorks)", first: "RT",
			starts: regexp.MustCompile(`^RT [A-Z][a-z]+`), line: regexp.MustCompile(`^([A-Z][A-Z0-9])(?: (.*))?$`),
			tags: map[string]string{"document": "ID DO", "title": "T1", "abstract": "AB", "keywords": "K1", "authors": "A1", "year": "YR", "journal": "JF JO", "type": "RT"},
		},
		{
			name: "references (EndNote)", first: "0",
			starts: regexp.MustCompile(`^%0 [A-Z]`), line: regexp.MustCompile(`^%([0-9A-Z@!~&*^$+<>?=])(?: (.*))?$`),
			tags: map[string]string{"document": "M F R", "title": "T", "abstract": "X", "keywords": "K", "authors": "A", "year": "D", "journal": "J B", "type": "0"},
		},
	}
})

// linesBefore is the most lines before the first reference that a database says something in.
const linesBefore = 20

// dialectOf returns the dialect of a file that begins so; nil if it is none.
func dialectOf(head []byte) *dialect {
	first := firstLine(head)
	for i := range dialects() {
		if d := &dialects()[i]; d.starts.MatchString(first) {
			return d
		}
	}
	n := 0
	for line := range bytes.Lines(head) {
		if ris := &dialects()[0]; ris.starts.Match(bytes.TrimSpace(line)) {
			return ris
		}
		if n++; n > linesBefore {
			break
		}
	}
	return nil
}

// tagged reads references as lines with tags.
type tagged struct {
	*dialect
	in    *input.File
	lines *input.Lines
	limit int
	entry map[string][]string // values by their tags
	size  int
	tag   string // of the last line
	at    int    // number of the line
	begun bool   // an entry
	other outside
}

// outside counts the lines behind the first entry that belong to none.
type outside struct {
	count, first int
	line         string
}

// endsFile are the tags of Web of Science that stand outside of entries.
var endsFile = []string{"EF", "FN", "VR"}

// skip takes a line outside of entries.
func (o *outside) skip(line string, at int) {
	if line == "" || slices.Contains(endsFile, line[:min(2, len(line))]) {
		return
	}
	if o.count++; o.count == 1 {
		o.first, o.line = at, line
	}
}

// checkFormat refuses a line that begins an entry of another format: the entries behind it would be
// lost. Within an entry all but RefWorks are recognised, whose first lines may stand in a text.
func (t *tagged) checkFormat(line string) error {
	for i := range dialects() {
		if d := &dialects()[i]; d.name != t.dialect.name && (t.entry == nil || d.first != "RT") && d.starts.MatchString(line) {
			return t.in.Fail(fmt.Sprintf("line %d", t.at), "begins %s, in a file of %s; divide it into a file for each format", d.name, t.dialect.name)
		}
	}
	return nil
}

// next returns the next entry as a row of [referenceColumns].
func (t *tagged) next() ([]string, error) {
	for {
		raw, err := t.lines.Next()
		if err == io.EOF {
			if done := t.entry; done != nil {
				t.entry = nil
				return t.row(done), nil
			}
			return nil, io.EOF
		}
		if err != nil {
			return nil, err
		}
		if t.size += len(raw); t.size > t.limit {
			return nil, input.ErrTooLong
		}
		t.at++
		line := strings.TrimRight(strings.TrimPrefix(string(raw), input.ByteOrderMark), " \t\r\n")
		if err := t.checkFormat(line); err != nil {
			return nil, err
		}
		done := t.add(line)
		if done != nil {
			return t.row(done), nil
		}
	}
}

// add adds a line to the entry, and returns the one that ended with it or before it.
func (t *tagged) add(line string) (done map[string][]string) {
	parts := t.line.FindStringSubmatch(line)
	switch {
	case parts == nil && t.entry != nil && t.tag != "" && strings.HasPrefix(line, t.more):
		values := t.entry[t.tag]
		values[len(values)-1] += t.continued(strings.TrimSpace(line))
	case parts == nil && t.begun:
		t.other.skip(line, t.at)
	case parts == nil:
	case parts[1] == t.last:
		done, t.entry, t.tag, t.size = t.entry, nil, "", 0
	case parts[1] == t.first:
		done, t.entry, t.size, t.begun = t.entry, map[string][]string{}, len(line), true
		fallthrough
	case t.entry != nil:
		t.tag = parts[1]
		t.entry[t.tag] = append(t.entry[t.tag], strings.TrimSpace(parts[2]))
	case t.begun:
		t.other.skip(line, t.at)
	}
	return done
}

// continued is a line that continues a field: each of authors is another author.
func (t *tagged) continued(line string) string {
	switch {
	case line == "":
		return ""
	case strings.Contains(" "+t.tags["authors"]+" ", " "+t.tag+" "):
		return "; " + line
	}
	return " " + line
}

// row makes a row of an entry; nil if it has no text.
func (t *tagged) row(entry map[string][]string) []string {
	return referenceRow(func(column string) string {
		for tag := range strings.FieldsSeq(t.tags[column]) {
			values := entry[tag]
			switch {
			case len(values) == 0 || values[0] == "":
			case column == "keywords" || column == "authors":
				return join("; ", values...)
			default:
				return values[0]
			}
		}
		return ""
	})
}

// yearIn matches the year in a date.
var yearIn = pattern.Lazy(`\b(1[5-9]|20)\d\d\b`)

// referenceRow makes a row of what an entry has in each column; nil if it has no text.
func referenceRow(of func(column string) string) []string {
	row := make([]string, len(referenceColumns))
	for i, column := range referenceColumns {
		row[i] = of(column)
		if column == "year" {
			row[i] = yearIn().FindString(row[i])
		}
	}
	const text, title, abstract = 1, 2, 3
	if row[text] = join("\n", row[title], row[abstract]); row[text] == "" {
		return nil
	}
	return row
}
