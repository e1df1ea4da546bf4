// Command folder clusters the texts of a folder, one file per document, and writes the page.
//
//	go run ./examples/folder FOLDER RESULT
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: folder FOLDER RESULT")
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// run clusters the folder texts and saves the result in the folder result.
func run(ctx context.Context, texts, result string) error {
	// Sub-folders are no classes here: the texts of all of them are one corpus.
	opt := eigenmap.Options{Source: eigenmap.Source{ClassFolder: "none"}}
	// Options are also set by the names of the flags. The data choose the number of clusters.
	if err := opt.Set("clusters", "auto"); err != nil {
		return err
	}
	clustered, err := eigenmap.Cluster(ctx, texts, opt)
	if err != nil {
		return err
	}
	for _, c := range clustered.Clusters {
		fmt.Printf("cluster %d: %d texts about %s\n", c.Number, c.Size, strings.Join(c.Terms[:min(5, len(c.Terms))], ", "))
	}
	for _, note := range clustered.Notes() {
		fmt.Println("note:", note)
	}
	if err := clustered.Save(result); err != nil {
		return err
	}
	fmt.Println("open", filepath.Join(result, "report.html"))
	return nil
}
