package words

import (
	"slices"
	"strings"
)

// Nearest lists the names that a word may have meant: " (did you mean gmm?)", "" if none is near. A
// single letter is near to nothing else.
func Nearest(word string, names []string) string { return nearest("", word, names) }

// NearestFlag is [Nearest] of names of flags without their dashes: " (did you mean --levels?)".
// Where none is near it lists those that begin with the word, or that the word ends in:
// --text-column for --text, --clusters for --n-clusters.
func NearestFlag(word string, names []string) string {
	if near := nearest("--", word, names); near != "" {
		return near
	}
	const most = 3
	word = strings.ReplaceAll(strings.ToLower(word), "_", "-")
	var list []string
	for _, name := range names {
		if strings.HasPrefix(name, word+"-") || strings.HasSuffix(word, "-"+name) {
			list = append(list, "--"+name)
		}
	}
	if word == "" || len(list) == 0 || len(list) > most {
		return ""
	}
	return " (did you mean " + strings.Join(list, " or ") + "?)"
}

// otherNames are usual names of other programs for what is called otherwise here: commands, flags
// and methods.
var otherNames = map[string]string{
	"fit": "cluster", "fit-predict": "cluster", "train": "cluster", "run": "cluster", "topics": "cluster", "segment": "cluster",
	"transform": "embed", "fit-transform": "embed", "reduce": "embed", "project": "embed",
	"classify": "predict", "assign": "predict", "apply": "predict", "score": "eval", "evaluate": "eval", "diff": "compare",
	"report": "explore", "show": "explore", "view": "explore", "open": "explore", "serve": "explore", "browse": "explore",
	"describe": "info", "inspect": "info", "summary": "info", "head": "info", "merge": "join", "export": "convert",
	"output": "out", "output-dir": "out", "random-state": "seed", "random-seed": "seed", "n-init": "restarts", "n-jobs": "threads",
	"cores": "threads", "algorithm": "method", "model": "method", "n-components": "dims", "n-topics": "clusters", "num-topics": "clusters",
	"centers": "clusters", "nstart": "restarts", "lang": "language", "ngram-range": "ngrams",
	"format": "input-format", "min-docfreq": "min-df", "max-docfreq": "max-df", "date-column": "time-column", "perplexity": "neighbors",
	"silent": "quiet", "dry": "dry-run", "memory": "max-memory",
	"louvain": "leiden", "svd": "lsi", "truncated-svd": "lsi", "laplacian-eigenmaps": "le", "spectral-clustering": "spectral",
	"gaussian-mixture": "gmm", "em": "gmm", "self-training": "label-propagation", "svm": "tsvm",
}

func nearest(dashes, word string, names []string) string {
	if name := otherNames[strings.ReplaceAll(strings.ToLower(word), "_", "-")]; name != "" && slices.Contains(names, name) {
		return " (did you mean " + dashes + name + "?)"
	}
	least := min(max(1, len(word)/3), len(word)-1)
	var near []string
	for _, name := range names {
		d := edits(strings.ToLower(word), name)
		if d < least {
			near = nil
		}
		if d <= least {
			least, near = d, append(near, dashes+name)
		}
	}
	if near == nil {
		return ""
	}
	return " (did you mean " + strings.Join(near, " or ") + "?)"
}

// edits is the least number of letters to insert, delete or replace, or of neighbours to exchange,
// that makes b of a.
func edits(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := slices.Clone(row)
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
