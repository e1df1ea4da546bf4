package corpus

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// watched reads a text n times over and records the largest amount of memory in live objects
// meanwhile, in bytes. It collects garbage before each look, so the figure does not depend on when
// the collector runs, as the size of the whole heap does on a busy machine.
type watched struct {
	text string
	n    int
	at   int
	peak uint64
}

// live has the bytes of the objects that are in use.
func live() uint64 {
	runtime.GC()
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func (w *watched) Read(p []byte) (int, error) {
	if w.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, w.text[w.at:])
	if w.at += n; w.at == len(w.text) {
		if w.at, w.n = 0, w.n-1; w.n%20 == 0 {
			w.peak = max(w.peak, live())
		}
	}
	return n, nil
}

// TestStreaming: memory depends on the vocabulary and the counts, not on the length of the texts.
func TestStreaming(t *testing.T) {
	var words strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&words, "word%cy%cz ", 'a'+i%26, 'a'+i/26%26)
	}
	body := strings.Repeat(words.String(), 20) // 240 KB of 676 words
	for _, tc := range []struct{ format, text string }{
		{"jsonl", `{"text": "` + body + "\"}\n"},
		{"reuters", wire("", "", "YES", "x", story("title", body))},
		{"mbox", mailMessage("Subject: x", body)},
	} {
		before := live()
		w := &watched{text: tc.text, n: 400}
		c := must.Get(readStream(context.Background(), w, "f", tc.format, ReadOptions{Text: TextOptions{Language: "none"}}))(t)
		size := 400 * len(tc.text)
		if c.Len() != 400 || w.peak > before+48<<20 {
			t.Errorf("%s: %d documents, %d MB of text took %d MB", tc.format, c.Len(), size>>20, (w.peak-before)>>20)
		}
		t.Logf("%s: %d MB of text took %d MB", tc.format, size>>20, (int64(w.peak)-int64(before))>>20)
	}
}
