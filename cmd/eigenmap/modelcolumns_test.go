package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tickets writes a table with two columns of texts, of which no guess finds the right one.
func tickets(t *testing.T, dir string, header string, n int) string {
	t.Helper()
	topics := [][]string{strings.Fields("card fee refund invoice charge bank"), strings.Fields("router wifi signal cable modem reset")}
	rng := rand.New(rand.NewPCG(1, 2))
	columns := strings.Split(header, ",")
	b := header + "\n"
	for i := range n {
		words := func() string {
			var list []string
			for range 8 {
				list = append(list, topics[i%2][rng.IntN(6)])
			}
			return strings.Join(list, " ")
		}
		var row []string
		for _, c := range columns {
			switch c {
			case "Nr":
				row = append(row, fmt.Sprint("T", i))
			case "Produkt":
				row = append(row, []string{"account", "line"}[i%2])
			default:
				row = append(row, words())
			}
		}
		b += strings.Join(row, ",") + "\n"
	}
	return write(t, dir, strings.ReplaceAll(header, ",", "-")+".csv", b)
}

// A model remembers the columns that its run was told of: predict and update take them where the
// new file has them and no flag says otherwise, and say so. Column numbers are not remembered.
func TestModelColumns(t *testing.T) {
	dir := t.TempDir()
	file := tickets(t, dir, "Nr,Frage,Antwort,Produkt", 60)
	made := filepath.Join(dir, "made")
	mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--id-column", "Nr", "--text-column", "Frage", "--label-column", "Produkt", "--out", made)
	other := tickets(t, dir, "Antwort,Frage,Nr", 20)
	placed := filepath.Join(dir, "placed")
	said := mustCall(t, "predict", made, other, "--out", placed).stdout
	if want := "The columns are those of the model: Frage (texts), Nr (names of the documents)"; !strings.Contains(said, want) {
		t.Errorf("%q is not in\n%s", want, said)
	}
	rows, err := os.ReadFile(filepath.Join(placed, "clusters.csv"))
	if err != nil || !strings.Contains(string(rows), "\nT19,") {
		t.Errorf("%v:\n%s", err, rows)
	}
	one := write(t, dir, "one.csv", "Nr,Frage\nT77,card fee refund\n")
	if said := mustCall(t, "predict", made, one).stdout; !strings.Contains(said, "placed  1 document,") {
		t.Errorf("the header of one document is a document:\n%s", said)
	}
	updated := filepath.Join(dir, "updated")
	if said := mustCall(t, "update", made, file, "--out", updated).stdout; !strings.Contains(said, "Produkt (classes)") || !strings.Contains(said, "accuracy") {
		t.Errorf("update says\n%s", said)
	}
	mustCall(t, "predict", updated, other)
	if said := mustCall(t, "predict", made, other, "--text-column", "Antwort", "--id-column", "none").stdout; strings.Contains(said, "those of the model") {
		t.Errorf("flags do not count:\n%s", said)
	}

	numbered := filepath.Join(dir, "numbered")
	mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--text-column", "2", "--out", numbered)
	if r := call("predict", numbered, other); r.status != exitRequest || !strings.Contains(r.stderr, "--text-column") {
		t.Errorf("status %d: %s%s", r.status, r.stdout, r.stderr)
	}
}

// The command that info names keeps the results, under the names that the documents may have.
func TestInfoNext(t *testing.T) {
	dir := t.TempDir()
	file := tickets(t, dir, "Nr,Frage", 40)
	said := mustCall(t, "info", file).stdout
	if want := "next  eigenmap cluster " + file + " -k auto --id-column Nr --out results\n"; !strings.HasSuffix(said, want) {
		t.Errorf("%q is not the end of\n%s", want, said)
	}
}
