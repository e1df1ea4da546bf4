package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// site is the documentation as it was read.
type site struct {
	root   string
	nav    []section
	order  []string         // paths of the pages of the navigation, in its order
	pages  map[string]*page // by the path of the source
	copies map[string]bool  // files that are copied as they are: pictures, tables
	faults []error
}

// page is a source file and what was made of it.
type page struct {
	path     string // of the source, relative to the repository, with slashes
	title    string
	body     string
	headings []heading
	links    []link
	ids      map[string]bool // anchors
	sections []passage
}

// heading is a line of the list of contents.
type heading struct {
	Level     int
	ID, Title string
}

// link is a link from a page to a place inside the site.
type link struct{ target, fragment string }

// url returns the path of the page in the site.
func (p *page) url() string { return pageURL(p.path) }

// pageURL returns the path in the site of the page made of a source file.
func pageURL(source string) string {
	if dir, name := path.Split(source); name == "README.md" {
		return dir + "index.html"
	}
	if kindOf(source) == rendered {
		return strings.TrimSuffix(source, path.Ext(source)) + ".html"
	}
	return "source/" + source + ".html"
}

// read reads the pages of the navigation and all files that they link to, directly or not.
func read(root string, nav []section) (*site, error) {
	s := &site{root: root, pages: map[string]*page{}, copies: map[string]bool{}}
	for _, group := range nav {
		own := section{Title: group.Title}
		for _, it := range group.Items {
			own.Items = append(own.Items, it)
			s.order = append(s.order, it.Path)
			if it.Below == "" {
				continue
			}
			below, err := s.folder(it.Below)
			if err != nil {
				return nil, err
			}
			s.order = append(s.order, below...)
		}
		s.nav = append(s.nav, own)
	}
	queue := slices.Clone(s.order)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if s.pages[next] != nil {
			continue
		}
		p, err := s.parse(next)
		if err != nil {
			return nil, err
		}
		s.pages[next] = p
		for _, l := range p.links {
			if kindOf(l.target) == copied {
				s.copies[l.target] = true
			} else {
				queue = append(queue, l.target)
			}
		}
	}
	return s, nil
}

// folder returns the Markdown files of a folder but its README.md.
func (s *site) folder(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(dir), "*.md"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if name := filepath.Base(f); name != "README.md" {
			names = append(names, dir+"/"+name)
		}
	}
	return names, nil
}

// parse reads one file and makes its page.
func (s *site) parse(name string) (*page, error) {
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	p := &page{path: name, ids: map[string]bool{}}
	if kindOf(name) == listed {
		listing(p, text)
		return p, nil
	}
	if path.Ext(name) == ".ipynb" {
		if text, err = notebook(text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	s.faults = append(s.faults, p.render(s.root, text)...)
	return p, nil
}

// check returns what is wrong: what was found on reading, links to headings that do not exist, and
// pages of docs that the navigation leaves out.
func (s *site) check() []error {
	faults := slices.Clone(s.faults)
	for _, p := range s.sorted() {
		for _, l := range p.links {
			if to := s.pages[l.target]; l.fragment != "" && to != nil && !to.ids[l.fragment] {
				faults = append(faults, fmt.Errorf("%s: %s has no heading #%s", p.path, l.target, l.fragment))
			}
		}
	}
	err := filepath.WalkDir(filepath.Join(s.root, "docs"), func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(s.root, file)
		name = filepath.ToSlash(name)
		if strings.HasSuffix(name, ".md") && path.Base(path.Dir(name)) != "notes" && !slices.Contains(s.order, name) {
			faults = append(faults, fmt.Errorf("%s is not in the navigation: add it to tools/site/nav.go", name))
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, err)
	}
	return faults
}

// sorted returns the pages in the order of the navigation, then the others by path.
func (s *site) sorted() []*page {
	var out []*page
	for _, name := range s.order {
		out = append(out, s.pages[name])
	}
	var others []string
	for name := range s.pages {
		if !slices.Contains(s.order, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		out = append(out, s.pages[name])
	}
	return out
}
