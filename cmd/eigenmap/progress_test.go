package main

import (
	"bytes"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// TestProgressLines: without a terminal a line now and then, and none with --quiet.
func TestProgressLines(t *testing.T) {
	events := []progress.Event{
		{Stage: "neighbours", Done: 250, Total: 1000, Unit: "rows"},
		{Stage: "eigenvectors", Done: 7, Unit: "products"},
		{Stage: "eigen", Message: "a decision"},
	}
	for _, quiet := range []bool{false, true} {
		var b bytes.Buffer
		u := newUI(&b, nil)
		u.every, u.quiet = 0, quiet
		for _, e := range events {
			u.observe(e)
		}
		u.observe(events[2])
		u.stop()
		u.observe(events[0])
		want := "eigenmap: neighbours: 250 of 1000 rows (25 %), 0 s\neigenmap: eigenvectors: 7 products, 0 s\n"
		if quiet {
			want = ""
		}
		if b.String() != want {
			t.Errorf("quiet %v: wrote\n%s, want\n%s", quiet, b.String(), want)
		}
		if told := u.noted(); len(told) != 1 || told[0] != "a decision." {
			t.Errorf("the notes are %q", told)
		}
	}
}

// TestProgressCountsFromTheStage: the time of a line is that since its stage began.
func TestProgressCountsFromTheStage(t *testing.T) {
	var b bytes.Buffer
	u := newUI(&b, nil)
	u.every = 0
	u.observe(progress.Event{Stage: "read", Done: 1, Unit: "bytes"})
	u.started = u.started.Add(-time.Hour)
	u.observe(progress.Event{Stage: "read", Done: 2, Unit: "bytes"})
	u.observe(progress.Event{Stage: "graph", Done: 3, Unit: "rows"})
	if want := "eigenmap: read: 1 bytes, 0 s\neigenmap: read: 2 bytes, 3600 s\neigenmap: graph: 3 rows, 0 s\n"; b.String() != want {
		t.Errorf("wrote\n%s, want\n%s", b.String(), want)
	}
}

// TestProgressBar: on a terminal a bar, taken away at the end.
func TestProgressBar(t *testing.T) {
	var b bytes.Buffer
	u := newUI(&b, nil)
	u.terminal = true
	u.observe(progress.Event{Stage: "read"})
	for i := range int64(4) {
		u.observe(progress.Event{Stage: "neighbours", Done: i, Total: 4, Unit: "rows"})
		time.Sleep(110 * time.Millisecond)
	}
	u.stop()
	if s := b.String(); !strings.Contains(s, "neighbours") || !strings.Contains(s, "75%") {
		t.Errorf("the terminal got %q", s)
	}
	last := b.String()[strings.LastIndex(strings.TrimRight(b.String(), "\r"), "\r")+1:]
	if strings.Trim(last, " \r") != "" {
		t.Errorf("the bar stayed: %q", last)
	}
}

// TestBarFitsTheTerminal: a line is never as wide as the terminal, where it would wrap, and one
// that gets shorter leaves nothing of the longer one.
func TestBarFitsTheTerminal(t *testing.T) {
	var b bytes.Buffer
	bar := newBar(&b, func() int { return 40 }, "a stage with a long name", "rows", 1000)
	for _, done := range []int64{0, 500, 1000, 1500} {
		bar.drawn = time.Time{}
		bar.set(done)
	}
	for line := range strings.SplitSeq(b.String(), "\r") {
		if len(line) > 39 {
			t.Errorf("%q has %d columns", line, len(line))
		}
	}
	if !strings.Contains(b.String(), " 50% [#") || !strings.Contains(b.String(), "100% [#") {
		t.Errorf("the terminal got %q", b.String())
	}
	b.Reset()
	bar = newBar(&b, func() int { return 0 }, "read", "documents", 0)
	bar.set(123456)
	bar.drawn = time.Time{}
	bar.set(0)
	lines := strings.Split(b.String(), "\r")
	if len(lines) != 3 || len(lines[2]) != len(lines[1]) || !strings.Contains(lines[1], "123456 documents") {
		t.Errorf("the terminal got %q", b.String())
	}
}

// TestNoHTTP: the program has no web client, and its only web server is explore's.
func TestNoHTTP(t *testing.T) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Skip("no build information")
	}
	for _, m := range info.Deps {
		if strings.Contains(m.Path, "progressbar") {
			t.Errorf("%s brings in net/http", m.Path)
		}
	}
	// Apache's Parquet brings in two that import it for what nothing here calls.
	may := []string{"github.com/andybalholm/brotli", "github.com/apache/thrift/lib/go/thrift", "github.com/eigenmap/eigenmap/explore"}
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, ".").Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		imports := strings.Fields(line)
		if len(imports) > 1 && slices.Contains(imports[1:], "net/http") && !slices.Contains(may, imports[0]) {
			t.Errorf("%s imports net/http", imports[0])
		}
	}
}
