package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// entry is a document of the corpus: the documentation of one name of a package.
type entry struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Label string `json:"label"`
}

// leastWords is the least number of words of a document.
const leastWords = 12

// parts are the folders of the standard library whose packages are documents, which are the
// classes.
var parts = []string{"archive", "crypto", "database", "encoding", "go", "html", "image", "math", "net", "os", "reflect", "runtime", "sync", "testing", "text", "time"}

// writeLibrary writes the documentation of the functions, types and methods of Go's standard
// library as JSON lines.
func writeLibrary(file string) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	b := bufio.NewWriter(out)
	lines := json.NewEncoder(b)
	home, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT, where the documented packages lie: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(home)), "src")
	for _, part := range parts {
		err := filepath.WalkDir(filepath.Join(root, part), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if name := d.Name(); name == "internal" || name == "testdata" || name == "vendor" {
				return filepath.SkipDir
			}
			entries, err := packageEntries(root, dir, part)
			for _, e := range entries {
				if err == nil {
					err = lines.Encode(e)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return b.Flush()
}

// system is the system whose files are read, so that the corpus is the same everywhere.
var system = build.Context{GOOS: "linux", GOARCH: "amd64", Compiler: "gc", CgoEnabled: true, ReleaseTags: build.Default.ReleaseTags}

// packageEntries returns the documents of one package.
func packageEntries(root, dir, part string) (entries []entry, err error) {
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if fits, err := system.MatchFile(dir, filepath.Base(name)); err != nil {
			return nil, err
		} else if !fits || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 || file.Name.Name == files[0].Name.Name {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	path, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, err
	}
	path = filepath.ToSlash(path)
	p, err := doc.NewFromFiles(set, files, path)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	add := func(name, text string) {
		if id := path + "." + name; len(strings.Fields(text)) >= leastWords && !seen[id] {
			seen[id] = true
			entries = append(entries, entry{id, strings.TrimSpace(text), part})
		}
	}
	for _, f := range p.Funcs {
		add(f.Name, f.Doc)
	}
	for _, t := range p.Types {
		add(t.Name, t.Doc)
		for _, f := range t.Funcs {
			add(f.Name, f.Doc)
		}
		for _, f := range t.Methods {
			add(t.Name+"."+f.Name, f.Doc)
		}
	}
	return entries, nil
}
