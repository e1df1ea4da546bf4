// Command abstracts writes a made-up corpus of documents in 40 topics whose words follow Zipf's
// law: FILE.mtx with the counts and FILE.labels.csv with the topics, or FILE.jsonl with texts and
// topics, or FILE.npz with the counts alone, if that is the name given. WORDS is the median number
// of words of a document: 40 if it is not given. 125 makes some 129 different terms per document.
// The same arguments give the same files.
//
//	go run ./bench/cmd/abstracts 50000 /tmp/abstracts
//	go run ./bench/cmd/abstracts 1000000 /tmp/million.jsonl
//	go run ./bench/cmd/abstracts 1000000 /tmp/long.npz 125
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/corpus"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "abstracts:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 2 && len(args) != 3 {
		return fmt.Errorf("give the number of documents and FILE, and WORDS if not 40: abstracts 50000 /tmp/abstracts")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of documents: give a whole number of at least 1", args[0])
	}
	d := bench.Abstracts(n, 1)
	if len(args) == 3 {
		if d.Length, err = strconv.ParseFloat(args[2], 64); err != nil || !(d.Length >= 1 && d.Length <= 1e6) {
			return fmt.Errorf("%q is no number of words: give a number from 1 to 1000000", args[2])
		}
	}
	x, topics := d.Counts()
	if strings.HasSuffix(args[1], ".npz") {
		return write(args[1], func(w *bufio.Writer) error { return corpus.WriteMatrix(w, "npz", x) })
	}
	if strings.HasSuffix(args[1], ".jsonl") {
		return write(args[1], func(w *bufio.Writer) error { return bench.WriteTexts(w, x, topics) })
	}
	if err := write(args[1]+".mtx", func(w *bufio.Writer) error { return corpus.WriteMatrix(w, "mtx", x) }); err != nil {
		return err
	}
	return write(args[1]+".labels.csv", func(w *bufio.Writer) error {
		for _, t := range topics {
			if _, err := fmt.Fprintf(w, "topic%d\n", t); err != nil {
				return err
			}
		}
		return nil
	})
}

func write(name string, content func(*bufio.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := content(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
