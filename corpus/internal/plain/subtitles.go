package plain

import (
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// subtitleExtensions are the extensions of subtitles: SubRip and WebVTT.
var subtitleExtensions = []string{".srt", ".vtt"}

// IsSubtitles reports whether a file holds subtitles, by its name.
func IsSubtitles(name string) bool {
	return slices.Contains(subtitleExtensions, path.Ext(input.UnpackedName(strings.ToLower(name))))
}

// cueTimes matches the line of times above a subtitle, cueMark the marks within one: tags of HTML
// and of speakers, times of words, and places on the screen.
var (
	cueTimes = pattern.Lazy(`^\s*(\d+:)?\d+:\d+[.,]\d+\s*-->`)
	cueMark  = pattern.Lazy(`</?[a-zA-Z][^<>\n]*>|<[\d:.]+>|\{\\[^{}\n]*\}`)
)

// Subtitles returns what is spoken in subtitles, a line each: without numbers, times, marks,
// notes and styles, and a line once that follows on itself, as in captions that roll. Cost
// O(length).
func Subtitles(s string) string {
	var out strings.Builder
	out.Grow(len(s) / 2)
	last, held := "", "" // held is a line that may be the number or name of a subtitle
	skipped, inside := false, false
	put := func(line string) {
		if line = strings.TrimSpace(cueMark().ReplaceAllString(line, "")); line != "" && line != last {
			out.WriteString(line + "\n")
			last = line
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(s, "\r\n", "\n")) {
		line = strings.TrimSpace(line)
		switch {
		case cueTimes().MatchString(line):
			held, skipped, inside = "", false, true
		case line == "":
			put(held)
			held, skipped, inside = "", false, false
		case skipped:
		case inside:
			put(line)
		case strings.HasPrefix(line, "WEBVTT"), strings.HasPrefix(line, "NOTE"), line == "STYLE", line == "REGION":
			skipped = true // to the next empty line
		default:
			put(held)
			held = line
		}
	}
	put(held)
	return out.String()
}
