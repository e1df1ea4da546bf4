// Command tocsv writes the package descriptions of examples/debian as a CSV file, as someone may
// have one: with the columns package, summary, description and section.
//
//	go run ./examples/tocsv > packages.csv        # all of them
//	go run ./examples/tocsv mail > packages.csv   # a section
package main

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	if err := write(os.Stdout, "examples/debian/packages.jsonl.gz", strings.Join(os.Args[1:], " ")); err != nil {
		log.Fatal(err)
	}
}

// write reads the corpus, one JSON object per line, and writes it, or one section of it, as CSV.
func write(to io.Writer, corpus, section string) error {
	file, err := os.Open(corpus)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	table := csv.NewWriter(to)
	table.Write([]string{"package", "summary", "description", "section"}) // Error below has its error
	for lines := json.NewDecoder(unpacked); ; {
		var p struct{ ID, Text, Label string }
		if err := lines.Decode(&p); errors.Is(err, io.EOF) {
			table.Flush()
			return table.Error()
		} else if err != nil {
			return err
		}
		if section != "" && p.Label != section {
			continue
		}
		summary, description, _ := strings.Cut(p.Text, "\n")
		table.Write([]string{p.ID, summary, description, p.Label})
	}
}
