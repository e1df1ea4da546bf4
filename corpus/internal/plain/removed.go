package plain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// removed are what Reddit has in place of a text that its author or a moderator took away.
var removed = []string{"[deleted]", "[removed]", "[deleted by user]"}

// WithoutRemoved returns a text that was taken away as an empty one, if parts have StripAuto, and
// whether it was. A title that is joined to such a text in lines of their own stays, unless it was
// taken away too.
func WithoutRemoved(text string, parts []string) (rest string, gone bool) {
	rest = strings.TrimRight(text, " \t\r\n")
	if !strings.HasSuffix(rest, "]") || !slices.Contains(parts, StripAuto) {
		return text, false
	}
	title, last := "", rest
	if k := strings.LastIndexByte(rest, '\n'); k >= 0 && strings.IndexByte(rest, '\n') == k {
		title, last = rest[:k], rest[k+1:]
	}
	if !slices.Contains(removed, strings.TrimSpace(last)) {
		return text, false
	}
	if slices.Contains(removed, strings.TrimSpace(title)) {
		title = ""
	}
	return title, true
}

// RemovedNote says of how many texts WithoutRemoved left nothing or the title.
func RemovedNote(texts int) (notes []string) {
	if texts == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s [deleted] or [removed] in place of a text, as Reddit writes it, which counts as none; ‹strip› none counts it as a word.", message.Plural(texts, "document has", "documents have"))}
}
