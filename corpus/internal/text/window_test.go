package text

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// TestReutersWindow: the result does not depend on where reads end.
func TestReutersWindow(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		f := &reutersFile{name: "f", w: window{r: &corpustest.Choppy{Text: corpustest.Wires, Sizes: rapid.SliceOfN(rapid.IntRange(1, 40), 1, 9).Draw(rt, "sizes")}, limit: 1 << 20}}
		var lines []int
		n := 0
		for {
			raw, line, err := f.next()
			if err != nil {
				break
			}
			if !strings.HasPrefix(string(raw), reutersOpen) || !strings.HasSuffix(string(raw), reutersClose) {
				rt.Fatalf("record %q", raw)
			}
			lines = append(lines, line)
			n++
		}
		if n != 8 {
			rt.Fatalf("%d documents, want %d", n, 8)
		}
		for i, line := range lines {
			at := strings.Index(corpustest.Wires, `NEWID="`+string('1'+rune(i)))
			if got := strings.Count(corpustest.Wires[:at], "\n") + 1; got != line {
				rt.Fatalf("document %d begins in line %d, told %d", i+1, got, line)
			}
		}
	})
}

// TestMboxWindow: messages do not depend on where reads end.
func TestMboxWindow(t *testing.T) {
	long := corpustest.Mailbox + corpustest.Message("A: b", strings.Repeat("\n\nFrom nobody\n", 99)) + corpustest.Message("A: b", "end")
	property.Check(t, func(rt *rapid.T) {
		box := &mbox{rule: &mailRule{file: "f"}, w: window{r: &corpustest.Choppy{Text: long, Sizes: rapid.SliceOfN(rapid.IntRange(1, 90), 1, 9).Draw(rt, "sizes")}, limit: 1 << 20}}
		all, n := "", 0
		for first := true; ; first = false {
			raw, line, err := box.next(first)
			if err != nil {
				break
			}
			if want := strings.Count(all, "\n") + 1; line != want {
				rt.Fatalf("message %d begins in line %d, told %d", n+1, want, line)
			}
			all += string(raw)
			n++
		}
		if n != 7 || all != long {
			rt.Fatalf("%d messages of %d bytes, want 7 of %d", n, len(all), len(long))
		}
	})
}
