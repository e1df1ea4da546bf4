package eigenmap

import "github.com/eigenmap/eigenmap/internal/words"

// plainNames names options without marks.
func plainNames(text string) string {
	return words.Rename(text, func(name string) string { return name })
}

// clip shortens a name for a message.
func clip(s string) string { return words.Clip(s, 40) }
