package lexical

import "strings"

// Vector returns the numbers of a list in brackets, as JSON writes it ("[0.1, -2]") or NumPy prints
// it ("[ 0.1 -2. ]"), over any number of lines. A list of one list is that list. ok is false for
// another text, for an empty list, and for one that holds anything else than numbers; whether each
// is a number that can be read is left to the caller.
func Vector(text string) (numbers []string, ok bool) {
	text = strings.TrimSpace(text)
	for {
		inner, open := strings.CutPrefix(text, "[")
		inner, closed := strings.CutSuffix(inner, "]")
		if !open || !closed {
			return nil, false
		}
		if text = strings.TrimSpace(inner); !strings.HasPrefix(text, "[") {
			break
		}
	}
	if strings.ContainsRune(text, ',') {
		numbers = strings.Split(text, ",")
	} else {
		numbers = strings.Fields(text)
	}
	for k, n := range numbers {
		if n = strings.TrimSpace(n); !strings.ContainsAny(n, "0123456789") || strings.Trim(n, "+-.0123456789eE") != "" {
			return nil, false
		}
		numbers[k] = n
	}
	return numbers, len(numbers) > 0
}
