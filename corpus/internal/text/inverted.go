package text

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// isInverted reports whether a field is called an inverted index, which has the words of a text
// with their places, as OpenAlex writes abstracts.
func isInverted(path string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	return strings.Contains(name, "inverted")
}

// invertedText is the text of an inverted index: {"a": [1], "of": [2], "car": [3], "wheel": [0]};
// places may lack. ok is false of another value.
func invertedText(raw json.RawMessage) (text string, ok bool) {
	var places map[string][]int
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &places) != nil {
		return "", false
	}
	type word struct {
		text  string
		place int
	}
	var list []word
	for text, at := range places {
		for _, k := range at {
			list = append(list, word{text, k})
		}
	}
	slices.SortFunc(list, func(a, b word) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.text, b.text)) })
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = w.text
	}
	return strings.Join(words, " "), true
}

// bulkLine reports whether an object says what Elasticsearch does with the next line, and is no
// document.
func bulkLine(raw []byte) bool {
	var object map[string]map[string]any
	if len(raw) > 1<<12 || json.Unmarshal(raw, &object) != nil || len(object) != 1 {
		return false
	}
	for name, say := range object {
		for key := range say {
			if !strings.HasPrefix(key, "_") && key != "routing" && key != "version" && key != "pipeline" {
				return false
			}
		}
		return name == "index" || name == "create" || name == "update"
	}
	return false
}
