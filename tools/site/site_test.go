package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// The documentation has no broken link, the site loads nothing from elsewhere, and no tag has a
// style of its own, which the site's policy would refuse.
func TestSite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	must.Do(t, run("../..", out))
	loads := regexp.MustCompile(`(?:src|srcset|data)="(?:https?:)?//|<link[^>]*href="(?:https?:)?//|url\((?:https?:)?//|@import`)
	err := filepath.WalkDir(out, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := filepath.Ext(file); ext != ".html" && ext != ".css" && ext != ".js" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if filepath.Base(file) != "search.js" && loads.Match(text) {
			t.Errorf("%s loads something from elsewhere: %s", file, loads.Find(text))
		}
		if filepath.Ext(file) == ".html" && strings.Contains(string(text), " style=\"") {
			t.Errorf("%s has a style in a tag", file)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, name := range []string{"index.html", "docs/cli.html", "docs/methods/index.html", "docs/images/page.webp", "search.js", "site.css", "site.js"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	// A second run replaces the first; a folder of other files is left alone.
	if err := run("../..", out); err != nil {
		t.Error(err)
	}
	must.Do(t, os.Remove(filepath.Join(out, mark)))
	if err := run("../..", out); err == nil {
		t.Error("a folder that is no site was overwritten")
	}
}

// tree writes files into a temporary folder and reads them as a site whose pages are in the list.
func tree(t *testing.T, files map[string]string, order ...string) *site {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	nav := section{Title: "All"}
	for _, name := range order {
		nav.Items = append(nav.Items, item{Path: name, Title: name})
	}
	s := must.Get(read(root, []section{nav}))(t)
	return s
}

func TestFaultsAreFound(t *testing.T) {
	s := tree(t, map[string]string{
		"README.md": "# A\n\n[gone](docs/gone.md) [no heading](docs/b.md#c) [outside](../x.md) [here](#b-c) [empty](empty)\n" +
			"![far](https://example.org/x.png)\n\n<div>html</div>\n\n<!-- a comment -->\n\n## B, *c*\n",
		"docs/b.md":    "# B\n",
		"docs/lost.md": "# Lost\n",
		"empty/x.txt":  "",
	}, "README.md", "docs/b.md")
	var got []string
	for _, err := range s.check() {
		got = append(got, err.Error())
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		"README.md: the link docs/gone.md leads to no file",
		"README.md: docs/b.md has no heading #c",
		"README.md: the link ../x.md leads out of the repository",
		"README.md: the link empty leads to a folder without README.md",
		"README.md: the picture https://example.org/x.png is not in the repository",
		"README.md: HTML in Markdown is left out: <div>html</div>",
		"docs/lost.md is not in the navigation",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it did not find: %s", want)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d faults, not 7:\n%s", len(got), text)
	}
}

// Links to Markdown become links to pages, and links to sources lead to pages that show them.
func TestLinks(t *testing.T) {
	s := tree(t, map[string]string{
		"README.md":        "# A\n\n[b](docs/b.md#two-words) ![p](docs/p.png)\n",
		"docs/b.md":        "# B\n\n[up](../README.md) [code](../x.go) [folder](m)\n\n## Two words\n\n```sh\nrun # it\n```\n\n## Two words\n",
		"docs/m/README.md": "# M\n",
		"docs/p.png":       "",
		"x.go":             "package x // <x>\n",
	}, "README.md", "docs/b.md", "docs/m/README.md")
	if faults := s.check(); len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, c := range []struct{ page, want string }{
		{"README.md", `href="docs/b.html#two-words"`},
		{"README.md", `src="docs/p.png"`},
		{"docs/b.md", `href="../index.html"`},
		{"docs/b.md", `href="../source/x.go.html"`},
		{"docs/b.md", `href="../docs/m/index.html"`},
		{"docs/b.md", `<h2 id="two-words-1">`},
		{"docs/b.md", `run <i># it`},
		{"x.go", `package x // &lt;x&gt;`},
	} {
		if !strings.Contains(s.pages[c.page].body, c.want) {
			t.Errorf("%s lacks %s:\n%s", c.page, c.want, s.pages[c.page].body)
		}
	}
	if !s.copies["docs/p.png"] {
		t.Error("the picture is not copied")
	}
	index, err := s.index()
	if err != nil || !strings.Contains(string(index), `["docs/b.html#two-words","B","Two words","run # it"]`) {
		t.Errorf("%v: %s", err, index)
	}
}

func TestNotebook(t *testing.T) {
	got, err := notebook([]byte(`{"cells": [{"cell_type": "markdown", "source": ["# A\n", "text"]},
		{"cell_type": "code", "source": ["x = 1\n", "x"], "outputs": [{"name": "stderr", "text": ["warning"]}, {"name": "stdout", "text": ["1\n"]},
		{"data": {"image/png": "iVBO\n", "text/plain": ["<Figure>"]}}, {"data": {"text/plain": ["2"]}}]}]}`))
	want := "# A\ntext\n\n```python\nx = 1\nx\n```\n\n```output\n1\n```\n\n![what the code draws](data:image/png;base64,iVBO)\n\n```output\n2\n```\n\n"
	if err != nil || string(got) != want {
		t.Errorf("%v: %q", err, got)
	}
}

// Anchors are GitHub's.
func TestSlug(t *testing.T) {
	for title, want := range map[string]string{"A first run": "a-first-run", "What's new, 1.0?": "whats-new-10", "k-auto": "k-auto", "Größe": "größe", "a & b": "a--b"} {
		if got := slug(title); got != want {
			t.Errorf("%q: %q, not %q", title, got, want)
		}
	}
}

func TestDiagram(t *testing.T) {
	svg := must.Get(diagram("flowchart TB\n  a[first one] & b --> c\n  c --> d[last <one>]\n  subgraph all\n    e ~~~ f[of a group]\n  end\n"))(t)
	if n := strings.Count(svg, "<path d=\"M") - 1; n != 3 {
		t.Errorf("%d arrows, not 3", n)
	}
	if n := strings.Count(svg, "<rect"); n != 7 {
		t.Errorf("%d boxes, not 6 and the group's", n)
	}
	if !strings.Contains(svg, "last &lt;one&gt;") {
		t.Error("text is not escaped")
	}
	if _, err := diagram("sequenceDiagram\n  a->>b: x\n"); err == nil {
		t.Error("a diagram of another kind was drawn")
	}
}
