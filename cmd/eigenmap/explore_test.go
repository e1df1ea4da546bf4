package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The address is the one line of standard output, the page of the result is there with its texts,
// and an interrupt ends the program with status 0.
func TestExploreOnTheCommandLine(t *testing.T) {
	const train = "../../testdata/golden/train.jsonl"
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	mustCall(t, "cluster", train, "-k", "3", "--confidence", "raw", "--out", out, "--seed", "1")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	read, write := io.Pipe()
	var errs bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- newApp(write, &errs, nil).run(ctx, []string{"explore", out, "--labels", filepath.Join(dir, "labels.csv")})
		write.Close()
	}()
	lines := bufio.NewReader(read)
	url, err := lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("the address is %q: %v", url, err)
	}
	answer, err := http.Get(strings.TrimSpace(url) + "api/text?document=0")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.HasPrefix(string(text), `{"text":"`) {
		t.Errorf("status %d: %s, %v", answer.StatusCode, text, err)
	}
	cancel()
	if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
		t.Errorf("further output: %s, %v", rest, err)
	}
	if s := <-status; s != exitDone {
		t.Errorf("status %d: %s", s, errs.String())
	}
	if err := os.Remove(filepath.Join(out, "report.html")); err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(dir, "alone", "model.npz")
	if err := errors.Join(os.Mkdir(filepath.Dir(alone), 0o755), os.Link(filepath.Join(out, "model.npz"), alone)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ operand, says string }{{train, "no folder of results"}, {dir, "clusters.csv"}, {out, "report.html"}, {alone, "a model alone has no page"}} {
		if r := call("explore", c.operand); r.status != exitRequest || !strings.Contains(r.stderr, c.says) {
			t.Errorf("%s: status %d: %s", c.operand, r.status, r.stderr)
		}
	}
}
