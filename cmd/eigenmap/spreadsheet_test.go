package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// hostile writes texts of three topics whose ids and classes a spreadsheet would run.
func hostile(t *testing.T, dir string) string {
	t.Helper()
	text := readFile(t, texts(t, dir, 8))
	for i, id := range []string{"=cmd|' /C calc'!A0", "'=1", "''@x", "-5", "+1+1", "@SUM(A1)"} {
		text = strings.Replace(text, fmt.Sprintf(`"doc-%d-%d"`, i%3, i/3), fmt.Sprintf("%q", id), 1)
	}
	text = strings.ReplaceAll(text, `"topic0"`, `"=topic"`)
	return write(t, dir, "hostile.jsonl", text)
}

// TestTablesAreSafe: by default no cell of a CSV file begins a formula, numbers are as they were,
// and what is written is read back. With --raw-texts the texts are as they are, and are read back
// as well. The flag of the version before is taken, with a note.
func TestTablesAreSafe(t *testing.T) {
	dir := t.TempDir()
	file := hostile(t, dir)
	tables := []string{"clusters.csv", "topics.csv", "uncertain.csv"}
	for flag, safe := range map[string]bool{"": true, "--raw-texts": false, "--spreadsheet-safe": true, "--spreadsheet-safe=false": false} {
		out, placed := filepath.Join(dir, "of"+flag), filepath.Join(dir, "of"+flag+"placed")
		args := []string{"--out"}
		if flag != "" {
			args = []string{flag, "--out"}
		}
		mustCall(t, append([]string{"cluster", file, "--method", "plsa", "-k", "3", "--labeled-fraction", "0.5"}, append(args, out)...)...)
		mustCall(t, append([]string{"predict", filepath.Join(out, modelName), file}, append(args, placed)...)...)
		r := mustCall(t, append([]string{"embed", file, "--method", "le", "-d", "2", "--format", "csv"}, append(args, out+"embedded")...)...)
		if former := strings.HasPrefix(flag, "--spreadsheet"); strings.Contains(r.stderr, "does not take --spreadsheet-safe") != former {
			t.Errorf("%s: %s", flag, r.stderr)
		}
		mustCall(t, append([]string{"compare", file, "--methods", "kmeans,le", "-k", "3", "--seeds", "1"}, append(args, out+"compared")...)...)
		paths := []string{filepath.Join(placed, "clusters.csv"), filepath.Join(out+"embedded", "embedding.csv"), filepath.Join(out+"compared", "aligned.csv")}
		for _, name := range tables {
			paths = append(paths, filepath.Join(out, name))
		}
		dangerous := 0
		for _, path := range paths {
			f := must.Get(os.Open(path))(t)
			records, err := csv.NewReader(f).ReadAll()
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, rec := range records {
				for _, cell := range rec {
					var number float64
					if n, _ := fmt.Sscanf(cell+" end", "%g end", &number); cell != "" && strings.ContainsAny(cell[:1], "=+-@") && (n == 0 || cell == "+1+1") {
						dangerous++
					}
				}
			}
		}
		if safe == (dangerous > 0) {
			t.Errorf("%s: %d cells begin a formula", flag, dangerous)
		}
		for _, path := range []string{filepath.Join(out, "clusters.csv"), filepath.Join(placed, "clusters.csv"), filepath.Join(out+"compared", "aligned.csv")} {
			if r := mustCall(t, "eval", file, path); !strings.Contains(r.stdout, "24 documents, 3 classes") {
				t.Errorf("%s: %s", flag, r.stdout)
			}
		}
		mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--truth", filepath.Join(out, "clusters.csv"))
		mustCall(t, "cluster", file, "--method", "semi-le", "--labels", filepath.Join(out, "clusters.csv"))
	}
	plain, safe := readFile(t, filepath.Join(dir, "of--raw-texts", "clusters.csv")), readFile(t, filepath.Join(dir, "of", "clusters.csv"))
	if !strings.HasPrefix(plain, "id,cluster,") || strings.Contains(plain, "escaped") || !strings.Contains(safe, "escaped") || !strings.Contains(safe, "\n-5,") {
		t.Errorf("the tables are\n%s\n%s", plain, safe)
	}
}
