package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Every flag and operand that takes a file refuses a pipe, a device and a folder at once, with its
// name; a pipe without a writer would otherwise wait for ever, and a device never end.
func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	corpus := write(t, dir, "a.jsonl", `{"id":"a","text":"one two","label":"x"}`+"\n"+`{"id":"b","text":"two three","label":"y"}`+"\n")
	table := write(t, dir, "a.csv", "id,a,b,label\np,1,0,x\nq,0,1,y\n")
	for _, args := range [][]string{
		{"info", "PATH"}, {"convert", "PATH", filepath.Join(dir, "out.npz")}, {"graph", "PATH"}, {"cluster", "PATH", "--method", "le", "-k", "2"},
		{"embed", "PATH", "--method", "le", "-d", "1"}, {"eval", "PATH", table}, {"eval", table, "PATH"}, {"predict", "PATH", corpus},
		{"info", "--precomputed", "PATH"}, {"info", table, "--truth", "PATH"}, {"info", corpus, "--stop-words", "PATH"}, {"info", corpus, "--vocabulary", "PATH"},
		{"info", corpus, "--config", "PATH"}, {"cluster", table, "--method", "cle", "--labels", "PATH"}, {"cluster", table, "--method", "cle", "-k", "2", "--constraints", "PATH"},
		{"convert", table, filepath.Join(dir, "x.npz"), "--truth", "PATH"}, {"graph", corpus, "--stop-words", "PATH"}, {"cluster", "--config", "PATH"},
	} {
		for _, path := range []string{pipe, "/dev/zero"} {
			given := strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), "PATH", path), "\x00")
			done := make(chan result, 1)
			go func() { done <- call(given...) }()
			select {
			case r := <-done:
				if r.status != exitRequest || !strings.Contains(r.stderr, path) || !strings.Contains(r.stderr, "not a regular file") && !strings.Contains(r.stderr, "not a model") {
					t.Errorf("%q: status %d, %s", given, r.status, r.stderr)
				}
			case <-time.After(30 * time.Second):
				t.Errorf("%q does not end", given)
				if path == pipe { // let it go on
					if f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
						f.Close()
					}
				}
			}
		}
	}
}

// A configuration file is refused before the parser takes the square of its depth or length.
func TestConfigurationBounds(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, says string }{
		"brackets": {strings.Repeat("[", 100_000), "nested"},
		"dashes":   {strings.Repeat("- ", 100_000), "nested"},
		"keys":     {"method: le\n" + strings.Repeat("{a: ", 50_000), "line 2: lists or mappings are nested"},
		"tags":     {"k: " + strings.Repeat("!a ", 50_000), "nested"},
		"long":     {strings.Repeat("# a comment\n", 100_000), "longer than 1048576 bytes"},
		"binary":   {"k: \xff\xfe", "UTF-8"},
	} {
		before := processorTime(t)
		path := write(t, dir, name+".yaml", c.text)
		if r := call("info", "x", "--config", path); r.status != exitRequest || !strings.Contains(r.stderr, c.says) || !strings.Contains(r.stderr, path) {
			t.Errorf("%s: status %d, %.300s", name, r.status, r.stderr)
		}
		if took := processorTime(t) - before; took > 10*time.Second {
			t.Errorf("%s takes %v of processor time", name, took)
		}
	}
}

// processorTime is what this process has used so far. Other programs do not lengthen it.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var use syscall.Rusage
	must.Do(t, syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// A message lists ten of many faults.
func TestContradictionsAreCapped(t *testing.T) {
	dir := t.TempDir()
	table := write(t, dir, "a.csv", "id,a,b,label\np,1,0,x\nq,0,1,y\nr,1,1,y\ns,2,1,x\n")
	list := write(t, dir, "links.csv", "p,q,must\n"+strings.Repeat("p,q,cannot\n", 780))
	r := call("cluster", table, "--method", "cle", "-k", "2", "--constraints", list)
	if r.status != exitRequest || strings.Count(r.stderr, "says that") != 10 || !strings.Contains(r.stderr, "and 770 more") || len(r.stderr) > 2000 {
		t.Errorf("status %d, %d bytes: %.1500s", r.status, len(r.stderr), r.stderr)
	}
}
