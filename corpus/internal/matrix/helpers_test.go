package matrix

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// contents is a Result and the notes on it.
type contents struct {
	*Result
	Notes []string
}

// Len returns the number of documents.
func (c *contents) Len() int {
	n, _ := c.X.Dims()
	return n
}

// readBytes reads a file that exists in memory only, with at most maxBytes of memory if they are
// given.
func readBytes(data []byte, format string, opt Options, maxBytes ...int64) (*contents, error) {
	limits := input.Limits{MaxBytes: append(maxBytes, 0)[0]}
	in, err := input.New(context.Background(), "test."+format, bytes.NewReader(data), int64(len(data)), limits)
	if err != nil {
		return nil, err
	}
	r, err := Read(in, format, opt)
	return &contents{r, in.Notes}, err
}

// mustRead reads, checks the invariants and compares the matrix with rows as a person would write
// it.
func mustRead(t *testing.T, data []byte, format string, opt Options, want [][]float64) *contents {
	t.Helper()
	c := must.Get(readBytes(data, format, opt))(t)
	corpustest.CheckInvariants(t, c.X, c.Labels, c.ClassNames, c.Terms, c.IDs)
	if want != nil {
		corpustest.CheckMatrix(t, c.X, want)
	}
	return c
}

func wantNote(t *testing.T, c *contents, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(c.Notes, "\n"), part) {
		t.Errorf("notes %q lack %q", c.Notes, part)
	}
}

// fuzzRead reads arbitrary bytes. The result must satisfy the invariants, or the error must mark
// the file as at fault; either way the allocations are bounded.
func fuzzRead(t *testing.T, data []byte, format string, opt Options) {
	before := corpustest.Allocated()
	c, err := readBytes(data, format, opt, corpustest.FuzzMemory)
	if used := corpustest.Allocated() - before; used > corpustest.FuzzAllocs {
		t.Fatalf("reading %d bytes allocated %d", len(data), used)
	}
	if err != nil {
		corpustest.CheckFault(t, err)
		return
	}
	corpustest.CheckInvariants(t, c.X, c.Labels, c.ClassNames, c.Terms, c.IDs)
}
