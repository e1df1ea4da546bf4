package corpus

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// TestLongLineBomb: a small file that unpacks to one endless line takes at most twice the longest
// line allowed, with all buffers that it grew through. The message is the same for all formats.
func TestLongLineBomb(t *testing.T) {
	const limit = 16 << 20
	for format, text := range map[string]string{
		"jsonl": `{"text": "`, "mbox": "From a Mon 1 13:00\nSubject: ", "reuters": "<REUTERS NEWID=\"1\"><BODY>",
	} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		line := []byte(strings.Repeat("words ", 1<<13))
		for range 4 * limit / len(line) {
			z.Write(line)
		}
		z.Close()
		before := allocated()
		_, err := readBytes(b.Bytes(), format, ReadOptions{MaxBytes: limit * 8})
		wantFault(t, err, "line 1", "longer than 16.0 MiB", "split it")
		if used := allocated() - before; format == "jsonl" && used > 5*limit/2 {
			t.Errorf("%s: %d bytes allocated for lines of at most %d", format, used, limit)
		}
	}
	_, err := readFolder(t.Context(), makeFolder(t, map[string]string{"a": strings.Repeat("words ", 1<<18)}), ReadOptions{MaxBytes: 1 << 20}, nil)
	wantFault(t, err, "longer than", "split it")
}
