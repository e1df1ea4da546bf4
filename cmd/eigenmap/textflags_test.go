package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// newsgroups writes a folder of posts, by group, in the parts train and test. Every post quotes the
// other group and is signed by its words.
func newsgroups(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	words := [][]string{strings.Fields("boat river water sail harbour anchor"), strings.Fields("violin concert orchestra melody piano chord")}
	for _, part := range []string{"train", "test"} {
		for k, group := range []string{"rec.boats", "rec.music"} {
			in := filepath.Join(dir, part, group)
			must.Do(t, os.MkdirAll(in, 0o755))
			for i := range 8 {
				own, other := words[k], words[1-k]
				write(t, in, fmt.Sprint(100+i), fmt.Sprintf("From: someone@host%d.org\nSubject: zeppelin\n\n> %s %s\nThe %s of a %s is a %s, caf\xe9.\n\n--\n%s %s\n",
					i, other[i%6], other[(i+1)%6], own[i%6], own[(i+1)%6], own[(i+2)%6], other[(i+2)%6], other[(i+3)%6]))
			}
		}
	}
	return dir
}

// terms is the vocabulary that a corpus has under flags, as convert writes it.
func terms(t *testing.T, file string, flags ...string) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "counts.mtx")
	mustCall(t, append([]string{"convert", file, out, "--min-df", "1"}, flags...)...)
	text := must.Get(os.ReadFile(strings.TrimSuffix(out, ".mtx") + ".terms.txt"))(t)
	return strings.Fields(string(text))
}

// TestMessages: what is stripped from messages is not counted, by the model's rule also where new
// messages come in; parts and encodings are chosen.
func TestMessages(t *testing.T) {
	dir := newsgroups(t)
	v := mustCall(t, "info", dir, "--json").object(t)
	if v["documents"] != 32.0 || len(v["classes"].([]any)) != 2 {
		t.Errorf("%v documents of %v", v["documents"], v["classes"])
	}
	if v := mustCall(t, "info", dir, "--split", "train", "--json").object(t); v["documents"] != 16.0 {
		t.Errorf("%v documents of the part train", v["documents"])
	}
	all, text := strings.Join(terms(t, dir), " "), strings.Join(terms(t, dir, "--strip", "headers,quotes,footers", "--encoding", "latin1"), " ")
	if !strings.Contains(all, "zeppelin") || strings.Contains(text, "zeppelin") || !strings.Contains(text, "café") || strings.Contains(all, "café") {
		t.Errorf("terms of all: %s; of the text in Latin-1: %s", all, text)
	}
	strip := []string{"--strip", "headers,quotes", "--strip", "footers"}
	out, again := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "again")
	v = mustCall(t, append([]string{"cluster", dir, "--split", "train", "--method", "plsa", "--labeled-fraction", "0.25", "--encoding", "latin1", "--json", "--out", out}, strip...)...).object(t)
	if a := v["metrics"].(map[string]any)["accuracy"]; a != 1.0 {
		t.Errorf("accuracy %v", a)
	}
	if c := fmt.Sprint(v["config"].(map[string]any)["strip"]); c != "[headers quotes footers]" {
		t.Errorf("the configuration strips %s", c)
	}
	mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--out", again)
	sameFile(t, "clusters.csv", out, again)
	p := mustCall(t, "predict", filepath.Join(out, modelName), dir, "--split", "test", "--json").object(t)
	if a := p["metrics"].(map[string]any)["accuracy"]; a != 1.0 || p["documents"] != 16.0 {
		t.Errorf("accuracy %v of %v new posts", a, p["documents"])
	}
	if v := mustCall(t, "info", dir, "--class-folder", "none", "--json").object(t); v["labeled"] != 0.0 {
		t.Errorf("%v labelled without classes", v["labeled"])
	}
}

// TestWhatTermsAre: runs of words, limits and vocabularies reach the counts, the configuration and
// the model.
func TestWhatTermsAre(t *testing.T) {
	dir := t.TempDir()
	file, fresh := texts(t, dir, 20), newTexts(t, dir)
	count := func(flags ...string) float64 {
		return mustCall(t, append([]string{"info", file, "--json"}, flags...)...).object(t)["terms"].(float64)
	}
	if one, two := count(), count("--ngrams", "2"); one != 30 || two <= one {
		t.Errorf("%v terms, %v with runs of two words", one, two)
	}
	if n := count("--min-length", "6"); n >= 30 || n == 0 {
		t.Errorf("%v terms of six letters", n)
	}
	if all, share, most := count("--max-df", "1"), count("--min-df", "0.1", "--max-df", "0.2"), count("--max-df", "12"); all != 30 || share > 30 || most != share && most == 30 {
		t.Errorf("%v terms of any, %v of 0.1 to 0.2 of the documents, %v of at most 12", all, share, most)
	}
	vocabulary := write(t, dir, "terms.txt", "water\nsail anchor\npiano\nconcert\nviolin\nmotor\nwheel\npiston\nboats\nengine\nmelody\n")
	out, again := filepath.Join(dir, "out"), filepath.Join(dir, "again")
	v := mustCall(t, "cluster", file, "--method", "kmeans", "--vocabulary", vocabulary, "--out", out, "--json").object(t)
	config := v["config"].(map[string]any)
	if v["terms"] != 11.0 || config["vocabulary"] != vocabulary || config["min-df"] != nil || config["max-df"] != nil {
		t.Errorf("%v terms, configuration %v", v["terms"], config)
	}
	mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--out", again)
	sameFile(t, "clusters.csv", out, again)
	if err := os.Remove(vocabulary); err != nil { // the model has it
		t.Fatal(err)
	}
	p := mustCall(t, "predict", filepath.Join(out, modelName), file, "--out", filepath.Join(dir, "p"), "--json").object(t)
	sameColumn(t, out, filepath.Join(dir, "p"), "cluster")
	if p["missing_terms"].(float64) > 0 {
		t.Errorf("%v terms of the vocabulary are missing", p["missing_terms"])
	}
	mustCall(t, "predict", filepath.Join(out, modelName), fresh)
}

