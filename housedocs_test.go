package eigenmap_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notLayered matches folders that the table of layers need not name: the commands below a folder
// that it names, examples, and what serves the tests of one package.
var notLayered = regexp.MustCompile(`^(\.|examples(/.*)?|cmd/eigenmap/.*|bench/cmd/.*|.*test)$`)

// The table of layers in docs/architecture.md names every folder with Go code, and no other.
func TestHouseArchitectureNamesPackages(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	named := namedFolders(string(text))
	if len(named) < 100 {
		t.Fatalf("the table of layers in docs/architecture.md names %d folders", len(named))
	}
	for _, dir := range named {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			t.Errorf("docs/architecture.md names %s, and there is no such folder", dir)
		}
	}
	seen := map[string]bool{}
	for _, f := range sources(t) {
		if dir := f.dir(); !seen[dir] && !notLayered.MatchString(dir) && !slices.Contains(named, dir) {
			t.Errorf("docs/architecture.md does not name %s: add it to the table of layers", dir)
		}
		seen[f.dir()] = true
	}
}

// namedFolders returns the folders in the second column of the first table. A name without a slash
// is in the folder of the name before it.
func namedFolders(text string) (named []string) {
	code := regexp.MustCompile("`([^`]+)`")
	_, table, _ := strings.Cut(text, "|---|---|---|")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		if len(cells) < 4 || strings.Contains(cells[2], "the root") {
			continue
		}
		parent := ""
		for _, m := range code.FindAllStringSubmatch(cells[2], -1) {
			dir := m[1]
			if strings.Contains(dir, "/") {
				parent = path.Dir(dir)
			}
			named = append(named, path.Join(parent, path.Base(dir)))
		}
	}
	return named
}

func TestHouseNamedFolders(t *testing.T) {
	got := namedFolders("text\n\n| layer | package | content |\n|---|---|---|\n| a | `x/y`, `z` | `no` |\n| | the root, `r` | |\n| | `w` | |\n\n| | `after` | |\n")
	if want := []string{"x/y", "x/z", "w"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
