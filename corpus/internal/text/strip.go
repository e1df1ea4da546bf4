package text

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// The parts of a message that ReadOptions.Strip may name.
const (
	// StripHeaders is the lines before the first empty one, if the text begins with a header.
	StripHeaders = "headers"
	StripQuotes  = "quotes"  // quoted lines, and the lines that introduce them
	StripFooters = "footers" // the signature
	StripAuto    = "auto"    // all three of a message of mail, and of a text that begins with headers of mail
)

// strips lists the parts that can be cut out.
var strips = []string{StripHeaders, StripQuotes, StripFooters}

func checkStrips(parts []string) error {
	var errs []error
	for _, p := range parts {
		if !slices.Contains(strips, p) && p != StripAuto {
			errs = append(errs, invalid.Errorf("%q cannot be stripped from texts; what can is %s, %s", message.Clip(p, 40), strings.Join(strips, ", "), StripAuto))
		}
	}
	return invalid.Join(errs...)
}

// mailNames are headers that a message of mail or news has several of.
var mailNames = strings.Fields("from to cc subject date message-id newsgroups organization lines path reply-to references sender in-reply-to received return-path mime-version content-type")

// isMail reports whether a text begins with headers of mail or news: with at least two
// headers that nearly every message has, in its first lines up to an empty one.
func isMail(text string) bool {
	met, lines := 0, 0
	for line := range strings.Lines(text) {
		name, _, found := strings.Cut(line, ":")
		if lines++; lines > 60 || strings.TrimSpace(line) == "" || lines == 1 && !(found && isHeaderLine(line)) && !strings.HasPrefix(line, "From ") {
			return false
		}
		if found && slices.Contains(mailNames, strings.ToLower(name)) {
			if met++; met == 2 {
				return true
			}
		}
	}
	return false
}

// ofMail are the parts to strip from a text, of which it is known whether it is a message.
func ofMail(parts []string, message bool) []string {
	switch {
	case !slices.Contains(parts, StripAuto):
		return parts
	case message:
		return strips
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == StripAuto })
}

// stripMessage cuts the given parts out of a message. With these parts in the text, a classifier of
// newsgroups learns who writes, from where, and in answer to whom, in place of the subject (they
// are the three parts of remove= in scikit-learn's fetch_20newsgroups).
func stripMessage(text string, parts []string) string {
	for _, p := range strips { // headers first: the other two rules apply to the body only
		if !slices.Contains(parts, p) {
			continue
		}
		switch p {
		case StripHeaders:
			text = withoutHeaders(text)
		case StripQuotes:
			text = withoutQuotes(text)
		case StripFooters:
			text = withoutFooter(text)
		}
	}
	return text
}

// withoutHeaders cuts off a leading block of "Name: value" lines up to the first empty line. A text
// that does not begin with such a line stays whole.
func withoutHeaders(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	if !isHeaderLine(first) && !strings.HasPrefix(first, "From ") {
		return text
	}
	for rest := text; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.TrimSpace(line) == "" {
			return rest
		}
	}
	return ""
}

// isHeaderLine recognises a header of a message: a name of visible characters without blanks, then
// a colon.
func isHeaderLine(line string) bool {
	name, _, found := strings.Cut(line, ":")
	return found && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
}

// withoutQuotes drops quoted lines and the lines that introduce a quotation.
func withoutQuotes(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for line := range strings.Lines(text) {
		if !isQuote(strings.TrimSpace(line)) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// hasQuotes reports whether a text has quoted lines.
func hasQuotes(text string) bool {
	for line := range strings.Lines(text) {
		if isQuote(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// isQuote recognises a quoted line: one that begins with > or |, with at most the writer's initials
// before it ("JS> "), or that introduces a quotation ("... wrote:").
func isQuote(line string) bool {
	mark := strings.IndexAny(line[:min(len(line), 5)], ">|")
	if mark == 0 || mark > 0 && line[mark] == '>' && isInitials(line[:mark]) {
		return true
	}
	if strings.HasPrefix(line, "In article ") || strings.HasPrefix(line, "Quoted from ") {
		return true
	}
	for _, verb := range []string{"writes:", "wrote:", "says:", "said:", "writes in"} {
		if strings.HasSuffix(line, verb) || verb == "writes in" && strings.Contains(line, " writes in ") {
			return true
		}
	}
	return false
}

func isInitials(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') })
}

// withoutFooter cuts off the signature: the text after the last line "-- ", else the last paragraph
// if an empty line or a line of dashes is before it. A text of one paragraph stays whole.
func withoutFooter(text string) string {
	body := strings.TrimSpace(text)
	if at := strings.LastIndex(body, "\n-- \n"); at >= 0 {
		return body[:at]
	}
	for end := len(body); end > 0; {
		start := strings.LastIndexByte(body[:end], '\n') + 1
		if strings.Trim(strings.TrimSpace(body[start:end]), "-") == "" {
			if start == 0 {
				return text
			}
			return body[:start]
		}
		end = start - 1
	}
	return text
}