// TestLanguagesAreListed: the help lists those that there are, no more and no fewer.
func TestLanguagesAreListed(t *testing.T) {
	err := corpus.TextOptions{Language: "klingon"}.Validate()
	if err == nil {
		t.Fatal("klingon is a language")
	}
	_, list, _ := strings.Cut(err.Error(), "use one of ")
	languages, _, _ := strings.Cut(list, ", none")
	help := strings.Join(strings.Fields(mustCall(t, "cluster", "--method", "le", "--help").stdout), " ")
	if !strings.Contains(help, languages+" or none") || !strings.Contains(help, "1, 2 or 3") {
		t.Errorf("the help does not list the languages %s, or the numbers of words:\n%s", languages, help)
	}
}

// sameColumn wants the same values of a column in two clusters.csv.
func sameColumn(t *testing.T, a, b, name string) {
	t.Helper()
	other := column(t, b, name)
	for id, v := range column(t, a, name) {
		if other[id] != v {
			t.Errorf("%s of %s is %s in %s and %s in %s", name, id, v, a, other[id], b)
		}
	}
}

// TestReutersFlags: documents of Reuters-21578 are chosen by preset and by its parts.
func TestReutersFlags(t *testing.T) {
	var b strings.Builder
	b.WriteString("<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n")
	for i := range 12 {
		split, topics := "TRAIN", "<D>earn</D>"
		switch {
		case i%4 == 1:
			topics = "<D>acq</D>"
		case i%4 == 2:
			split = "TEST"
		case i%4 == 3:
			topics = "<D>earn</D><D>acq</D>"
		}
		fmt.Fprintf(&b, "<REUTERS TOPICS=\"YES\" LEWISSPLIT=\"%s\" CGISPLIT=\"TRAINING-SET\" OLDID=\"%d\" NEWID=\"%d\">\n<DATE>26-FEB-1987</DATE>\n<TOPICS>%s</TOPICS>\n<TEXT>&#2;\n<TITLE>PROFIT %d</TITLE>\n<BODY>The company said profit rose in quarter %d.\n&#3;</BODY></TEXT>\n</REUTERS>\n", split, i+1, i+1, topics, i, i)
	}
	file := write(t, t.TempDir(), "reut2-000.sgm", b.String())
	for flags, want := range map[string]float64{"": 12, "--reuters-preset single-topic": 9, "--reuters-preset single-topic --split test": 3, "--reuters-topics each": 15, "--reuters-topic-list acq": 12, "--reuters-topic-list acq --reuters-topics one": 6} {
		if v := mustCall(t, append([]string{"info", file, "--json", "--min-df", "1"}, strings.Fields(flags)...)...).object(t); v["documents"] != want {
			t.Errorf("%q: %v documents, want %v", flags, v["documents"], want)
		}
	}
	v := mustCall(t, "info", file, "--json", "--min-df", "1", "--reuters-text", "title").object(t)
	if v["terms"] != 1.0 {
		t.Errorf("titles have %v terms", v["terms"])
	}
	// A label file, predicted clusters and eval work on the same documents.
	out := filepath.Join(t.TempDir(), "out")
	mustCall(t, "cluster", file, "--reuters-preset", "single-topic", "--min-df", "1", "--method", "kmeans", "--out", out)
	if v := mustCall(t, "eval", file, filepath.Join(out, "clusters.csv"), "--reuters-preset", "single-topic", "--json").object(t); v["documents"] != 9.0 {
		t.Errorf("eval compares %v documents", v["documents"])
	}
}

// TestMailbox: the class of a message is a header of it.
func TestMailbox(t *testing.T) {
	file := write(t, t.TempDir(), "list.mbox", "From a@b.c Mon Jan  1 00:00:00 2024\nFrom: a@b.c\nSubject: boats\nList-Id: <sailing>\n\nThe harbour and the river.\n\nFrom a@b.c Mon Jan  1 00:00:00 2024\nFrom: a@b.c\nSubject: music\nList-Id: <music>\n\nThe violin in the orchestra.\n")
	v := mustCall(t, "info", file, "--label-header", "List-Id", "--min-df", "1", "--json").object(t)
	if v["documents"] != 2.0 || len(v["classes"].([]any)) != 2 {
		t.Errorf("%v", v)
	}
}

// TestNoRidge: --alpha 0 is the discriminants, and the projections, without a ridge.
func TestNoRidge(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for _, method := range []string{"lda", "lpp"} {
		args := []string{"cluster", file, "--method", method, "-k", "3", "--json", "--alpha"}
		if method == "lda" {
			args = append(args[:len(args)-1], "--labeled-fraction", "0.5", "--alpha")
		}
		out := filepath.Join(dir, method)
		v := mustCall(t, append(args, "0", "--out", out)...).object(t)
		if a := v["config"].(map[string]any)["alpha"]; a != 0.0 {
			t.Errorf("%s: alpha is %v", method, a)
		}
		if fmt.Sprint(v["objective"]) == fmt.Sprint(mustCall(t, append(args, "1")...).object(t)["objective"]) {
			t.Errorf("%s: a ridge makes no difference", method)
		}
		mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"))
	}
}
