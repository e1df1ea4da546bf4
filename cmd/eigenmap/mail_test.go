package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
)

// Mail in a table is read as its subject and its body, of new documents too: what is left out is
// among neither the terms nor the words that decide.
func TestMailInTables(t *testing.T) {
	dir := t.TempDir()
	lines := func(from string) string {
		b := strings.Builder{}
		for i := range 24 {
			word := strings.Fields("apple pear plum fig motor wheel brake road")[4*(i%2):]
			text := fmt.Sprintf("From: %s%d@example.org\nOrganization: University of %s\nSubject: %s\n\nAnn of %s wrote:\n> %s\n%s %s\n-- \n%s, %s\n",
				from, i, from, word[i/2%4], from, word[i/4%4], word[(i/2+1)%4], word[i/4%4], from, from)
			line, _ := json.Marshal(map[string]string{"id": fmt.Sprint(i), "text": text})
			b.Write(append(line, '\n'))
		}
		return b.String()
	}
	file, out := write(t, dir, "mail.jsonl", lines("Pittsburgh")), filepath.Join(dir, "out")
	r := mustCall(t, "cluster", file, "-k", "2", "--out", out)
	if strings.Contains(strings.ToLower(r.stdout), "pittsburgh") || strings.Contains(r.stdout, "organization") || !strings.Contains(r.stdout, "24 texts are mail (first: ") {
		t.Errorf("printed\n%s", r.stdout)
	}
	if r = mustCall(t, "cluster", file, "-k", "2", "--strip", "none"); !strings.Contains(r.stdout, " 16 terms") {
		t.Errorf("with --strip none\n%s", r.stdout)
	}
	placed := mustCall(t, "predict", out, write(t, dir, "new.jsonl", lines("Leiden")), "--json").object(t)
	if placed["known"] != 24.0 || placed["unknown_terms"] != 0.0 {
		t.Errorf("the same mail from elsewhere: %v known, %v unknown terms", placed["known"], placed["unknown_terms"])
	}
}

// A model of another rule of auto is refused, in words that say how to go on; what is chosen
// counts.
func TestModelOfAnotherStripRule(t *testing.T) {
	dir := t.TempDir()
	b := strings.Builder{}
	for i := range 24 {
		fmt.Fprintf(&b, "{\"text\":\"%s\"}\n", strings.Join(strings.Fields("apple pear plum fig motor wheel brake road")[4*(i%2):][:2+i/2%3], " "))
	}
	file, out := write(t, dir, "texts.jsonl", b.String()), filepath.Join(dir, "out")
	mustCall(t, "cluster", file, "-k", "2", "--out", out)
	path := filepath.Join(out, modelName)
	m := must.Get(model.Read(t.Context(), path, registry.Blank))(t)
	if m.Rows.Strip[0] != "auto" || m.Rows.StripRule != model.AutoRule {
		t.Errorf("the model strips %v by rule %d", m.Rows.Strip, m.Rows.StripRule)
	}
	m.Rows.StripRule = 0
	var changed bytes.Buffer
	must.Do(t, m.Encode(&changed))
	path = write(t, dir, "old.npz", changed.String())
	if r := call("predict", path, file); r.status == exitDone || !strings.Contains(r.stderr, "make the model again, or say with --strip") {
		t.Errorf("%d: %s", r.status, r.stderr)
	}
	mustCall(t, "predict", path, file, "--strip", "auto")
}

// Texts that are no mail keep their words; of texts that stripping empties the way out is said.
func TestNoMail(t *testing.T) {
	dir := t.TempDir()
	table := func(name string, texts ...string) string {
		b := strings.Builder{}
		for i := range 24 {
			line, _ := json.Marshal(map[string]string{"id": fmt.Sprint(i), "text": texts[i%len(texts)]})
			b.Write(append(line, '\n'))
		}
		return write(t, dir, name, b.String())
	}
	for name, c := range map[string]struct{ text, term string }{
		"abstract": {"Date: 5 May\nSubject: x\nAbstract: kernels of graphs\nKeywords: eigenvalues", "eigenvalues"},
		"poem":     {"From: a@b.c\nSubject: boats\nThe ship sails on the lake", "lake"},
		"agenda":   {"To: council\nFrom: mayor\nAgenda: bridges roads schools\n\nthanks", "bridges"},
		"play":     {"Hamlet: words\nTo: be\nLines: swords\n\nIn article one", "hamlet"},
	} {
		r := mustCall(t, "info", table(name+".jsonl", c.text, "another text"))
		if strings.Contains(r.stdout, "mail") || !strings.Contains(r.stdout, c.term) {
			t.Errorf("%s:\n%s", name, r.stdout)
		}
	}
	const empty = "From: a@b.c\nSubject: \nLines: 2\n\n-- \nJoe\n"
	if r := call("cluster", table("empty.jsonl", empty)); !strings.Contains(r.stderr, "; of 24 parts of mail were left out: --strip none keeps them") {
		t.Errorf("nothing but mail: %s", r.stderr)
	}
	if r := mustCall(t, "info", table("some.jsonl", empty, "apple pear", "pear plum")); !strings.Contains(r.stdout, "8 texts have no word without the parts of mail that were left out (first: line 1); --strip none keeps them.") {
		t.Errorf("mail among others:\n%s", r.stdout)
	}
}
