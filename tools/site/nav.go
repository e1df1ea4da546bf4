package main

// section is a group of the navigation.
type section struct {
	Title string
	Items []item
}

// item is a page of the navigation. Below lists the pages of a folder that are shown under it.
type item struct {
	Path  string // of the Markdown, relative to the repository, with slashes
	Title string
	Below string // a folder: all its pages but README.md, by name
}

// navigation is the order in which one reads.
var navigation = []section{
	{"Start", []item{
		{Path: "README.md", Title: "Eigenmap"},
		{Path: "docs/start.md", Title: "Five-minute start"},
		{Path: "docs/walkthrough.md", Title: "Your own corpus, step by step"},
		{Path: "docs/gallery.md", Title: "Gallery"},
		{Path: "docs/faq.md", Title: "Questions and answers"},
		{Path: "docs/install.md", Title: "Install"},
	}},
	{"Use", []item{
		{Path: "docs/page.md", Title: "The report page"},
		{Path: "docs/explore.md", Title: "Explore and label"},
		{Path: "docs/which-method.md", Title: "Which method"},
		{Path: "docs/methods/README.md", Title: "Methods", Below: "docs/methods"},
		{Path: "docs/formats.md", Title: "Formats"},
		{Path: "docs/vectors.md", Title: "Vectors"},
		{Path: "docs/map.md", Title: "The map"},
		{Path: "docs/confidence.md", Title: "Confidence"},
	}},
	{"Reference", []item{
		{Path: "docs/cli.md", Title: "Command line"},
		{Path: "docs/options.md", Title: "Options of every run"},
		{Path: "docs/python.md", Title: "Python"},
		{Path: "docs/c.md", Title: "C, C++, Fortran"},
		{Path: "docs/julia.md", Title: "Julia"},
		{Path: "examples/README.md", Title: "Examples in Go and Python"},
	}},
	{"Large corpora", []item{
		{Path: "docs/scale.md", Title: "Scale"},
		{Path: "docs/update.md", Title: "Updates of a model"},
		{Path: "docker/README.md", Title: "Containers and batch jobs"},
		{Path: "docs/performance.md", Title: "Performance"},
		{Path: "docs/performance-notes.md", Title: "Notes on performance"},
	}},
	{"Behind it", []item{
		{Path: "docs/reliability.md", Title: "Reliability"},
		{Path: "docs/tables/README.md", Title: "Papers' tables"},
		{Path: "docs/studies/default.md", Title: "Study: the default"},
		{Path: "docs/studies/labels.md", Title: "Study: known labels"},
		{Path: "docs/studies/number.md", Title: "Study: how many clusters"},
		{Path: "docs/studies/tables.md", Title: "Study: tables"},
		{Path: "docs/architecture.md", Title: "Architecture"},
		{Path: "docs/mutants.md", Title: "Mutants"},
		{Path: "bench/README.md", Title: "Measuring"},
		{Path: "CHANGELOG.md", Title: "Changes"},
		{Path: "CONTRIBUTING.md", Title: "Contributing"},
	}},
}
