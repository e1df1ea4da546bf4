package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// What ReadOptions.Strip may name.
const (
	// StripHeaders is the lines before the first empty one, if the text begins with a header.
	StripHeaders = "headers"
	StripQuotes  = "quotes"  // quoted lines, and the lines that introduce them
	StripFooters = "footers" // the text after "-- ", else the last paragraph
	// StripAuto is, of a message of mail and of a text that begins with headers of mail, all headers
	// but the subject, the signature, and the lines that introduce quoted ones. It is what an empty
	// list means.
	StripAuto = "auto"
	StripNone = "none" // nothing
)

// strips lists what can be cut out.
var strips = []string{StripHeaders, StripQuotes, StripFooters, StripAuto, StripNone}

func checkStrips(parts []string) error {
	var errs []error
	for _, p := range parts {
		if !slices.Contains(strips, p) {
			errs = append(errs, invalid.Errorf("%q cannot be stripped from texts; what can is %s", message.Clip(p, 40), strings.Join(strips, ", ")))
		}
	}
	if len(parts) > 1 && slices.Contains(parts, StripNone) {
		errs = append(errs, invalid.Errorf("%s strips nothing, and stands alone", StripNone))
	}
	return invalid.Join(errs...)
}

// stripped are the parts of mail to strip: those named, or else StripAuto.
func (o *ReadOptions) stripped() []string {
	if len(o.Strip) == 0 {
		return []string{StripAuto}
	}
	return o.Strip
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

// stripText cuts the given parts out of a text, and reports whether it is mail from which StripAuto
// cut something.
func stripText(text string, parts []string) (string, bool) {
	auto := slices.Contains(parts, StripAuto) && isMail(text)
	if auto {
		text = subjectFirst(text)
	}
	return stripBody(text, parts, auto), auto
}

// stripBody cuts the given parts out of a text. With these parts in the text, a classifier of
// newsgroups learns who writes, from where, and in answer to whom, in place of the subject (they
// are the three parts of remove= in scikit-learn's fetch_20newsgroups). auto says that the text is
// the body of a message from which StripAuto cuts its own parts too.
func stripBody(text string, parts []string, auto bool) string {
	// Headers first: the other rules apply to the body only.
	if slices.Contains(parts, StripHeaders) && !auto {
		text = withoutHeaders(text)
	}
	if auto {
		text = withoutLines(withoutSignature(text), isIntroduction)
	}
	if slices.Contains(parts, StripQuotes) {
		text = withoutLines(text, isQuote)
	}
	if slices.Contains(parts, StripFooters) {
		text = withoutFooter(text)
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

// withoutLines drops the lines of a text, without blanks around them, that a rule is true of.
func withoutLines(text string, rule func(line string) bool) string {
	var out strings.Builder
	out.Grow(len(text))
	for line := range strings.Lines(text) {
		if !rule(strings.TrimSpace(line)) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// isQuote recognises a quoted line, one that begins with > or |, with at most the writer's initials
// before it ("JS> "), and a line that introduces quoted ones.
func isQuote(line string) bool {
	return quoteMark(line) >= 0 || isIntroduction(line)
}

// quoteMark is the place of the mark by which a quoted line begins; -1 if it is none.
func quoteMark(line string) int {
	mark := strings.IndexAny(line[:min(len(line), 5)], ">|")
	if mark > 0 && (line[mark] != '>' || !isInitials(line[:mark])) {
		return -1
	}
	return mark
}

// isIntroduction recognises a line that introduces a quotation ("... wrote:"), quoted or not.
func isIntroduction(line string) bool {
	for at := quoteMark(line); at >= 0; at = quoteMark(line) {
		line = strings.TrimSpace(line[at+1:])
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

// Most lines of a signature: after a line "-- ", after a line of marks, and of a paragraph.
const (
	signatureLines = 30
	blockLines     = 10
	paragraphLines = 6
)

// address matches what stands in signatures: an address of mail, of the web or of UUCP, or a
// telephone number of North America.
var address = regexp.MustCompile(`[^\s@]@[^\s@]+\.[^\s@]|https?://|[a-z]![a-z]|\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b`)

// withoutSignature cuts off a signature: what stands after a line "-- ", or else at the end of the
// text after a line of marks alone, or in the last paragraph, if there is an address in it. A text
// that is nothing else stays.
func withoutSignature(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	end := len(lines)
	for i := end - 1; i > 0 && i >= end-signatureLines; i-- {
		if strings.TrimRight(lines[i], " \r") == "--" {
			return strings.Join(lines[:i], "\n")
		}
	}
	for end > 0 && (isRule(lines[end-1]) || strings.TrimSpace(lines[end-1]) == "") {
		end-- // a line of marks below the signature
	}
	addressed := false
	for i := end - 1; i > 0 && i >= end-blockLines; i-- {
		if isRule(lines[i]) {
			if addressed {
				return strings.Join(lines[:i], "\n")
			}
			break
		}
		addressed = addressed || address.MatchString(lines[i])
	}
	addressed = false
	for i := end - 1; i > 0 && i >= end-paragraphLines-1; i-- {
		if strings.TrimSpace(lines[i]) == "" {
			if addressed {
				return strings.Join(lines[:i], "\n")
			}
			break
		}
		addressed = addressed || address.MatchString(lines[i])
	}
	return text
}

// isRule recognises a line of at least three marks and no letter or digit.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
