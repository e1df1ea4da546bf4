package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
)

var flagIn = regexp.MustCompile(`--[a-z][a-z-]*`)

// TestAdviceIsAccepted: the flags that the notes of a command name are flags of that command, for
// every method and for inputs that give notes: one document, few, many in one cluster, foreign
// ones, rows of zeros.
func TestAdviceIsAccepted(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	alone := write(t, dir, "alone.jsonl", `{"text":"boat river sail"}`)
	foreign := write(t, dir, "foreign.jsonl", `{"id":"a","text":"zebra quagga boat"}`+"\n"+`{"id":"b","text":"okapi"}`)
	german := write(t, dir, "german.jsonl", `{"text":"der Hund und die Katze sind nicht mehr in dem boat"}`+"\n")
	counts := filepath.Join(dir, "counts.npz")
	mustCall(t, "convert", file, counts)
	zeros := write(t, dir, "zeros.csv", "a,b,c,d,e\n"+strings.Repeat("1,2,3,4,5\n2,1,5,4,3\n9,1,1,8,2\n0,0,0,0,0\n", 6))
	check := func(what string, args ...string) {
		t.Helper()
		r := call(append(args, "--json")...)
		if r.status != 0 {
			return // refused: an error is checked elsewhere
		}
		help := call(args[0], "--help").stdout
		for i, arg := range args {
			if arg == "--method" {
				help += call(args[0], "--method", args[i+1], "--help").stdout
			}
		}
		notes, _ := r.object(t)["notes"].([]any)
		for _, note := range notes {
			for _, flag := range flagIn.FindAllString(note.(string), -1) {
				if !strings.Contains(help, flag) {
					t.Errorf("%s: %s has no %s, which a note advises: %s", what, args[0], flag, note)
				}
			}
		}
	}
	for i, s := range eigenmap.Methods() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		out := filepath.Join(t.TempDir(), s.Name)
		fit := []string{"cluster", file, "--method", s.Name, "-k", "3", "--out", out, "--weighting", "tf"}
		if s.Needs.Labels > 0 {
			fit = append(fit, "--labeled-fraction", "0.2")
		}
		check(s.Name, fit...)
		check(s.Name+" of zeros", "cluster", zeros, "--method", s.Name, "-k", "3")
		if model := filepath.Join(out, modelName); eigenmap.IsModel(model) {
			for _, fresh := range []string{alone, foreign, german, file, counts} {
				check("model of "+s.Name, "predict", model, fresh)
			}
		}
	}
	check("embed", "embed", file, "--method", "le", "-d", "2")
	check("graph", "graph", file)
}

// Flags that act on files alone are named where no files are written, in one line.
func TestWithoutOut(t *testing.T) {
	dir := t.TempDir()
	b := "id,text,kind,day\n"
	for i := range 40 {
		b += fmt.Sprintf("%d,%s,k%d,2026-01-%02d\n", i, []string{"boat river sail wave tide", "piano violin opera chord tune"}[i%2]+fmt.Sprint(" word", i%5), i%3, 1+i%28)
	}
	file := write(t, dir, "table.csv", b)
	run := []string{"cluster", file, "-k", "2", "--method", "kmeans", "--page-columns", "kind", "--snippets", "20", "--time-column", "day"}
	want := "note     Without --out there is no file for --page-columns, --snippets, which have no effect.\n"
	if said := mustCall(t, run...).stdout; !strings.Contains(said, want) {
		t.Errorf("%q is not in\n%s", want, said)
	}
	// A column of times is no column of classes, with files and without: the flag has an effect.
	months := write(t, dir, "months.csv", strings.NewReplacer("kind", "class", ",k0,", ",2026-01,", ",k1,", ",2026-02,", ",k2,", ",2026-03,").Replace(b))
	if said := mustCall(t, "cluster", months, "-k", "2", "--method", "kmeans").stdout; !strings.Contains(said, "classes are") {
		t.Errorf("no classes in\n%s", said)
	}
	if said := mustCall(t, "cluster", months, "-k", "2", "--method", "kmeans", "--time-column", "class").stdout; strings.Contains(said, "no effect") || strings.Contains(said, "classes are") {
		t.Errorf("of a column of times it says\n%s", said)
	}
	if said := mustCall(t, append(run, "--out", filepath.Join(dir, "out"))...).stdout; strings.Contains(said, "no effect") {
		t.Errorf("with --out it says\n%s", said)
	}
}

