// Command gallery makes the pictures of docs/gallery.md, from data that anyone may use: shapes that
// it draws itself, the package descriptions of examples/debian, and the documentation of Go's
// standard library, which comes with Go.
//
//	go run ./tools/gallery out/gallery
//
// It writes shapes.png, methods/NAME.png for the page of each method, go.jsonl with the second
// corpus, the results of both corpora, and pictures of their pages if there is a Chromium.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/chromium"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gallery FOLDER")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run makes everything in the folder out.
func run(ctx context.Context, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := drawShapes(ctx, filepath.Join(out, "shapes.png")); err != nil {
		return err
	}
	if err := drawMethods(ctx, filepath.Join(out, "methods")); err != nil {
		return err
	}
	library := filepath.Join(out, "go.jsonl")
	if err := writeLibrary(library); err != nil {
		return err
	}
	for _, c := range []struct {
		name, file string
		options    eigenmap.Options
	}{
		{"debian", "examples/debian/packages.jsonl.gz", eigenmap.Options{Clusters: 12, Levels: []string{"3", "24"}}},
		{"go", library, eigenmap.Options{Clusters: 16}},
	} {
		clustered, err := eigenmap.Cluster(ctx, c.file, c.options)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d documents, accuracy %.3f, NMI %.3f\n", c.name, len(clustered.Labels), clustered.Scores.Accuracy, clustered.Scores.NMI)
		if err := clustered.Save(filepath.Join(out, c.name)); err != nil {
			return err
		}
	}
	return takePictures(ctx, out)
}

// picture is a picture of a page: the file, the result, and what is done on the page before.
type picture struct {
	name, result string
	dark         bool
	before       string // JavaScript
}

var pictures = []picture{
	{"gallery-debian", "debian", true, `document.querySelectorAll("#panel .groups button")[7].click()`},
	{"gallery-levels", "debian", false, `{ const c = document.getElementById("colour"), o = [...c.options].findLast((o) => o.value.startsWith("level")); if (o) { c.value = o.value; c.dispatchEvent(new Event("change")); } }`},
	{"gallery-go", "go", false, ""},
	{"gallery-confidence", "go", true, `{ const c = document.getElementById("colour"); c.value = "confidence"; c.dispatchEvent(new Event("change")); }`},
}

// takePictures opens the pages of the results in Chromium.
func takePictures(ctx context.Context, out string) error {
	path := chromium.Find()
	if path == "" {
		fmt.Println("no pictures of pages: there is no Chromium (apt-get install chromium)")
		return nil
	}
	b, err := chromium.Start(ctx, path)
	if err != nil {
		return err
	}
	defer b.Close()
	root, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	for _, p := range pictures {
		tab, err := b.Open("file://"+filepath.Join(root, p.result, "report.html"), 1200, 760, 1, p.dark)
		if err != nil {
			return err
		}
		err = tab.Wait(`performance.getEntriesByName("ready").length`)
		err = cmp.Or(err, tab.Eval(`document.getElementById("canvas").scrollIntoView({ block: "center" })`, nil))
		if p.before != "" {
			err = cmp.Or(err, tab.Eval(p.before, nil))
		}
		err = cmp.Or(err, tab.Eval(`new Promise((r) => setTimeout(r, 500))`, nil), tab.Screenshot(filepath.Join(root, p.name+".webp")))
		tab.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}
