package text

import "strings"

// joinTexts joins the texts of a document by line breaks, without those that are empty. It copies
// nothing if there is one, and nothing if the whole would be longer than limit bytes: ok is then
// false. A limit of 0 is none.
func joinTexts(parts []string, limit int64) (text string, ok bool) {
	some, length := parts[:0], int64(0)
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
			length += int64(len(p)) + 1
		}
	}
	if limit > 0 && length-1 > limit {
		return "", false
	}
	return strings.Join(some, "\n"), true
}
