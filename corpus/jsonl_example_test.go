package corpus_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus"
	"gonum.org/v1/gonum/mat"
)

// Texts in JSON lines become term counts; a term is shown as its most frequent word.
func ExampleRead_text() {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "news.jsonl")
	lines := `{"id": "n1", "text": "An election: voters elect a parliament", "label": "politics"}
{"id": "n2", "text": "Parliament changes the law on elections; the next election is in May", "label": "politics"}
{"id": "n3", "text": "A late goal decides the match", "label": "sport"}
{"id": "n4", "text": "Two goals in two matches, no goal in the third match", "label": "sport"}
`
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Read(context.Background(), path, corpus.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.ClassNames, c.Terms)
	fmt.Println(mat.Formatted(c.X))
	for k, top := range c.TopTerms(c.Labels, len(c.ClassNames), 2) {
		fmt.Println(c.ClassNames[k], top[0].Term, top[1].Term)
	}
	// Output:
	// [politics sport] [election goal match parliament]
	// ⎡2  0  0  1⎤
	// ⎢2  0  0  1⎥
	// ⎢0  1  1  0⎥
	// ⎣0  2  2  0⎦
	// politics election parliament
	// sport goal match
}
