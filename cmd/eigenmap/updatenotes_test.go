package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	text, err := os.ReadFile(tickets(t, t.TempDir(), "Nr,Frage", 60))
	if err != nil {
		t.Fatal(err)
	}
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
