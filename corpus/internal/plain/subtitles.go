package plain

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// subtitleKind is a form of subtitles. Other files have most of these extensions too.
type subtitleKind struct {
	extensions []string
	look       func() *regexp.Regexp // what files of the form hold; nil: the extension says enough
	lines      string                // the command that writes a text for each line
	text       func(s string) string
}

// subtitleKinds are SubRip and WebVTT, SubStation Alpha, lyrics with times, MicroDVD, and SubViewer
// and YouTube's.
var subtitleKinds = []subtitleKind{
	{[]string{".srt", ".vtt"}, nil, `sed -E -e '/-->|^WEBVTT|^[0-9]*\r?$/d' -e 's/<[^>]*>//g' FILE > FILE.txt`, cueText},
	{[]string{".ass", ".ssa"}, pattern.Lazy(`(?m)^Dialogue:`), `sed -nE -e '/^Dialogue:/{s/^([^,]*,){9}//;s/\{[^}]*\}//g;s/\\[Nnh]/ /g;p}' FILE > FILE.txt`, assText},
	{[]string{".lrc"}, pattern.Lazy(`(?m)^(?:<[\d:.]+>)?\[\d+:[\d:.]+\]`), `sed -E -e '/^\[[a-z#]+:/d' -e 's/[[<][0-9:.]+[]>]//g' FILE > FILE.txt`, lrcText},
	{[]string{".sub"}, pattern.Lazy(`(?m)^\{\d+\}\{\d*\}`), `sed -E 's/\{[^}]*\}//g; s/\|/ /g' FILE > FILE.txt`, subText},
	{[]string{".sbv", ".sub"}, sbvTimes, `sed -E -e '/^[0-9:.]+,[0-9:.]+\r?$/d' -e 's/\[br\]/ /g' FILE > FILE.txt`, sbvText},
}

// subtitles is the form of a file of subtitles, by its name and what it begins with; nil of another
// file.
func subtitles(name, s string) *subtitleKind {
	const looked = 64 << 10
	extension := path.Ext(input.UnpackedName(strings.ToLower(name)))
	for i := range subtitleKinds {
		k := &subtitleKinds[i]
		if slices.Contains(k.extensions, extension) && (k.look == nil || k.look().MatchString(strings.ReplaceAll(s[:min(len(s), looked)], "\r\n", "\n"))) {
			return k
		}
	}
	return nil
}

// IsSubtitles reports whether a file holds subtitles, by its name and its first bytes.
func IsSubtitles(name string, head []byte) bool { return SubtitleLines(name, head) != "" }

// SubtitleLines returns the command that writes a text for each line of subtitles, with FILE for
// the name of their file; "" of another file by its name and its first bytes.
func SubtitleLines(name string, head []byte) string {
	if k := subtitles(name, string(head)); k != nil {
		return k.lines
	}
	return ""
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
	sbvTimes = pattern.Lazy(`(?m)^\d+:[\d:.]+,\d+:[\d:.]+$|^\[(?:INFORMATION|END INFORMATION|SUBTITLE|TITLE|AUTHOR|SOURCE|FILEPATH|DELAY|COMMENT|COLF)\].*$`)
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

// lrcText, subText and sbvText return the words of such a file, without its times.
func lrcText(s string) string { return lrcTag().ReplaceAllString(s, "") }

func subText(s string) string {
	return strings.ReplaceAll(subTimes().ReplaceAllString(s, ""), "|", "\n")
}

func sbvText(s string) string {
	return strings.ReplaceAll(sbvTimes().ReplaceAllString(s, ""), "[br]", "\n")
}

// Subtitles returns what is spoken in subtitles, a line each: without numbers, times, marks,
// notes and styles, and a line once that follows on itself, as in captions that roll. Another text
// stays as it is. Cost O(length).
func Subtitles(name, s string) string {
	k := subtitles(name, s)
	if k == nil {
		return s
	}
	return k.text(strings.ReplaceAll(s, "\r\n", "\n"))
}

// cueText is what is spoken in SubRip and WebVTT.
func cueText(s string) string {
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
