package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
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
	if strings.Contains(strings.ToLower(r.stdout), "pittsburgh") || strings.Contains(r.stdout, "organization") || !strings.Contains(r.stdout, "24 texts are mail") {
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
