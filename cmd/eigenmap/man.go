//go:build man

package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra/doc"
)

// A program with the build tag man writes the manual pages of all commands into a folder and ends;
// make release runs it. SOURCE_DATE_EPOCH (seconds since 1970) dates them.
func init() {
	if err := writeManual(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "eigenmap: "+err.Error())
		os.Exit(exitFailed)
	}
	os.Exit(exitDone)
}

// writeManual writes eigenmap.1 and a page for each command.
func writeManual(folder string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	date := time.Unix(seconds, 0).UTC()
	root := newApp(io.Discard, io.Discard, nil).command()
	root.DisableAutoGenTag = true
	return doc.GenManTree(root, &doc.GenManHeader{Title: "EIGENMAP", Section: "1", Source: "Eigenmap", Manual: "User Commands", Date: &date}, folder)
}
