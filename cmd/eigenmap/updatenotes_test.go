package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestUpdateWithoutFolderSaysSo: an update that is not kept says that nothing was written; one that
// is kept, and one by which the model does not change, do not.
func TestUpdateWithoutFolderSaysSo(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made")
	file := tickets(t, dir, "Nr,Frage,Antwort", 60)
	mustCall(t, "cluster", file, "-k", "2", "--method", "le", "--text-column", "Frage", "--out", made)
	const want = "Nothing was written"
	for _, c := range []struct {
		args []string
		says bool
	}{
		{[]string{made, file, "--text-column", "Antwort"}, true},
		{[]string{made, file, "--text-column", "Antwort", "--json"}, true},
		{[]string{made, file, "--text-column", "Antwort", "--out", filepath.Join(dir, "kept")}, false},
		{[]string{made, file}, false},
	} {
		said := mustCall(t, append([]string{"update"}, c.args...)...).stdout
		if strings.Contains(said, want) != c.says || c.says && !strings.Contains(said, "--out") {
			t.Errorf("update %q says\n%s", c.args, said)
		}
	}
}

// TestNumbersForNamesWarn: new documents without names, for a model whose documents had names, are
// warned of, in blocks and held; others are not.
func TestNumbersForNamesWarn(t *testing.T) {
	dir := t.TempDir()
	file := tickets(t, dir, "Nr,Frage,Antwort,Produkt", 60)
	renamed, unnamed := tickets(t, dir, "Ticket,Frage", 20), tickets(t, dir, "Frage", 20)
	named, known, none := filepath.Join(dir, "named"), filepath.Join(dir, "known"), filepath.Join(dir, "none")
	mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--id-column", "Nr", "--text-column", "Frage", "--out", named)
	text := must.Get(os.ReadFile(tickets(t, t.TempDir(), "Nr,Frage", 60)))(t)
	mustCall(t, "cluster", write(t, dir, "ids.csv", strings.Replace(string(text), "Nr", "id", 1)), "-k", "2", "--out", known)
	mustCall(t, "cluster", tickets(t, t.TempDir(), "Frage", 60), "-k", "2", "--out", none)
	truth := write(t, dir, "truth.txt", strings.Repeat("a\nb\n", 10))
	for _, c := range []struct {
		args []string
		part string // of the warning; "": there is none
	}{
		{[]string{"predict", named, renamed}, "in Nr, which"},
		{[]string{"update", named, unnamed}, "in Nr, which"},
		{[]string{"predict", named, renamed, "--out", filepath.Join(dir, "placed")}, "in Nr, which"},
		{[]string{"predict", named, renamed, "--truth", truth}, "in Nr, which"},
		{[]string{"predict", known, unnamed}, "and the model's have names; --id-column"},
		{[]string{"predict", named, file}, ""},
		{[]string{"predict", named, renamed, "--id-column", "none"}, ""},
		{[]string{"predict", none, unnamed}, ""},
	} {
		said := mustCall(t, append(c.args, "--quiet")...).stderr
		warned := strings.Contains(said, "no names but their numbers, 1 to 20")
		if warned != (c.part != "") || !strings.Contains(said, c.part) {
			t.Errorf("%q warns %q, not of %q", c.args, said, c.part)
		}
	}
}

// Notes about one document are in the singular, and numbers of documents that count equal ones once
// say so.
func TestNotesOfOneAndOfDifferent(t *testing.T) {
	dir := t.TempDir()
	lines := ""
	for i := range 60 {
		lines += fmt.Sprintf(`{"text":"the %s in the garden sleeps with number%d"}`+"\n", []string{"dog", "cat"}[i%2], i%20)
	}
	made := filepath.Join(dir, "made")
	mustCall(t, "cluster", write(t, dir, "a.jsonl", lines), "-k", "2", "--out", made)
	one := write(t, dir, "one.jsonl", `{"text":"the dog in the garden sleeps with number0"}`)
	if said := mustCall(t, "predict", made, one).stdout; !strings.Contains(said, "Nothing new: the document has the terms") {
		t.Errorf("of one known document:\n%s", said)
	}
	alien := write(t, dir, "alien.jsonl", `{"text":"number1 number2 number3 number4"}`)
	if said := mustCall(t, "predict", made, alien).stdout; !strings.Contains(said, "1 of 1 document is farther from its cluster than") {
		t.Errorf("of one novel document:\n%s", said)
	}
	if r := mustCall(t, "update", made, alien); !strings.Contains(r.stdout, "had 20 when it was fitted") || !strings.Contains(r.stdout, "21 different documents") {
		t.Errorf("update says\n%s", r.stdout)
	}
}

// TestUpdateCountsIgnoredTerms: an update counts the terms that the model ignores, whether it grows
// or not, and names the way out; it is silent where there are none.
func TestUpdateCountsIgnoredTerms(t *testing.T) {
	dir := t.TempDir()
	var old, known, fresh, same strings.Builder
	for i := range 40 {
		text := []string{"apples pears cherries orchard", "engine gearbox brakes garage"}[i%2]
		fmt.Fprintf(&old, `{"text":"%s grey%d"}`+"\n", text, i/4)
		fmt.Fprintf(&known, `{"text":"%s grey%d grey%d"}`+"\n", text, i/4, (i/4+1)%10)
		fmt.Fprintf(&fresh, `{"text":"%s grey%d grey%d lantern %cqq"}`+"\n", text, i/4, (i/4+1)%10, 'a'+i%26)
		fmt.Fprintf(&same, `{"text":"%s grey%d lantern"}`+"\n", text, i/4)
	}
	file := write(t, dir, "old.jsonl", old.String())
	for method, want := range map[string]string{
		"diffusion": "ignores 12 terms of these documents that it does not know, of 27 new ones: clustering",
		"kmeans":    "ignores 27 terms of these documents that it does not know: clustering",
	} {
		made := filepath.Join(dir, method)
		mustCall(t, "cluster", file, "-k", "2", "--method", method, "--out", made)
		if said := mustCall(t, "update", made, write(t, dir, "fresh.jsonl", fresh.String())).stdout; !strings.Contains(said, want) {
			t.Errorf("%s: an update with new terms says\n%s", method, said)
		}
		if said := mustCall(t, "update", made, write(t, dir, "same.jsonl", same.String())).stdout; !strings.Contains(said, "ignores 1 term ") {
			t.Errorf("%s: an update with a new term in every known text says\n%s", method, said)
		}
		if said := mustCall(t, "update", made, write(t, dir, "known.jsonl", known.String())).stdout; strings.Contains(said, "ignores") {
			t.Errorf("%s: an update with known terms says\n%s", method, said)
		}
	}
}