// A text that many documents have and that lies in a cluster with others is noted with the cluster.
func TestRepeatedTexts(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "{\"id\":\"d%d\",\"text\":%q}\n", i, []string{"boat river sail wave", "piano violin opera chord"}[i%2]+fmt.Sprintf(" word%d other%d", i%7, i%5))
	}
	for i := range 30 {
		fmt.Fprintf(&b, "{\"id\":\"form%d\",\"text\":\"our office is closed boat until word1 monday\"}\n", i)
	}
	file := write(t, t.TempDir(), "forms.jsonl", b.String())
	said := mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans").stdout
	if want := "form0 is the text of 30 of the "; !strings.Contains(said, want) || !strings.Contains(said, "--duplicates drop leaves the copies out") {
		t.Errorf("%q is not in\n%s", want, said)
	}
	if said := mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--duplicates", "drop").stdout; strings.Contains(said, "Repeated texts") {
		t.Errorf("without copies it says\n%s", said)
	}
}

// Where nothing is in common, the message fits the cause: few different texts, or terms of single
// documents, for which --min-df 1 is advised only where it is not given.
func TestNothingInCommon(t *testing.T) {
	dir := t.TempDir()
	short, single := "id,text,channel\n", "id,text\n"
	for i := range 40 {
		short += fmt.Sprintf("%d,boat river number%d,%s\n", i, i, []string{"mail", "web"}[i%2])
		single += fmt.Sprintf("%d,alpha%d beta%d\n", i, i, i)
	}
	r := call("cluster", write(t, dir, "short.csv", short), "-k", "2", "--text-column", "channel")
	if r.status != exitRequest || !strings.Contains(r.stderr, "the 40 documents have 2 different texts") || !strings.Contains(r.stderr, "--text-column") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
	r = call("cluster", write(t, dir, "single.csv", single), "-k", "2", "--min-df", "1")
	if r.status != exitRequest || !strings.Contains(r.stderr, "no two documents have a term") || strings.Contains(r.stderr, "--min-df") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

// A list of labels, one a line, may begin with a header of any name: it is one line too long.
func TestLabelsUnderAnyHeader(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 10)
	list := "Kategorie\n" + strings.Repeat("a\n", 10) + strings.Repeat("b\n", 10) + strings.Repeat("c\n", 10)
	labels := write(t, dir, "labels.csv", list)
	for _, flag := range []string{"--truth", "--labels"} {
		said := mustCall(t, "cluster", file, "-k", "3", "--method", map[string]string{"--truth": "kmeans", "--labels": "seeded-kmeans"}[flag], flag, labels).stdout
		if want := "The first line of labels.csv, Kategorie, is taken for a header"; !strings.Contains(said, want) {
			t.Errorf("%s: %q is not in\n%s", flag, want, said)
		}
	}
	numbers := strings.Repeat("0\n1\n2\n", 10)
	said := mustCall(t, "cluster", file, "-k", "3", "--method", "kmeans", "--truth", write(t, dir, "y.csv", "x\n"+numbers)).stdout
	if !strings.Contains(said, "The first line of y.csv, x, is taken for a header") {
		t.Errorf("a word above numbers is no header in\n%s", said)
	}
	// Neither a number above numbers nor what an array has first is a header.
	array := append([]byte{0, 0, 8, 1, 0, 0, 0, 31, 9}, bytes.Repeat([]byte{0, 1, 2}, 10)...)
	for name, long := range map[string]string{"more.csv": "a\n" + list, "numbers.csv": "9\n" + numbers, "y.idx": string(array)} {
		r := call("cluster", file, "-k", "3", "--method", "kmeans", "--truth", write(t, dir, name, long))
		if r.status != exitRequest || !strings.Contains(r.stderr, " labels") {
			t.Errorf("%s: status %d: %s", name, r.status, r.stderr)
		}
	}
}
