package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
)

var flagIn = regexp.MustCompile(`--[a-z][a-z-]*`)

// TestAdviceIsAccepted: the flags that the notes of a command name are flags of that command, for
// every method and for inputs that give notes: one document, few, many in one cluster, foreign
// ones, rows of zeros.
func TestAdviceIsAccepted(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	alone := write(t, dir, "alone.jsonl", `{"text":"boat river sail"}`)
	foreign := write(t, dir, "foreign.jsonl", `{"id":"a","text":"zebra quagga boat"}`+"\n"+`{"id":"b","text":"okapi"}`)
	german := write(t, dir, "german.jsonl", `{"text":"der Hund und die Katze sind nicht mehr in dem boat"}`+"\n")
	counts := filepath.Join(dir, "counts.npz")
	mustCall(t, "convert", file, counts)
	zeros := write(t, dir, "zeros.csv", "a,b,c,d,e\n"+strings.Repeat("1,2,3,4,5\n2,1,5,4,3\n9,1,1,8,2\n0,0,0,0,0\n", 6))
	check := func(what string, args ...string) {
		t.Helper()
		r := call(append(args, "--json")...)
		if r.status != 0 {
			return // refused: an error is checked elsewhere
		}
		help := call(args[0], "--help").stdout
		for i, arg := range args {
			if arg == "--method" {
				help += call(args[0], "--method", args[i+1], "--help").stdout
			}
		}
		notes, _ := r.object(t)["notes"].([]any)
		for _, note := range notes {
			for _, flag := range flagIn.FindAllString(note.(string), -1) {
				if !strings.Contains(help, flag) {
					t.Errorf("%s: %s has no %s, which a note advises: %s", what, args[0], flag, note)
				}
			}
		}
	}
	for i, s := range eigenmap.Methods() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		out := filepath.Join(t.TempDir(), s.Name)
		fit := []string{"cluster", file, "--method", s.Name, "-k", "3", "--out", out, "--weighting", "tf"}
		if s.Needs.Labels > 0 {
			fit = append(fit, "--labeled-fraction", "0.2")
		}
		check(s.Name, fit...)
		check(s.Name+" of zeros", "cluster", zeros, "--method", s.Name, "-k", "3")
		if model := filepath.Join(out, modelName); eigenmap.IsModel(model) {
			for _, fresh := range []string{alone, foreign, german, file, counts} {
				check("model of "+s.Name, "predict", model, fresh)
			}
		}
	}
	check("embed", "embed", file, "--method", "le", "-d", "2")
	check("graph", "graph", file)
}
