// Package examples holds the test that builds and runs the programs in its folders.
package examples

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// packages returns every nth document of three sections of the example corpus.
func packages(t *testing.T, n int) (docs []map[string]string) {
	t.Helper()
	file, err := os.Open("debian/packages.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for i := 0; lines.Scan(); i++ {
		var d map[string]string
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if i%n == 0 && strings.Contains("fonts mail games", d["label"]) {
			docs = append(docs, d)
		}
	}
	return docs
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// lines returns documents as JSON lines.
func lines(docs []map[string]string) (text []byte) {
	for _, d := range docs {
		line, _ := json.Marshal(d)
		text = append(append(text, line...), '\n')
	}
	return text
}

// vectors returns a .npy file that has the counts of 26 letters of each text.
func vectors(docs []map[string]string) []byte {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 26), }", len(docs))
	head += strings.Repeat(" ", 127-10-len(head)) + "\n"
	text := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	text = append(text, head...)
	for _, d := range docs {
		for r := 'a'; r <= 'z'; r++ {
			text, _ = binary.Append(text, binary.LittleEndian, float32(strings.Count(strings.ToLower(d["text"]), string(r))))
		}
	}
	return text
}

// The programs build, run, and print what they are there for.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds six programs")
	}
	bin := t.TempDir()
	names := []string{"folder", "fewlabels", "vectors", "nightly", "compare", "tocsv"}
	args := []string{"build", "-ldflags", "-s -w", "-o", bin + "/"}
	for _, name := range names {
		args = append(args, "./"+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	docs := packages(t, 2)
	for _, d := range docs {
		write(t, filepath.Join(dir, "texts", d["label"], d["id"]+".txt"), []byte(d["text"]))
	}
	write(t, filepath.Join(dir, "corpus.jsonl"), lines(docs))
	write(t, filepath.Join(dir, "vectors.npy"), vectors(docs))
	write(t, filepath.Join(dir, "new.jsonl"), lines([]map[string]string{
		{"id": "chess", "text": "A board game: chess for two players, with nice graphics and puzzles."},
		{"id": "malaria", "text": "Vaccination schedules and parasites among infants in humid tropical districts."},
	}))
	for _, c := range []struct {
		command string
		status  int
		want    string // regular expression
	}{
		{"folder texts result", 0, `cluster 0: \d+ texts about .*\n(?s:.*)open result/report.html`},
		// The nearest cluster of a document that is unlike all is one as good as another.
		{"nightly result new.jsonl placed", 3, `malaria is unlike all(?s:.*)[12] new documents in cluster \d+: .*gam(?s:.*)cluster again`},
		{"fewlabels corpus.jsonl", 0, `without labels: accuracy \.?\d(?s:.*)with 24 labels: accuracy 0\.[89]`},
		{"vectors corpus.jsonl vectors.npy 3", 0, `by words:\n(?s:.*)by vectors:\n(?s:.*)by words and vectors:\n(?s:.*)accuracy`},
		{"compare corpus.jsonl 3 diffusion kmeans", 0, `diffusion: .*two seeds agree(?s:.*)kmeans: (?s:.*)  with diffusion: NMI`},
	} {
		words := strings.Fields(c.command)
		cmd := exec.Command(filepath.Join(bin, words[0]), words[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if status := cmd.ProcessState.ExitCode(); status != c.status || err != nil && !errors.As(err, &exit) {
			t.Errorf("%s: status %d, not %d: %v\n%s", c.command, status, c.status, err, out)
		} else if !regexp.MustCompile(c.want).Match(out) {
			t.Errorf("%s printed\n%s\nwant %s", c.command, out, c.want)
		}
	}
	cmd := exec.Command(filepath.Join(bin, "tocsv"), "mail")
	cmd.Dir = ".."
	if out, err := cmd.Output(); err != nil || strings.Count(string(out), ",mail\n") != 208 {
		t.Errorf("tocsv: %v, %d lines of mail", err, strings.Count(string(out), ",mail\n"))
	}
}

// Examples stay short.
func TestShort(t *testing.T) {
	files, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n >= 80 && filepath.Dir(file) != "outside" {
			t.Errorf("%s has %d lines", file, n)
		}
	}
}
