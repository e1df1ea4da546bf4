package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// TestSpreadsheetSafe: no cell of a CSV file begins a formula, numbers are as they were, and
// what is written is read back; without the flag the texts are as they are, and are read back as
// well.
func TestSpreadsheetSafe(t *testing.T) {
	dir := t.TempDir()
	file := hostile(t, dir)
	tables := []string{"clusters.csv", "topics.csv", "uncertain.csv"}
	for _, safe := range []string{"false", "true"} {
		out, placed := filepath.Join(dir, safe), filepath.Join(dir, safe+"placed")
		args := []string{"--spreadsheet-safe=" + safe, "--out"}
		mustCall(t, append([]string{"cluster", file, "--method", "plsa", "-k", "3", "--labeled-fraction", "0.5"}, append(args, out)...)...)
		mustCall(t, append([]string{"predict", filepath.Join(out, modelName), file}, append(args, placed)...)...)
		mustCall(t, append([]string{"embed", file, "--method", "le", "-d", "2", "--format", "csv"}, append(args, out+"embedded")...)...)
		paths := []string{filepath.Join(placed, "clusters.csv"), filepath.Join(out+"embedded", "embedding.csv")}
		for _, name := range tables {
			paths = append(paths, filepath.Join(out, name))
		}
		dangerous := 0
		for _, path := range paths {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
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
		if safe == "true" && dangerous > 0 || safe == "false" && dangerous == 0 {
			t.Errorf("spreadsheet-safe=%s: %d cells begin a formula", safe, dangerous)
		}
		for _, path := range []string{filepath.Join(out, "clusters.csv"), filepath.Join(placed, "clusters.csv")} {
			if r := mustCall(t, "eval", file, path); !strings.Contains(r.stdout, "24 documents, 3 classes") {
				t.Errorf("spreadsheet-safe=%s: %s", safe, r.stdout)
			}
		}
		mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--truth", filepath.Join(out, "clusters.csv"))
		mustCall(t, "cluster", file, "--method", "semi-le", "--labels", filepath.Join(out, "clusters.csv"))
	}
	plain, safe := readFile(t, filepath.Join(dir, "false", "clusters.csv")), readFile(t, filepath.Join(dir, "true", "clusters.csv"))
	if !strings.HasPrefix(plain, "id,cluster,") || strings.Contains(plain, "escaped") || !strings.Contains(safe, "escaped") || !strings.Contains(safe, "\n-5,") {
		t.Errorf("the tables are\n%s\n%s", plain, safe)
	}
}
