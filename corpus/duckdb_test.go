package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// The program in the manual makes DuckDB write shards of Parquet, which are read as the JSON lines
// that they are made of: as a folder, as Spark leaves one, and as a list.
func TestDuckDBShards(t *testing.T) {
	python, err := exec.LookPath("python3")
	if given := os.Getenv("EIGENMAP_PYTHON"); given != "" {
		python, err = given, nil
	}
	if err != nil || exec.Command(python, "-c", "import duckdb").Run() != nil {
		t.Skip("there is no Python with duckdb here (EIGENMAP_PYTHON names one)")
	}
	page := must.Get(os.ReadFile("../docs/formats.md"))(t)
	program := regexp.MustCompile("(?s)```python\n(import duckdb.*?)```").FindStringSubmatch(string(page))
	if program == nil {
		t.Fatal("docs/formats.md has no program of DuckDB")
	}
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 9000 {
		d := map[string]string{"id": fmt.Sprintf("d%05d", i), "label": fmt.Sprint("topic ", i%3), "text": fmt.Sprintf("word%d word%d and word%d", i%7, i%50, i%3000)}
		line := must.Get(json.Marshal(d))(t)
		lines.Write(append(line, '\n'))
	}
	file := filepath.Join(dir, "known.jsonl")
	must.Do(t, os.WriteFile(file, []byte(lines.String()), 0o666))
	cmd := exec.Command(python, "-c", program[1])
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shards, err := filepath.Glob(filepath.Join(dir, "shards", "*.parquet"))
	if err != nil || len(shards) < 2 {
		t.Fatalf("DuckDB wrote %v (%v)", shards, err)
	}
	list := filepath.Join(dir, "some.list")
	must.Do(t, os.WriteFile(list, []byte(strings.Join(shards, "\n")), 0o666))
	for _, name := range []string{"_SUCCESS", ".part-00000.parquet.crc"} { // as Spark leaves them
		must.Do(t, os.WriteFile(filepath.Join(dir, "shards", name), nil, 0o666))
	}
	want := must.Get(Read(context.Background(), file, ReadOptions{}))(t)
	for _, path := range []string{filepath.Join(dir, "shards"), list} {
		got := must.Get(Read(context.Background(), path, ReadOptions{}))(t)
		if got.Len() != 9000 || !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Terms, want.Terms) {
			t.Errorf("%s: %d documents of %d terms, or other ids or labels", path, got.Len(), len(got.Terms))
		}
		streamed := 0
		if _, err := Survey(context.Background(), path, ReadOptions{}, func(docs []Document) error { streamed += len(docs); return nil }); err != nil || streamed != 9000 {
			t.Errorf("%s: %d documents in blocks, %v", path, streamed, err)
		}
	}
}
