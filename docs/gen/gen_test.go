package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

const root = "../.."

// The committed pages are what the program says today.
func TestPagesAreCurrent(t *testing.T) {
	all := must.Get(pages(root))(t)
	for _, p := range all {
		if has, err := os.ReadFile(filepath.Join(root, p.name)); err != nil {
			t.Errorf("%v: run make docs", err)
		} else if !bytes.Equal(has, p.text) {
			t.Errorf("%s is not what the program says: run make docs", p.name)
		}
	}
	old := must.Get(stale(root, all))(t)
	for _, name := range old {
		t.Errorf("%s is of no method: run make docs", name)
	}
	stored, err := tables(root)
	if err != nil || len(stored) < 3*20 {
		t.Errorf("%d files of tables: %v", len(stored), err)
	}
	if want := len(eigenmap.Methods()) + 5 + len(stored); len(all) != want {
		t.Errorf("%d pages, not %d", len(all), want)
	}
}

// A page has a table of the method's options with their conditions, and the method's notes.
func TestMethodPage(t *testing.T) {
	for _, s := range eigenmap.Methods() {
		if s.Name != "cle" {
			continue
		}
		got := string(methodPage(s, []byte("Good for this.\n")))
		for _, want := range []string{
			"\n# cle\n", "## Notes\n\nGood for this.\n", "| labels | needed for a part of the documents, or must-links and cannot-links |",
			"| `--neighbors` | whole number of at least 1 | 15, or all others if there are fewer | not with `--graph-kind` complete, without `--epsilon` | nearest neighbours",
			"| `-d`, `--dims` |", "| `--poly-degree` | whole number of at least 1 | 2 | not with `--graph-kind` complete, with `--edge-weight` poly |",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("the page lacks %q", want)
			}
		}
	}
}

// texts are the documents of the repository.
func texts(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "*/*.md", "*/*/*.md", "*/*/*/*.md"} {
		found := must.Get(filepath.Glob(filepath.Join(root, pattern)))(t)
		for _, f := range found {
			if !strings.Contains(f, "/out/") {
				all = append(all, f)
			}
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d documents found", len(all))
	}
	return all
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link within the repository leads to a file and to a heading that exist.
func TestLinks(t *testing.T) {
	for _, file := range texts(t) {
		text := must.Get(os.ReadFile(file))(t)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to, at, _ := strings.Cut(m[1], "#")
			path := file
			if to != "" {
				path = filepath.Join(filepath.Dir(file), to)
			}
			target, err := os.ReadFile(path)
			if err != nil {
				if info, failed := os.Stat(path); failed != nil || !info.IsDir() {
					t.Errorf("%s: the link %s leads nowhere", file, m[1])
				}
				continue
			}
			if at != "" && !hasHeading(string(target), at) {
				t.Errorf("%s: there is no heading for the link %s", file, m[1])
			}
		}
	}
}

// Files of code that the description of the architecture names exist.
func TestArchitectureNamesFiles(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(root, "docs/architecture.md")))(t)
	named := regexp.MustCompile("`([a-z0-9_/]+\\.go)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 20 {
		t.Errorf("only %d files are named", len(named))
	}
	for _, m := range named {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("docs/architecture.md names %s: %v", m[1], err)
		}
	}
}

func hasHeading(text, anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		if strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// Lines of text are at most 120 characters wide; tables, code and what is generated may be wider.
func TestLinesAreNarrow(t *testing.T) {
	for _, file := range texts(t) {
		text := must.Get(os.ReadFile(file))(t)
		code := false
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if !code && !strings.HasPrefix(line, "|") && utf8.RuneCountInString(line) > 120 {
				t.Errorf("%s:%d is %d characters wide", file, i+1, utf8.RuneCountInString(line))
			}
		}
	}
}
