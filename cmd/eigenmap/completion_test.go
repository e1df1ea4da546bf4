package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/registry"
)

// The shell completes names of methods and tables, values of choices and of lists, files where a
// path is meant, and nothing for numbers.
func TestCompletion(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"cluster x --method ", strings.Join(registry.Names(), "\n") + "\n:4"},
		{"cluster x --weighting ", "tf\ntfidf\nhellinger\nbinary\nstandard\n:4"},
		{"cluster x --out ", ":0"},
		{"predict ", ":0"},
		{"methods ", strings.Join(registry.Names(), "\n") + "\n:4"},
		{"methods le ", ":4"},
		{"compare x --methods cle,s", "cle," + strings.Join(allBut("cle"), "\ncle,") + "\n:4"},
		{"compare x --methods cle,le,", "cle,le," + strings.Join(allBut("cle", "le"), "\ncle,le,") + "\n:4"},
		{"reproduce ", strings.Join(tableNames(), "\n") + "\n:4"},
		{"cluster x -k ", ":4"},
	} {
		args := append([]string{"__complete"}, strings.Split(c.args, " ")...)
		if r := mustCall(t, args...); strings.TrimSpace(r.stdout) != c.want {
			t.Errorf("%s: %q, want %q", c.args, r.stdout, c.want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if r := mustCall(t, "completion", shell); !strings.Contains(r.stdout, "eigenmap") {
			t.Errorf("%s: %q", shell, r.stdout)
		}
	}
}

// allBut are the names of all methods but some.
func allBut(some ...string) []string {
	return slices.DeleteFunc(registry.Names(), func(name string) bool { return slices.Contains(some, name) })
}

// The version is what every program says with --version and -v; a flag whose name is one letter is
// near to its short form alone; the table of methods fits a page.
func TestFirstWords(t *testing.T) {
	for _, flag := range []string{"--version", "-v"} {
		if r := mustCall(t, flag); !strings.HasPrefix(r.stdout, "eigenmap ") || strings.Count(r.stdout, "\n") != 1 {
			t.Errorf("%s: %q", flag, r.stdout)
		}
	}
	if r := call("cluster", "x", "--k", "20"); r.status != exitRequest || !strings.Contains(r.stderr, "did you mean -k?") {
		t.Errorf("--k: %q", r.stderr)
	}
	for line := range strings.Lines(mustCall(t, "methods").stdout) {
		if n := len([]rune(line)); n > 107 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}
