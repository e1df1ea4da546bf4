package main

import (
	"bytes"
	"embed"
	"html/template"
	"os"
	"path/filepath"
	"slices"
)

//go:embed assets
var assets embed.FS

var layout = template.Must(template.ParseFS(assets, "assets/page.html"))

// view is what the template shows.
type view struct {
	Title, Site string
	Root        string // the way from the page to the root of the site
	Body        template.HTML
	Nav         []navGroup
	Contents    []heading
	Back, Next  *navLink
	Source      string
}

type navGroup struct {
	Title string
	Links []navLink
}

type navLink struct {
	Title, URL string
	Here, Open bool
	Below      []navLink
}

// write writes the site into a folder. The folder is emptied first if it is a site that was made
// before; any other folder with files is left alone.
func (s *site) write(out string) error {
	if err := clear(out); err != nil {
		return err
	}
	put := func(name string, text []byte) error {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, text, 0o644)
	}
	if err := put(mark, nil); err != nil {
		return err
	}
	for _, name := range []string{"site.css", "site.js"} {
		text, err := assets.ReadFile("assets/" + name)
		if err == nil {
			err = put(name, text)
		}
		if err != nil {
			return err
		}
	}
	index, err := s.index()
	if err == nil {
		err = put("search.js", index)
	}
	if err != nil {
		return err
	}
	for name := range s.copies {
		text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
		if err == nil {
			err = put(name, text)
		}
		if err != nil {
			return err
		}
	}
	for _, p := range s.sorted() {
		var b bytes.Buffer
		if err := layout.Execute(&b, s.view(p)); err != nil {
			return err
		}
		if err := put(p.url(), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// mark is the file by which a folder is known as a site of this program.
const mark = ".eigenmap-site"

func clear(out string) error {
	entries, err := os.ReadDir(out)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, mark)); err != nil {
		return &os.PathError{Op: "site", Path: out, Err: os.ErrExist}
	}
	return os.RemoveAll(out)
}

func (s *site) view(p *page) view {
	v := view{Title: p.title, Site: "Eigenmap", Root: relative(p.url(), ""), Body: template.HTML(p.body), Source: p.path}
	for _, h := range p.headings {
		if h.Level == 2 || h.Level == 3 {
			v.Contents = append(v.Contents, h)
		}
	}
	to := func(name, title string) navLink {
		return navLink{Title: title, URL: relative(p.url(), pageURL(name)), Here: name == p.path}
	}
	for _, group := range s.nav {
		g := navGroup{Title: group.Title}
		for _, it := range group.Items {
			l := to(it.Path, it.Title)
			l.Open = l.Here
			for _, name := range s.order {
				if it.Below != "" && filepath.ToSlash(filepath.Dir(name)) == it.Below && name != it.Path {
					below := to(name, s.pages[name].title)
					l.Open = l.Open || below.Here
					l.Below = append(l.Below, below)
				}
			}
			g.Links = append(g.Links, l)
		}
		v.Nav = append(v.Nav, g)
	}
	if i := slices.Index(s.order, p.path); i >= 0 {
		if i > 0 {
			l := to(s.order[i-1], s.pages[s.order[i-1]].title)
			v.Back = &l
		}
		if i+1 < len(s.order) {
			l := to(s.order[i+1], s.pages[s.order[i+1]].title)
			v.Next = &l
		}
	}
	return v
}
