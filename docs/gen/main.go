// Command gen writes the pages of documentation that are made from the program: one page per
// method, the list of methods, the options of every run, the table of methods in README.md, the
// estimators of the Python package, and docs/api.txt, the list of public names. It also sets the
// figures of docs/tables/*.json beside the papers' by today's rules, without computing them again.
//
// A method's page is its Spec, its notes in docs/methods/notes if there are any, and the tags of
// its options. Run it in the repository's root (make docs); a test fails if a committed page
// differs from what it writes.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// write writes every page that differs, and removes the pages of methods that there are no more.
func write(root string) error {
	all, err := pages(root)
	if err != nil {
		return err
	}
	old, err := stale(root, all)
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			return err
		}
		fmt.Println("removed", name)
	}
	for _, p := range all {
		path := filepath.Join(root, p.name)
		if has, err := os.ReadFile(path); err == nil && bytes.Equal(has, p.text) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, p.text, 0o666); err != nil {
			return err
		}
		fmt.Println("wrote", p.name)
	}
	return nil
}

// page is a file of documentation.
type page struct {
	name string // relative to the repository's root
	text []byte
}

// pages are all generated pages.
func pages(root string) ([]page, error) {
	methods := eigenmap.Methods()
	readme, err := withTable(root, methods)
	if err != nil {
		return nil, err
	}
	api, err := apiPage(root)
	if err != nil {
		return nil, err
	}
	all := []page{
		readme,
		{"docs/options.md", optionsPage(methods)},
		{"docs/methods/README.md", listPage(methods)},
		{pythonFile, pythonPage(methods)},
		api,
	}
	for _, s := range methods {
		notes, err := os.ReadFile(filepath.Join(root, "docs/methods/notes", s.Name+".md"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, page{"docs/methods/" + s.Name + ".md", methodPage(s, notes)})
	}
	stored, err := tables(root)
	return append(all, stored...), err
}

// stale are the pages and notes of methods that do not exist.
func stale(root string, all []page) ([]string, error) {
	var old []string
	for _, dir := range []string{"docs/methods/", "docs/methods/notes/"} {
		found, err := filepath.Glob(filepath.Join(root, dir, "*.md"))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			made := "docs/methods/" + filepath.Base(f)
			if !slices.ContainsFunc(all, func(p page) bool { return p.name == made }) {
				old = append(old, dir+filepath.Base(f))
			}
		}
	}
	return old, nil
}

// The lines of README.md between which the table of methods is.
const (
	begin = "<!-- methods: written by make docs -->\n"
	end   = "<!-- end of methods -->\n"
)

// withTable is README.md with the table of methods of today.
func withTable(root string, methods []spec) (page, error) {
	const name = "README.md"
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return page{}, err
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return page{}, fmt.Errorf("%s: it lacks the lines %q and %q, between which the table of methods belongs", name,
			strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return page{name, []byte(head + begin + shortTable(methods) + end + tail)}, nil
}
