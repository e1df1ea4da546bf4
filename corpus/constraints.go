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
)

// Constraint says that two documents must, or cannot, be in one cluster.
type Constraint struct {
	A, B   int // numbers of the documents, from 0
	Cannot bool
	Line   int // line of the file, from 1
}

// ReadConstraints reads a file of constraints: lines id,id,must or id,id,cannot. Documents are
// named by their ids, or by their numbers from 1 if the corpus has no ids. Fields are separated by
// commas, tabs or semicolons. A header line, empty lines and lines that begin with # are ignored
// (write an id that begins with # in quotes). The file may be compressed with gzip or xz. The error
// names every line that is wrong, up to a limit.
func ReadConstraints(ctx context.Context, path string, c *Corpus) ([]Constraint, error) {
	in, done, err := input.Open(ctx, path, input.Limits{})
	if err != nil {
		return nil, err
	}
	defer done()
	return parseConstraints(in, c)
}

// kinds are the words for the two kinds of constraints; true is cannot.
var kinds = map[string]bool{"must": false, "must-link": false, "cannot": true, "cannot-link": true}

// kindNames are the headings that the third column may have.
var kindNames = []string{"constraint", "link", "kind", "type", "relation"}

func parseConstraints(in *input.File, c *Corpus) ([]Constraint, error) {
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	table, err := input.NewTable(in, input.Separator(withoutComments(head)))
	if err != nil {
		return nil, err
	}
	table.SkipComments()
	row := c.rowsByID()
	var list []Constraint
	faults := faults{file: in.Name}
	for n := 0; ; n++ {
		rec, err := table.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(rec) != 3 {
			faults.add(table.Line, "it has %s", message.Plural(len(rec), "field", "fields"))
			continue
		}
		word := strings.ToLower(strings.TrimSpace(rec[2]))
		cannot, known := kinds[word]
		if n == 0 && slices.Contains(kindNames, word) {
			continue
		}
		if !known {
			faults.add(table.Line, "%s is neither must nor cannot", message.Clip(rec[2], 40))
		}
		a, okA := faults.row(row, lexical.Tidy(rec[0]), table.Line)
		b, okB := faults.row(row, lexical.Tidy(rec[1]), table.Line)
		if !known || !okA || !okB {
			continue
		}
		if err := in.Mem.Take(32, 1); err != nil {
			return nil, in.Wrap("", err)
		}
		list = append(list, Constraint{a, b, cannot, table.Line})
	}
	if err := faults.err("a line is id,id,must or id,id,cannot, and " + c.names()); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, in.Fail("", "holds no constraints; write lines id,id,must or id,id,cannot")
	}
	return list, nil
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
