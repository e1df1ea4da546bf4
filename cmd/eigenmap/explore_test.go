package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/explore"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The command of the page that clusters again reads the file as it was read.
func TestExploreClustersAgain(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("name;head;body;part\n")
	for i := range 60 {
		words := []string{"apple pear plum grape", "car truck train plane", "ship boat sail harbour"}[i%3]
		fmt.Fprintf(&b, "n%d;%s number%d;the %s were seen in line %d of it;p%d\n", i, words, i%7, words, i%5, i%2)
	}
	file, out, labels := write(t, dir, "my texts.csv", b.String()), filepath.Join(dir, "out"), filepath.Join(dir, "labels.csv")
	mustCall(t, "cluster", file, "-k", "3", "--text-column", "head,body", "--id-column", "name", "--label-column", "none", "--confidence", "raw", "--out", out)
	_, _, flags, err := madeFrom(out)
	if err != nil {
		t.Fatal(err)
	}
	if want := " --text-column head,body --id-column name --label-column none"; !sameWords(flags, want) {
		t.Errorf("the flags are %q, not %q", flags, want)
	}
	write(t, dir, "labels.csv", "id,label\nn0,fruit\nn3,fruit\nn1,cars\nn4,cars\nn2,ships\nn5,ships\n")
	command := again(file, flags, explore.Options{Labels: labels, Texts: map[string]string{}})
	if !strings.HasPrefix(command, "eigenmap cluster '"+file+"' ") || !strings.HasSuffix(command, " --out again") || !strings.Contains(command, " --class-shares labels ") {
		t.Fatalf("the command is %s", command)
	}
	args := append([]string{"cluster", file}, strings.Fields(strings.TrimSuffix(strings.TrimPrefix(command, "eigenmap cluster '"+file+"' "), " --out again"))...)
	if r := mustCall(t, args...); !strings.Contains(r.stdout, "fruit") {
		t.Errorf("it prints\n%s", r.stdout)
	}
}

// sameWords reports whether two command lines have the same flags, in any order.
func sameWords(a, b string) bool {
	cut := func(s string) []string { return slices.Sorted(slices.Values(strings.Split(s, " --"))) }
	return slices.Equal(cut(a), cut(b))
}

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
	answer := must.Get(http.Get(strings.TrimSpace(url) + "api/text?document=0"))(t)
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
	must.Do(t, os.Remove(filepath.Join(out, "report.html")))
	alone := filepath.Join(dir, "alone", "model.npz")
	must.Do(t, errors.Join(os.Mkdir(filepath.Dir(alone), 0o755), os.Link(filepath.Join(out, "model.npz"), alone)))
	for _, c := range []struct{ operand, says string }{{train, "no folder of results"}, {dir, "clusters.csv"}, {out, "report.html"}, {alone, "a model alone has no page"}} {
		if r := call("explore", c.operand); r.status != exitRequest || !strings.Contains(r.stderr, c.says) {
			t.Errorf("%s: status %d: %s", c.operand, r.status, r.stderr)
		}
	}
}
