package corpus

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Checks and files that the tests of other packages use too.
var (
	checkMatrix = corpustest.CheckMatrix
	wantFault   = corpustest.WantFault
	checkFault  = corpustest.CheckFault
	writeFile   = corpustest.WriteFile
	makeFolder  = corpustest.MakeFolder
	gzipped     = corpustest.Gzipped
	xzipped     = corpustest.XZipped
	allocated   = corpustest.Allocated
	jsonLinesOf = corpustest.JSONLines
	wire        = corpustest.Wire
	story       = corpustest.Story
	mailMessage = corpustest.Message
	wires       = corpustest.Wires
	mailbox     = corpustest.Mailbox
)

const doctype = corpustest.Doctype

// readBytes reads a file that exists in memory only.
func readBytes(data []byte, format string, opt ReadOptions) (*Corpus, error) {
	opt.Format = format
	in, err := input.New(context.Background(), "test."+format, bytes.NewReader(data), int64(len(data)), opt.limits())
	if err != nil {
		return nil, err
	}
	return readInput(in, opt, nil)
}

// readStream reads texts from a reader.
func readStream(ctx context.Context, r io.Reader, name, format string, opt ReadOptions) (*Corpus, error) {
	in := input.NewFolder(ctx, name, opt.limits())
	in.Stream = bufio.NewReaderSize(r, 1<<16)
	return readTexts(in, opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
		return text.Read(in, format, o)
	})
}

// readJSONL reads JSON lines from a reader.
func readJSONL(ctx context.Context, r io.Reader, name string, opt ReadOptions) (*Corpus, error) {
	return readStream(ctx, r, name, "jsonl", opt)
}

// readLines reads JSON lines.
func readLines(t testing.TB, lines string, opt TextOptions) *Corpus {
	t.Helper()
	c := must.Get(readJSONL(context.Background(), strings.NewReader(lines), "test.jsonl", ReadOptions{Text: opt}))(t)
	return c
}

// checkInvariants checks what holds for every corpus, whatever file it is from.
func checkInvariants(t *testing.T, c *Corpus) {
	t.Helper()
	must.Do(t, c.check())
	corpustest.CheckInvariants(t, c.X, c.Labels, c.ClassNames, c.Terms, c.IDs)
}

func wantNote(t *testing.T, c *Corpus, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(c.Notes, "\n"), part) {
		t.Errorf("notes %q lack %q", c.Notes, part)
	}
}

const (
	fuzzMemory = corpustest.FuzzMemory
	fuzzAllocs = corpustest.FuzzAllocs
)

// fuzzRead reads arbitrary bytes. The result must satisfy the invariants, or the error must mark
// the file as at fault; either way the allocations are bounded.
func fuzzRead(t *testing.T, data []byte, format string, opt ReadOptions) {
	opt.MaxBytes = fuzzMemory
	before := allocated()
	c, err := readBytes(data, format, opt)
	if used := allocated() - before; used > fuzzAllocs {
		t.Fatalf("reading %d bytes allocated %d", len(data), used)
	}
	if err != nil {
		checkFault(t, err)
		return
	}
	checkInvariants(t, c)
}
