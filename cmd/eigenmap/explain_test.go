package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func TestExplainOnTheCommandLine(t *testing.T) {
	const train = "../../testdata/golden/train.jsonl"
	out := filepath.Join(t.TempDir(), "out")
	mustCall(t, "cluster", train, "-k", "3", "--out", out, "--seed", "1")
	r := mustCall(t, "explain", out, train, "--id", "t02,t01")
	for _, says := range []string{"document  t02", "document  t01", "confidence", "by terms", "near", "typical"} {
		if !strings.Contains(r.stdout, says) {
			t.Errorf("the explanation does not say %q:\n%s", says, r.stdout)
		}
	}
	v := mustCall(t, "explain", out, train, "--json").object(t)
	if list := v["explanations"].([]any); len(list) != 20 || v["documents"] != 60.0 {
		t.Errorf("%d of %v documents", len(list), v["documents"])
	}
	// Without FILE, explain takes the documents of the result. A name in place of FILE is one of them.
	for _, args := range [][]string{{"explain", out, "t02"}, {"explain", out, "--id", "t02"}, {"explain", filepath.Join(out, "model.npz"), "t02"}} {
		if got := mustCall(t, args...).stdout; got != mustCall(t, "explain", out, train, "--id", "t02").stdout {
			t.Errorf("%v: %s", args, got)
		}
	}
	bare := filepath.Join(t.TempDir(), "bare")
	mustCall(t, "cluster", train, "-k", "3", "--out", bare, "--seed", "1", "--snippets", "0")
	if r := mustCall(t, "explain", bare, train, "--id", "t02"); strings.Contains(r.stdout, "typical") {
		t.Errorf("a model without texts shows some:\n%s", r.stdout)
	}
	if r := mustCall(t, "predict", out, train); !strings.Contains(r.stdout, "a typical document of the model") {
		t.Errorf("predict shows no typical text:\n%s", r.stdout)
	}
	moved := filepath.Join(t.TempDir(), "moved") // a model without the rest of its result
	must.Do(t, os.CopyFS(moved, os.DirFS(out)))
	for _, name := range []string{"config.yaml", "run.json"} {
		must.Do(t, os.Remove(filepath.Join(moved, name)))
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"explain", out, train, "--id", "nobody"}, "no document \"nobody\""},
		{[]string{"explain", out, "nobody"}, "train.jsonl: it has no document \"nobody\": the first is \"t0"},
		{[]string{"explain", out, write(t, t.TempDir(), "e.csv", "id,text\n"), "--id", "t02"}, "e.csv: it has no documents"},
		{[]string{"explain", out, "nobody"}, "train.jsonl: it has no document \"nobody\""},
		{[]string{"explain", out, "nwe.jsonl"}, "it has no document \"nwe.jsonl\": the first is \"t01\", the last \"t60\", and there is no file of that name"},
		{[]string{"explain", out, train + "/7"}, "it has no document \"" + train + "/7\""},
		{[]string{"explain", out, strings.Repeat("long", 100)}, "it has no document \"long"},
		{[]string{"explain", moved, "t02"}, "t02: there is no such file, and the corpus that " + moved + " was made from"},
		{[]string{"explain", moved}, "is not here: give FILE"},
		{[]string{"explain"}, "explain needs MODEL: eigenmap"},
		{[]string{"explain", train, train}, "not a model"},
	} {
		if r := call(c.args...); r.status != 2 || !strings.Contains(r.stderr, c.says) {
			t.Errorf("%v: status %d: %s", c.args, r.status, r.stderr)
		}
	}
}

// The documents of a result that the fit left in no cluster have none in explain either.
func TestExplainRejects(t *testing.T) {
	const train = "../../testdata/golden/train.jsonl"
	for _, limit := range [][]string{{"--reject", "0.9"}, {"--reject-share", "0.3"}, {"--reject", "0.3", "--confidence", "raw"}} {
		out := filepath.Join(t.TempDir(), "out")
		run := mustCall(t, slices.Concat([]string{"cluster", train, "-k", "3", "--method", "kmeans", "--out", out, "--json"}, limit)...).object(t)
		table := must.Get(os.ReadFile(filepath.Join(out, "clusters.csv")))(t)
		var ids []string
		clusters := map[string]string{}
		for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
			fields := strings.Split(line, ",")
			ids, clusters[fields[0]] = append(ids, fields[0]), fields[1]
		}
		rejected := 0.0
		for _, e := range mustCall(t, "explain", out, "--json", "--id", strings.Join(ids, ",")).object(t)["explanations"].([]any) {
			e := e.(map[string]any)
			if got := fmt.Sprint(e["cluster"]); got != clusters[e["id"].(string)] {
				t.Errorf("%v: %v is in cluster %s, and in %s of the result", limit, e["id"], got, clusters[e["id"].(string)])
			} else if got == "-1" {
				rejected++
			}
		}
		if rejected == 0 || rejected != run["rejected"] {
			t.Errorf("%v: %v documents in no cluster, %v in the result", limit, rejected, run["rejected"])
		}
	}
}

// Names with commas are names, alone and in a list.
func TestExplainNamesWithCommas(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "a.csv", "id,text\n\"Lee, Ann\",the apple was red and round\nLee,the apple was blue and round\n\"a,b\",the car was red and fast\nc,the car was blue and fast\n")
	mustCall(t, "cluster", file, "-k", "2", "--out", filepath.Join(dir, "out"))
	if v := mustCall(t, "explain", filepath.Join(dir, "out"), "Lee, Ann", "--json").object(t); v["explanations"].([]any)[0].(map[string]any)["id"] != "Lee, Ann" {
		t.Errorf("a name in place of FILE: %v", v)
	}
	for ids, want := range map[string]string{"Lee, Ann": "[Lee, Ann]", "c,a,b,Lee": "[c a,b Lee]", "Lee,Lee, Ann,a,b": "[Lee Lee, Ann a,b]"} {
		v := mustCall(t, "explain", filepath.Join(dir, "out"), file, "--id", ids, "--json").object(t)
		var got []string
		for _, d := range v["explanations"].([]any) {
			got = append(got, d.(map[string]any)["id"].(string))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q explains %q", ids, got)
		}
	}
}

// TestExplainVectors: explain takes a model that compares documents by vectors, without FILE and
// with one, and shows no numbers of the vectors as terms.
func TestExplainVectors(t *testing.T) {
	const train = "../../testdata/golden/train.jsonl"
	dir := t.TempDir()
	var vectors strings.Builder
	for i := range 60 {
		fmt.Fprintf(&vectors, "{\"id\": \"t%02d\", \"vector\": [%d, %d, 0.%d]}\n", i+1, i%3, (i+1)%3, i)
	}
	file, out := write(t, dir, "vectors.jsonl", vectors.String()), filepath.Join(dir, "out")
	mustCall(t, "cluster", train, "-k", "3", "--vectors", file, "--out", out)
	r := mustCall(t, "explain", out, "t02")
	if strings.Contains(r.stdout, "by terms") || !strings.Contains(r.stdout, "near ") {
		t.Errorf("the explanation by vectors:\n%s", r.stdout)
	}
	if other := mustCall(t, "explain", out, train, "--vectors", file, "--id", "t02"); other.stdout != r.stdout {
		t.Errorf("with FILE and its vectors:\n%s", other.stdout)
	}
}
