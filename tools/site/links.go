package main

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// kind is what the site makes of a file.
type kind int

const (
	rendered kind = iota // Markdown and notebooks
	listed               // text that is shown as it is, on a page of its own
	copied               // anything else
)

// copiedTypes are the endings of files that browsers and other programs open themselves.
var copiedTypes = []string{".png", ".webp", ".svg", ".jpg", ".csv", ".json", ".gz", ".npy", ".npz", ".html"}

func kindOf(name string) kind {
	switch ext := path.Ext(name); {
	case ext == ".md", ext == ".ipynb":
		return rendered
	case slices.Contains(copiedTypes, ext):
		return copied
	}
	return listed
}

// resolve returns the URL, relative to the page, of a link's destination, and what it leads to if
// that is inside the site. A destination with a scheme is kept; a file that does not exist, or that
// lies outside the repository, is an error.
func resolve(root string, from *page, dest string) (to string, inside *link, err error) {
	u, err := url.Parse(dest)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", from.path, err)
	}
	if u.Scheme != "" || u.Host != "" {
		return dest, nil, nil
	}
	target := from.path
	if u.Path != "" {
		target = path.Join(path.Dir(from.path), u.Path)
	}
	if target == ".." || strings.HasPrefix(target, "../") {
		return "", nil, fmt.Errorf("%s: the link %s leads out of the repository", from.path, dest)
	}
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(target)))
	if err != nil {
		return "", nil, fmt.Errorf("%s: the link %s leads to no file", from.path, dest)
	}
	if info.IsDir() {
		target = path.Join(target, "README.md")
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
			return "", nil, fmt.Errorf("%s: the link %s leads to a folder without README.md", from.path, dest)
		}
	}
	place := target
	if kindOf(target) != copied {
		place = pageURL(target)
	}
	to = relative(from.url(), place)
	if u.Fragment != "" {
		to += "#" + u.Fragment
	}
	return to, &link{target, u.Fragment}, nil
}

// relative returns the path that leads from one file of the site to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}
