// Command site makes a web site of the documentation: it reads README.md, docs and the pages that
// they link to, and writes HTML that needs no server and no network.
//
//	go run ./tools/site -out build/site
//
// A link to a file or a heading that does not exist is an error, and so is a page of docs that the
// navigation (nav.go) leaves out.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "the repository")
	out := flag.String("out", "build/site", "folder for the site; what is in it is replaced")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes the site of the repository root into the folder out.
func run(root, out string) error {
	s, err := read(root, navigation)
	if err != nil {
		return err
	}
	if faults := s.check(); len(faults) > 0 {
		return errors.Join(faults...)
	}
	if err := s.write(out); err != nil {
		return err
	}
	fmt.Printf("wrote %s: %d pages, %d other files; open %s/index.html\n", out, len(s.pages), len(s.copies), out)
	return nil
}
