package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// threeLanguages are documents in English, German and French, which share names and loanwords.
func threeLanguages(n int) []string {
	texts := []string{
		"The information about the houses in this city is on the server, and it was not easy to find them.",
		"Die Information über die Häuser in der Stadt liegt auf dem Server und war nicht leicht zu finden.",
		"L'information sur les maisons de la ville est sur le serveur, et elle n'est pas facile à trouver.",
		"Houses with gardens are what the families of this town want to have.",
		"Ein Haus mit einem Garten ist das, was die Familien in der Stadt sich wünschen.",
		"Une maison avec un jardin, c'est ce que les familles de la ville veulent.",
	}
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"id":"d%d","text":"%s %s"}`, i, texts[i%6], strings.Repeat("Information ", i%3))
	}
	return lines
}

// Texts without a word are of no language, and no note counts them as English.
func TestWordlessTextsHaveNoLanguage(t *testing.T) {
	lines := threeLanguages(24)
	for i, text := range []string{"", "-", "…", " . "} {
		lines = append(lines, fmt.Sprintf(`{"id":"w%d","text":%q}`, i, text))
	}
	notes := strings.Join(readLines(t, strings.Join(lines, "\n"), TextOptions{MinDF: 1}).Notes, "\n")
	if !strings.Contains(notes, "english of 8, french of 8, german of 8. ") || strings.Contains(notes, "not recognised") {
		t.Errorf("notes %s", notes)
	}
}

// A file of several languages is read document by document, each as it would be alone, and by ranks
// as by one process.
func TestLanguages(t *testing.T) {
	lines := threeLanguages(24)
	opt := TextOptions{MinDF: 1, NGrams: 2}
	whole := readLines(t, strings.Join(lines, "\n"), opt)
	notes := strings.Join(whole.Notes, "\n")
	if !strings.Contains(notes, "english of 8, french of 8, german of 8") || !strings.Contains(notes, "each document's language") {
		t.Errorf("notes %s", notes)
	}
	if !slices.IsSorted(whole.Terms) || len(slices.Compact(slices.Clone(whole.Terms))) != len(whole.Terms) || len(whole.Stems) != len(whole.Terms) {
		t.Errorf("terms %q", whole.Terms)
	}
	for _, stopped := range []string{"the", "die", "les", "und", "est", "l"} {
		if slices.Contains(whole.Terms, stopped) {
			t.Errorf("%s is a term", stopped)
		}
	}
	for i, line := range lines[:6] {
		alone := readLines(t, line, opt)
		stems := alone.Stems
		if stems == nil {
			stems, _ = opt.Stems(alone.Terms)
		}
		cols, vals := alone.X.(*sparse.CSR).Row(0)
		if there, _ := whole.X.(*sparse.CSR).Row(i); len(there) != len(cols) {
			t.Errorf("document %d has %d terms alone and %d in company", i, len(cols), len(there))
		}
		for k, j := range cols {
			if at := slices.Index(whole.Stems, stems[j]); at < 0 || whole.X.At(i, at) != vals[k] {
				t.Errorf("document %d: %q alone is not in company", i, alone.Terms[j])
			}
		}
	}
	file := writeFile(t, t.TempDir(), "a.jsonl", []byte(strings.Join(lines, "\n")))
	one := must.Get(Read(t.Context(), file, ReadOptions{Text: opt}))(t)
	for size := 1; size < 4; size++ {
		parts, errs := togetherRead(t.Context(), size, file, ReadOptions{Text: opt}, nil)
		for r, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(parts[r].Stems, one.Stems) {
				t.Errorf("rank %d of %d: stems %q, want %q", r, size, parts[r].Stems, one.Stems)
			}
		}
		joined(t, parts, one)
	}
	plain := readLines(t, lines[0]+"\n"+lines[3], opt)
	english := readLines(t, lines[0]+"\n"+lines[3], TextOptions{Language: "en", MinDF: 1, NGrams: 2})
	if !slices.Equal(plain.Terms, english.Terms) || !slices.Equal(plain.Notes, english.Notes) || plain.Stems != nil {
		t.Errorf("English texts are not read as English: %q, %q", plain.Notes, english.Notes)
	}
	vocabulary := readLines(t, strings.Join(lines, "\n"), TextOptions{Vocabulary: []string{"house", "haus", "maison"}})
	if len(vocabulary.Terms) != 3 || vocabulary.Stems != nil || strings.Contains(strings.Join(vocabulary.Notes, " "), "Languages") {
		t.Errorf("by a vocabulary: %q", vocabulary.Notes)
	}
}

// Whether texts are in several languages does not depend on which goroutine met the one that is,
// even if it holds nothing but stop words.
func TestOneForeignTextAmongMany(t *testing.T) {
	var lines strings.Builder
	for i := range 20000 {
		if i == 12345 {
			fmt.Fprintf(&lines, "{\"text\": \"de la que el en los se del las por con una su para es al lo como\"}\n")
		}
		fmt.Fprintf(&lines, "{\"text\": \"the reader of number%d is in the house with a book\"}\n", i%100)
	}
	file := filepath.Join(t.TempDir(), "texts.jsonl")
	must.Do(t, os.WriteFile(file, []byte(lines.String()), 0o666))
	defer native.SetThreads(0)
	var first []string
	for run := range 6 {
		native.SetThreads([]int{1, 2, 4}[run%3])
		c := must.Get(Read(context.Background(), file, ReadOptions{}))(t)
		if first == nil {
			first = c.Notes
		}
		if !slices.Equal(first, c.Notes) {
			t.Errorf("%d threads: %q, and with one %q", native.Threads(), c.Notes, first)
		}
	}
}

// TestShortTextsOfOneLanguage: where nearly all texts that have enough words are of one language,
// the note names it for those that have not.
func TestShortTextsOfOneLanguage(t *testing.T) {
	var lines []string
	for i := range 30 {
		text := "Die Information über die Häuser in der Stadt liegt auf dem Server und war nicht leicht zu finden."
		if i%3 == 0 {
			text = "Kartoffeln"
		}
		lines = append(lines, fmt.Sprintf(`{"text":%q}`, text))
	}
	notes := strings.Join(readLines(t, strings.Join(lines, "\n"), TextOptions{MinDF: 1}).Notes, "\n")
	if !strings.Contains(notes, "german of 20; 10 not recognised, read as English. ‹language› german reads all of them in it.") {
		t.Errorf("notes %s", notes)
	}
	lines = append(threeLanguages(24), `{"text":"Kartoffeln"}`)
	notes = strings.Join(readLines(t, strings.Join(lines, "\n"), TextOptions{MinDF: 1}).Notes, "\n")
	if !strings.Contains(notes, "1 not recognised, read as English. ‹language› names one for all.") {
		t.Errorf("notes %s", notes)
	}
}
