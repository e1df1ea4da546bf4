package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// idle makes every command of the tree parse its arguments and do nothing.
func idle(c *cobra.Command) {
	if c.RunE != nil {
		c.RunE = func(*cobra.Command, []string) error { return nil }
	}
	if c.Run != nil {
		c.Run = func(*cobra.Command, []string) {}
	}
	for _, child := range c.Commands() {
		idle(child)
	}
}

// FuzzFlags parses argument vectors, one argument a line, without running the work: each is taken
// or refused in one sentence, and nothing panics.
func FuzzFlags(f *testing.F) {
	f.Add("cluster\nfile\n--method\nle\n-k\n12")
	f.Add("embed\n-d=3\nfile\n--neighbors\n-1")
	f.Add("predict\nmodel\nfile\n--threads=999999999999999999999")
	f.Add("cluster\n--labels\n\n--k=nan\n--k=1e999")
	f.Add("reproduce\n--tests=0\n--help")
	f.Add("graph\n--edge-weight=heat\n--symmetry=x\n-\n--\n--epsilon=0x1p-1074")
	f.Add("help\nhelp\nhelp")
	f.Add("__complete\ncluster\n--method\n")
	f.Fuzz(func(t *testing.T, line string) {
		var stdout, stderr bytes.Buffer
		a := newApp(&stdout, &stderr, nil)
		root := a.command()
		idle(root)
		root.SetArgs(strings.Split(line, "\n"))
		root.SetOut(a.stdout)
		root.SetErr(&stderr)
		if err := root.ExecuteContext(t.Context()); err != nil {
			text := printable(sentence(err))
			if text == "" || strings.ContainsAny(text, "\n\r\x00") {
				t.Errorf("arguments %q: %q", line, text)
			}
		}
	})
}

// FuzzConfig reads arbitrary bytes as a configuration file of each command: it sets flags or is
// refused as the request's fault.
func FuzzConfig(f *testing.F) {
	f.Add("method: le\nneighbors: 5\nfile: corpus.jsonl\n")
	f.Add("classes: [a, b]\nsplit:\n  - train\n")
	f.Add("- - - -\n[[[[{a: b}]]]]")
	f.Add("a: &x [*x]\n<<: *x\n")
	f.Add("method: |\n  le\n---\nk: !!int 3\n? x\n: y\n")
	f.Add("\ufeffseed: 0x10\nquiet: yes\nseed: 1")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		a := newApp(new(bytes.Buffer), new(bytes.Buffer), nil)
		for _, c := range a.command().Commands() {
			if c.Flags().Lookup("config") == nil {
				continue
			}
			_, err := parseConfig("c.yaml", []byte(text), c.Flags())
			if err == nil {
				continue
			}
			if exitStatus(err) != exitRequest || !strings.HasPrefix(err.Error(), "c.yaml") || strings.ContainsAny(printable(sentence(err)), "\n\r\x00") {
				t.Errorf("%s: %q: %v", c.Name(), text, err)
			}
		}
	})
}
