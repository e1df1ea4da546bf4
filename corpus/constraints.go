package corpus

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// Constraint says that two documents must, or cannot, be in one cluster.
type Constraint struct {
	A, B   int // numbers of the documents, from 0, counted over all ranks
	Cannot bool
	Line   int // line of the file, from 1
}

// ReadConstraints reads a file of constraints: lines id,id,must or id,id,cannot. Documents are
// named by their ids, or by their numbers if the corpus has no ids, counted from Corpus.IDsFrom;
// note says what that was if the file decided it. Fields are separated by commas, tabs or
// semicolons. A header line, empty lines and lines that begin with # are ignored (write an id that
// begins with # in quotes). The file may be compressed with gzip or xz. The error names every line
// that is wrong, up to a limit.
func ReadConstraints(ctx context.Context, path string, c *Corpus) (list []Constraint, note string, err error) {
	in, done, err := input.Open(ctx, path, input.Limits{})
	if err == nil {
		defer done()
	}
	if err = c.agree(err); err != nil {
		return nil, "", err
	}
	list, note, err = parseConstraints(in, c)
	return list, note, in.Blame(err)
}

// KeepsApart reports whether a file of constraints has a cannot-link; false if it cannot be read.
func KeepsApart(ctx context.Context, path string) bool {
	in, done, err := input.Open(ctx, path, input.Limits{})
	if err != nil {
		return false
	}
	defer done()
	pairs, err := readPairs(in)
	return err == nil && slices.ContainsFunc(pairs, func(p pair) bool { return p.cannot })
}

// kinds are the words for the two kinds of constraints; true is cannot.
var kinds = map[string]bool{"must": false, "must-link": false, "cannot": true, "cannot-link": true}

// kindNames are the headings that the third column may have.
var kindNames = []string{"constraint", "link", "kind", "type", "relation"}

// pair is a line of constraints before its documents are found.
type pair struct {
	ids    []string // two; nil if the line has another number of fields
	cannot bool
	fault  string // what is wrong with the line itself
	line   int
}

func parseConstraints(in *input.File, c *Corpus) (list []Constraint, note string, err error) {
	pairs, err := readPairs(in)
	if err = c.agree(err); err != nil {
		return nil, "", err
	}
	var ids []string
	for _, p := range pairs {
		ids = append(ids, p.ids...)
	}
	if ids, note, err = c.numbered(in.Name, ids); err != nil {
		return nil, "", err
	}
	row, faults := c.found(ids), faults{file: in.Name, nameless: c.nameless()}
	names := c.names()
	for _, p := range pairs {
		if p.fault != "" {
			faults.add(p.line, "%s", p.fault)
		}
		if p.ids == nil {
			continue
		}
		a, okA := faults.row(row, ids[0], p.line)
		b, okB := faults.row(row, ids[1], p.line)
		ids = ids[2:]
		if p.fault == "" && okA && okB {
			list = append(list, Constraint{a, b, p.cannot, p.line})
		}
	}
	if err := faults.err("a line is id,id,must or id,id,cannot, and " + names); err != nil {
		return nil, "", err
	}
	if len(list) == 0 {
		return nil, "", in.Fail("", "holds no constraints; write lines id,id,must or id,id,cannot")
	}
	return list, note, nil
}

// readPairs reads the lines of a file of constraints.
func readPairs(in *input.File) ([]pair, error) {
	head, err := table.Head(in, input.HeadSize)
	if err != nil {
		return nil, err
	}
	records := table.NewRecords(in, table.Separator(withoutComments(head)))
	records.SkipComments()
	var pairs []pair
	for n := 0; ; n++ {
		rec, err := records.Next()
		if err == io.EOF {
			return pairs, nil
		}
		if err != nil {
			return nil, err
		}
		if len(rec) != 3 {
			pairs = append(pairs, pair{line: records.Line, fault: "it has " + message.Plural(len(rec), "field", "fields")})
			continue
		}
		word := strings.ToLower(strings.TrimSpace(rec[2]))
		cannot, known := kinds[word]
		if n == 0 && slices.Contains(kindNames, word) {
			continue
		}
		fault := ""
		if !known {
			fault = message.Clip(rec[2], 40) + " is neither must nor cannot"
		}
		a, b := strings.Clone(lexical.Tidy(rec[0])), strings.Clone(lexical.Tidy(rec[1]))
		if err := in.Mem.Take(int64(len(a)+len(b)+96), 1); err != nil {
			return nil, in.Wrap("", err)
		}
		pairs = append(pairs, pair{[]string{a, b}, cannot, fault, records.Line})
	}
}

// withoutComments cuts empty lines and comments off the start of a file. They do not help to find
// the separator.
func withoutComments(head []byte) []byte {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		if !bytes.HasPrefix(head, []byte("#")) {
			return head
		}
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
}
