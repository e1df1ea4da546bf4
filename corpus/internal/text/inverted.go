package text

import (
	"encoding/json"
	"strings"
)

// isInverted reports whether a field is called an inverted index, which has the words of a text with
// their places, as OpenAlex writes abstracts.
func isInverted(path string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	return strings.Contains(name, "inverted")
}

// invertedText is the text of an inverted index: {"a": [1], "of": [2], "car": [3], "wheel": [0]}; ok
// is false of another value, such as one with two words in a place.
func invertedText(raw json.RawMessage) (text string, ok bool) {
	var places map[string][]int
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &places) != nil {
		return "", false
	}
	n := 0
	for _, at := range places {
		n += len(at)
	}
	const gaps = 2 // places for each word, at most
	words := make([]string, gaps*n+1)
	for word, at := range places {
		for _, k := range at {
			if k < 0 || k >= len(words) || words[k] != "" {
				return "", false
			}
			words[k] = word
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " "), true
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
