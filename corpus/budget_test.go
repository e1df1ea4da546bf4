package corpus

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestContainerMemory: the least limit of either version of control groups holds.
func TestContainerMemory(t *testing.T) {
	for _, tc := range []struct {
		v2, v1 string
		want   int64
	}{
		{"", "", math.MaxInt64}, {"max\n", "", math.MaxInt64}, {"1073741824\n", "", 1 << 30}, {"", "4096\n", 4096},
		{"max\n", "9223372036854771712\n", 9223372036854771712}, {"100\n", "50\n", 50}, {"what", "-1", math.MaxInt64},
	} {
		dir := t.TempDir()
		if tc.v2 != "" {
			writeFile(t, dir, "memory.max", []byte(tc.v2))
		}
		if tc.v1 != "" {
			if err := os.Mkdir(filepath.Join(dir, "memory"), 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, dir, "memory/memory.limit_in_bytes", []byte(tc.v1))
		}
		if got := containerMemory(dir); got != tc.want {
			t.Errorf("limits %q and %q give %d, want %d", tc.v2, tc.v1, got, tc.want)
		}
	}
	if got := availableMemory(); got <= 0 || got > containerMemory("/sys/fs/cgroup") {
		t.Errorf("available: %d", got)
	}
}

// TestLongLineBomb: a small file that unpacks to one endless line costs no more than twice the longest line allowed, all buffers that
// it grew through together, and what is too long is told alike everywhere, with a way out.
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
		_, err := readBytes(b.Bytes(), format, ReadOptions{MaxBytes: limit * lineShare})
		wantFault(t, err, "line 1", "longer than 16.0 MiB", "split it")
		if used := allocated() - before; format == "jsonl" && used > 5*limit/2 {
			t.Errorf("%s: %d bytes allocated for lines of at most %d", format, used, limit)
		}
	}
	_, err := readFolder(t.Context(), makeFolder(t, map[string]string{"a": strings.Repeat("words ", 1<<18)}), ReadOptions{MaxBytes: 1 << 20})
	wantFault(t, err, "longer than", "split it")
}
