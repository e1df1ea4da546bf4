package main

import (
	"fmt"
	"strings"
	"testing"
)

// Texts without a word, and of no word that the model knows, are placed by a model of texts in
// several languages, alone and in company, which was refused: the terms had no stems.
func TestEmptyTextOfSeveralLanguages(t *testing.T) {
	dir := t.TempDir()
	lines := ""
	for i := range 40 {
		lines += fmt.Sprintf(`{"text":"Wir sind nach der Operation nicht mehr krank und das ist auch gut so %d"}`+"\n", i)
		lines += fmt.Sprintf(`{"text":"they operate the boats on the river and that is good for people%d"}`+"\n", i%4)
	}
	file := write(t, dir, "a.jsonl", lines)
	for _, language := range []string{"auto", "german,english"} {
		made := dir + "/" + strings.ReplaceAll(language, ",", "")
		mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--language", language, "--out", made)
		for name, text := range map[string]string{"empty": "", "known": "2024"} {
			one := write(t, dir, name+".jsonl", fmt.Sprintf(`{"text":%q}`+"\n", text))
			mustCall(t, "predict", made, one)
			mustCall(t, "predict", made, one, "--out", made+name)
		}
	}
}
