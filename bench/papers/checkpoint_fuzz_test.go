package papers

import (
	"encoding/json"
	"errors"
	"io/fs"
	"testing"
)

// FuzzCheckpoint reads arbitrary bytes as the file that keeps a table's cells: what is taken lies
// inside the file and ends a line, and the rest is refused as the file's fault.
func FuzzCheckpoint(f *testing.F) {
	head := header{Format: checkpointFormat, Experiment: "x/table1", Version: 1, Seed: 3, Metrics: []string{"accuracy"}, Backend: "go"}
	first, err := json.Marshal(head)
	if err != nil {
		f.Fatal(err)
	}
	one, err := json.Marshal(line{Experiment: head.Experiment, Fingerprint: head.fingerprint(), Row: "le", Column: "k=2", Scores: [][]float64{{0.5}, {0.25}}, Seconds: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(first) + "\n" + string(one) + "\n")
	f.Add(string(first) + "\n" + string(one)[:20])
	f.Add(string(first))
	f.Add("\n\n")
	f.Add(string(first) + "\n" + `{"experiment":"x/table1","fingerprint":"` + head.fingerprint() + `","case":-1,"test":1e9,"scores":[[],null,[1e999]]}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := &checkpoint{head: head, metrics: []Metric{{Name: "accuracy"}}, finger: head.fingerprint(), path: "cells.jsonl", cells: map[cellKey]*cell{}}
		own, good, err := c.read([]byte(text))
		if err == nil {
			c.take(own, nil)
		}
		if err != nil {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if good < 0 || good > int64(len(text)) || good > 0 && text[good-1] != '\n' {
			t.Errorf("%q: %d bytes are whole lines", text, good)
		}
	})
}
