package corpus

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
)

// watched reads a text n times over and records the largest amount of memory in live objects and
// garbage meanwhile, in bytes.
type watched struct {
	text string
	n    int
	at   int
	peak uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, w.text[w.at:])
	if w.at += n; w.at == len(w.text) {
		w.at, w.n = 0, w.n-1
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		w.peak = max(w.peak, s[0].Value.Uint64())
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
		runtime.GC()
		w := &watched{text: tc.text, n: 400}
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		before := s[0].Value.Uint64()
		c, err := readStream(context.Background(), w, "f", tc.format, ReadOptions{Text: TextOptions{Language: "none"}})
		if err != nil {
			t.Fatal(err)
		}
		size := 400 * len(tc.text)
		if c.Len() != 400 || w.peak > before+48<<20 {
			t.Errorf("%s: %d documents, %d MB of text took %d MB", tc.format, c.Len(), size>>20, (w.peak-before)>>20)
		}
		t.Logf("%s: %d MB of text took %d MB", tc.format, size>>20, (int64(w.peak)-int64(before))>>20)
	}
}
