package corpus

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"github.com/eigenmap/eigenmap/internal/words"
)

// blockKind is textKind of a file whose documents are several lines each.
func blockKind(head []byte) string {
	lines := bytes.Split(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n")), []byte("\n"))
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // it may be cut off
	}
	const asLines = ", and give ‹input-format› lines"
	switch {
	case len(lines) > 4 && sequenceName().Match(lines[0]) && residues().Match(lines[1]):
		return "holds sequences in FASTA; write the runs of four letters of each on a line, with awk '/^>/ {if (s) print s; s = \"\"; next} {for (i = 1; i + 3 <= length($0); i++) s = s substr($0, i, 4) \" \"} END {print s}' FILE > FILE.txt" + asLines
	case len(lines) > 4 && lines[0][0] == '@' && residues().Match(lines[1]) && bytes.HasPrefix(lines[2], []byte("+")) && len(lines[1]) == len(lines[3]):
		return "holds sequences in FASTQ; write the runs of four letters of each on a line, with awk 'NR % 4 == 2 {for (i = 1; i + 3 <= length($0); i++) printf \"%s \", substr($0, i, 4); print \"\"}' FILE > FILE.txt" + asLines
	case count(lines, "==========") >= 2:
		return "holds texts between lines of ==========, as the clippings of a Kindle are; write a line each, with awk 'BEGIN {RS = \"==========\\r?\\n\"} {gsub(/[\\r\\n]+/, \" \"); print}' FILE > FILE.txt" + asLines
	case doubleColons(lines):
		return "has columns that :: separates; write tabs in its place, with sed 's/::/\\t/g' FILE > FILE.tsv"
	}
	if sep := oddSeparator(lines); sep != "" {
		return fmt.Sprintf("has columns that %s separates; write tabs in its place, with sed %s FILE > FILE.tsv", message.Clip(strconv.Quote(sep), 40), words.ShellWord("s/ *"+sedPattern(sep)+" */\\t/g"))
	}
	if key := longestKey(lines); key != "" {
		return fmt.Sprintf("holds records of lines with names before a colon; write the texts of one name, a line each, with sed -n %s FILE > FILE.txt%s", words.ShellWord("s|^"+key+": *||p"), asLines)
	}
	return ""
}

// count is how many lines are a text; longer ones of its signs are below a title.
func count(lines [][]byte, text string) (n int) {
	for _, l := range lines {
		if string(l) == text {
			n++
		}
	}
	return n
}

var (
	// sequenceName is the line before a sequence in FASTA, and residues one of the sequence.
	sequenceName = pattern.Lazy(`^>[!-~]`)
	residues     = pattern.Lazy(`^[A-Za-z*-]{10,}$`)
	// keyLine is a line of a record: a name, a colon and a value.
	keyLine = pattern.Lazy(`^([A-Za-z][\w/.-]*): ?(.*)$`)
)

// doubleColons reports whether the first lines have columns between :: signs. Each line has two or
// more, all have the same number, and the first sign follows a number, such as that of a film. In
// lines of a program or of a log it follows a name or an address.
func doubleColons(lines [][]byte) bool {
	const looked = 10
	n := bytes.Count(lines[0], []byte("::"))
	return n > 1 && len(lines) > 2 && !slices.ContainsFunc(lines[:min(len(lines), looked)], func(l []byte) bool {
		first, _, _ := bytes.Cut(l, []byte("::"))
		return bytes.Count(l, []byte("::")) != n || len(first) == 0 || len(bytes.Trim(first, "0123456789")) > 0
	})
}

// oddSign matches signs that may separate columns, and are rare in texts: a control character, one
// of ^, ~ and ¦, or a row of several signs.
var oddSign = pattern.Lazy("[\x01-\x08\x1c-\x1f]|[!-/:-@\\[-`{-~§¦]+")

// oddSeparator is what separates the columns of the first lines, other than the usual separators:
// each line has as many of it, and not as a mark of a word, as in C++. "" of other lines.
func oddSeparator(lines [][]byte) string {
	const fewest, looked = 5, 50
	if len(lines) < fewest {
		return ""
	}
	for _, sign := range oddSign().FindAll(lines[0], -1) {
		single := len([]rune(string(sign))) == 1
		if single && !bytes.ContainsAny(sign, "^~¦\x01\x02\x03\x04\x05\x06\x07\x08\x1c\x1d\x1e\x1f") || !single && (len(sign) < 2 || bytes.ContainsAny(sign, "\"'()[]{}<>.,;/") || len(bytes.Trim(sign, "-=*#_!?:")) == 0) {
			continue
		}
		n := bytes.Count(lines[0], sign)
		if !slices.ContainsFunc(lines[:min(len(lines), looked)], func(l []byte) bool { return bytes.Count(l, sign) != n || marksWord(l, sign) }) {
			return string(sign)
		}
	}
	return ""
}

// marksWord reports whether a line has a sign with a blank or an end of the line on one side alone:
// beside a word that it belongs to. A line begins and ends with an empty column if the sign also
// stands between others.
func marksWord(line, sign []byte) bool {
	parts := bytes.Split(line, sign)
	if len(parts) == 2 && (len(parts[0]) == 0) != (len(parts[1]) == 0) {
		return true
	}
	for i, after := range parts[1:] {
		before := parts[i]
		if len(before) > 0 && len(after) > 0 && (before[len(before)-1] == ' ') != (after[0] == ' ') {
			return true
		}
	}
	return false
}

// sedPattern is a text as sed's regular expressions have it.
func sedPattern(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r < ' ':
			fmt.Fprintf(&out, "\\x%02x", r)
		case strings.ContainsRune(`.[]*^$/\`, r):
			out.WriteString("\\" + string(r))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// longestKey returns the name whose values are the longest in records between blank lines, each
// line of which has a name; "" of another file. There are two records or more with the same names.
func longestKey(lines [][]byte) string {
	var first, names []string
	length := make(map[string]int)
	records := 0
	for _, l := range lines {
		if len(bytes.TrimSpace(l)) > 0 {
			m := keyLine().FindSubmatch(l)
			if m == nil {
				return ""
			}
			names = append(names, string(m[1]))
			length[string(m[1])] += len(m[2])
			continue
		}
		if len(names) == 0 {
			continue
		}
		if records++; records == 1 {
			first = names
		} else if !slices.Equal(first, names) {
			return ""
		}
		names = nil
	}
	if records < 2 || len(first) < 2 {
		return ""
	}
	return message.Clip(slices.MaxFunc(first, func(a, b string) int { return length[a] - length[b] }), 60)
}
