package plain

import (
	"path"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// IsTranscript reports whether a file holds what was said in a recording, by its name: in the
// format of CHILDES (.cha) or of Praat (.TextGrid).
func IsTranscript(name string) bool {
	kind := transcriptKind(name)
	return kind == chatKind || kind == gridKind
}

const (
	chatKind = ".cha"
	gridKind = ".textgrid"
)

func transcriptKind(name string) string { return path.Ext(input.UnpackedName(strings.ToLower(name))) }

var (
	// chatCodes are times, remarks, events, what nobody understood (xxx) and incomplete words in a
	// line of CHILDES.
	chatCodes = pattern.Lazy("\x15[^\x15]*\x15|\\[[^\\]\n]*\\]|&[=~+-]?[^\\s]*|\\+[./<\"!?]+|\\b(?:xxx|yyy|www)\\b|[<>‹›„]")
	// chatUnsaid are the signs around sounds of a word that were not said, as in (be)cause.
	chatUnsaid = strings.NewReplacer("(", "", ")", "")
	// gridText is a text of an interval or a point, and gridShort one in Praat's short form.
	gridText  = pattern.Lazy(`(?m)^\s*(?:text|mark) = "((?:[^"]|"")*)"[ \t\r]*$`)
	gridShort = pattern.Lazy(`(?m)^"((?:[^"]|"")*)"[ \t\r]*$`)
)

// Transcript returns what is said in a transcript, a line each of CHILDES and of Praat: without the
// names of speakers, times, codes and tiers of analyses. Cost O(length).
func Transcript(name, s string) string {
	if transcriptKind(name) == chatKind {
		return chatLines(s)
	}
	var out strings.Builder
	put := func(text string) {
		if text = strings.TrimSpace(strings.ReplaceAll(text, `""`, `"`)); text != "" {
			out.WriteString(text + "\n")
		}
	}
	texts := gridText().FindAllStringSubmatch(s, -1)
	for _, m := range texts {
		put(m[1])
	}
	if texts != nil {
		return out.String()
	}
	skip := 0
	for i, m := range gridShort().FindAllStringSubmatch(s, -1) {
		switch {
		case i == 0 && m[1] == "TextGrid": // what the file is
		case m[1] == "IntervalTier" || m[1] == "TextTier":
			skip = 1 // the name of the tier
		case skip > 0:
			skip--
		default:
			put(m[1])
		}
	}
	return out.String()
}

// chatLines are the lines of speakers of a transcript of CHILDES, which begin with an asterisk, and
// go on in lines that begin with a tab.
func chatLines(s string) string {
	var out strings.Builder
	said := false
	for line := range strings.Lines(s) {
		switch {
		case strings.HasPrefix(line, "*"):
			_, line, said = strings.Cut(line, ":")
		case !strings.HasPrefix(line, "\t"):
			said = false
		}
		if said {
			out.WriteString(strings.Join(strings.Fields(chatUnsaid.Replace(chatCodes().ReplaceAllString(line, " "))), " ") + "\n")
		}
	}
	return out.String()
}
