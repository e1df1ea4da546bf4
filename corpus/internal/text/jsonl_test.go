package text

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
)

// readLines reads JSON lines with at most maxBytes of memory; 0: the default.
func readLines(ctx context.Context, r io.Reader, name string, maxBytes int64, opt counting.Options) (*counting.Collection, error) {
	in := input.NewFolder(ctx, name, input.Limits{MaxBytes: maxBytes})
	in.Stream = bufio.NewReaderSize(r, 1<<16)
	return Read(in, "jsonl", ReadOptions{Text: opt})
}

func readTexts(t testing.TB, lines string, opt counting.Options) *counting.Collection {
	t.Helper()
	c := must.Get(readLines(context.Background(), strings.NewReader(lines), "test.jsonl", 0, opt))(t)
	return c
}

func TestJSONLErrors(t *testing.T) {
	good := `{"id": "a", "text": "some words some words"}` + "\n"
	for _, tc := range []struct{ name, lines, place, why string }{
		{"no object", good + "words", "line 2", "not a JSON object"},
		{"cut off", good + "\n" + `{"text": "wor`, "line 3", "cut off"},
		{"cut off in a line", good + `{"text": "wor` + "\n" + good, "line 2", "cut off"},
		{"null text", `{"text": null}`, "", "the text of its only document is null"},
		{"UTF-32", "\xff\xfe\x00\x00{\x00\x00\x00", "", "UTF-32"},
		{"raw NUL", good + "{\"text\": \"a\x00b\"}", "line 2", "not a JSON object"},
		{"number", good + "17", "line 2", "is a JSON number"},
		{"list", good + "[1]", "line 2", "is a JSON array"},
		{"null", "null\n", "line 1", "no string text"},
		{"no text", `{"a": 2, "id": 3}`, "line 1", "a, id"},
		{"text is a number", good + `{"text": 3}`, "line 2", "text is a JSON number"},
		{"text is a list", good + `{"text": ["a"]}`, "line 2", "text is a JSON array"},
		{"id is an object", good + `{"text": "x", "id": {}}`, "line 2", "id is neither"},
		{"id is true", good + `{"text": "x", "id": true}`, "line 2", "id is neither"},
		{"id twice", good + `{"id": "b", "text": "x"}` + "\n\n" + good, "line 4", "line 1"},
		{"id is another's number", `{"id": 2, "text": "some words"}` + "\n" + `{"text": "some words"}`, "line 2", "line 1"},
		{"array file", `[{"text": "x"}]`, "line 1", "one JSON array"},
		{"UTF-16", "\xff\xfe{\x00", "", "UTF-16"},
		{"empty", "", "", "no documents"},
		{"blank", "\n \n", "", "no documents"},
		{"stop words only", `{"text": "the and of 42"}`, "", "none of its 1 document has a word"},
		{"no term twice", good, "", "1 term was found in 1 document"},
		{"first of two", `{"text": 3}` + "\n" + "{", "line 1", "JSON number"},
	} {
		_, err := readLines(context.Background(), strings.NewReader(tc.lines), "f.jsonl", 0, counting.Options{})
		var format *input.FormatError
		if !errors.As(err, &format) || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v is no FormatError", tc.name, err)
			continue
		}
		if format.File != "f.jsonl" || format.Place != tc.place || !strings.Contains(format.Why, tc.why) {
			t.Errorf("%s: %v; want place %q and %q", tc.name, err, tc.place, tc.why)
		}
	}
}

func TestJSONLInvalidUTF8IsTold(t *testing.T) {
	c := readTexts(t, "{\"text\": \"good words\"}\n{\"text\": \"good caf\xe9 words\"}\n", counting.Options{})
	if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "not UTF-8") && strings.Contains(n, "line 2") }) {
		t.Errorf("notes %q", c.Notes)
	}
	if !slices.Equal(c.Terms, []string{"good", "words"}) {
		t.Errorf("terms %q", c.Terms)
	}
}

func TestJSONLLongLine(t *testing.T) {
	line := `{"text": "` + strings.Repeat("several words of text ", 1<<16) + `"}` // 1.4 MB
	if c := readTexts(t, line, counting.Options{MinDF: 1}); c.X.At(0, slices.Index(c.Terms, "words")) != 1<<16 {
		t.Error("a line longer than a batch was not counted whole")
	}
	_, err := readLines(context.Background(), strings.NewReader(line), "f", 8<<20, counting.Options{})
	if !errors.Is(err, input.ErrMemory) || !strings.Contains(err.Error(), "line 1") || !strings.Contains(err.Error(), "‹max-memory›") {
		t.Errorf("a line of more than an eighth of the memory allowed: %v", err)
	}
}

func TestJSONLMemoryIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "{\"text\": \"u%da v%db\"}\n", i, i)
	}
	_, err := readLines(context.Background(), strings.NewReader(b.String()), "f", 4<<20, counting.Options{})
	if !errors.Is(err, input.ErrMemory) {
		t.Errorf("got %v", err)
	}
}

func TestJSONLReaderErrorPasses(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := io.MultiReader(strings.NewReader(corpustest.JSONLines(corpustest.RandomTexts(500, 100))), iotest.ErrReader(broken))
	if _, err := readLines(context.Background(), r, "f", 0, counting.Options{}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// endless repeats a line for ever, and cancels after a while.
type endless struct {
	line   string
	left   int
	cancel func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left--; e.left == 0 {
		e.cancel()
	}
	return copy(p, e.line), nil
}

func TestJSONLCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := readLines(ctx, &endless{"{\"text\": \"again and again\"}\n", 10_000, cancel}, "f", 0, counting.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkReadJSONL(b *testing.B) {
	lines := strings.Repeat(corpustest.JSONLines(corpustest.Descriptions(b)), 8)
	for _, threads := range race.Threads(1, 2) {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			native.SetThreads(threads)
			defer native.SetThreads(0)
			b.SetBytes(int64(len(lines)))
			for b.Loop() {
				readTexts(b, lines, counting.Options{})
			}
		})
	}
}
