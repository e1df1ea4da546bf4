package plain

import (
	"path"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// subtitleKinds are the extensions of subtitles, and the commands that write a text for each line:
// SubRip, WebVTT, SubStation Alpha, lyrics with times, MicroDVD and YouTube's.
var subtitleKinds = map[string]string{
	".srt": srtLines, ".vtt": srtLines,
	".ass": assLines, ".ssa": assLines,
	".lrc": `sed -E -e '/^\[[a-z#]+:/d' -e 's/[[<][0-9:.]+[]>]//g' FILE > FILE.txt`,
	".sub": `sed -E 's/\{[^}]*\}//g; s/\|/ /g' FILE > FILE.txt`,
	".sbv": `sed -E '/^[0-9:.]+,[0-9:.]+\r?$/d' FILE > FILE.txt`,
}

const (
	srtLines = `sed -E -e '/-->|^WEBVTT|^[0-9]*\r?$/d' -e 's/<[^>]*>//g' FILE > FILE.txt`
	assLines = `sed -nE -e '/^Dialogue:/{s/^([^,]*,){9}//;s/\{[^}]*\}//g;s/\\[Nnh]/ /g;p}' FILE > FILE.txt`
)

// IsSubtitles reports whether a file holds subtitles, by its name.
func IsSubtitles(name string) bool { return SubtitleLines(name) != "" }

// SubtitleLines returns the command that writes a text for each line of subtitles, with FILE for
// the name of their file; "" of another file by its name.
func SubtitleLines(name string) string {
	return subtitleKinds[path.Ext(input.UnpackedName(strings.ToLower(name)))]
}

// cueTimes matches the line of times above a subtitle, cueMark the marks within one: tags of HTML
// and of speakers, times of words, and places on the screen.
var (
	cueTimes = pattern.Lazy(`^\s*(\d+:)?\d+:\d+[.,]\d+\s*-->`)
	cueMark  = pattern.Lazy(`</?[a-zA-Z][^<>\n]*>|<[\d:.]+>|\{\\[^{}\n]*\}`)
)

// Times and what is no text in other subtitles: tags of lyrics, such as [ti:A title] but for its
// text, and times of lines and words; times of frames and styles in braces; times in a line.
var (
	lrcTag   = pattern.Lazy(`(?m)^\[(?:al|by|offset|length|re|ve|tool|la|id|#):[^\]\n]*\]|^\[(?:ti|ar|au):|(?:[\[<]\d+:[\d:.]+[\]>])|\]$`)
	subTimes = pattern.Lazy(`\{[^{}\n]*\}`)
	sbvTimes = pattern.Lazy(`(?m)^\d+:[\d:.]+,\d+:[\d:.]+$`)
	assMark  = pattern.Lazy(`\{[^{}\n]*\}|\\[Nnh]`)
)

// assText is what is spoken in subtitles of SubStation Alpha: the text behind the nine fields of
// each line of dialogue.
func assText(s string) string {
	const fields = 10
	var out strings.Builder
	for line := range strings.Lines(s) {
		rest, ok := strings.CutPrefix(line, "Dialogue:")
		if parts := strings.SplitN(rest, ",", fields); ok && len(parts) == fields {
			out.WriteString(assMark().ReplaceAllString(parts[fields-1], " "))
		}
	}
	return out.String()
}

// Subtitles returns what is spoken in subtitles, a line each: without numbers, times, marks,
// notes and styles, and a line once that follows on itself, as in captions that roll. Cost
// O(length).
func Subtitles(name, s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	switch path.Ext(input.UnpackedName(strings.ToLower(name))) {
	case ".ass", ".ssa":
		return assText(s)
	case ".lrc":
		return lrcTag().ReplaceAllString(s, "")
	case ".sub":
		return strings.ReplaceAll(subTimes().ReplaceAllString(s, ""), "|", "\n")
	case ".sbv":
		return sbvTimes().ReplaceAllString(s, "")
	}
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
	for line := range strings.Lines(s) {
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
