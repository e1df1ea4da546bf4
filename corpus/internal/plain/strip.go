package plain

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// What [Strip] cuts out of messages.
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

// CheckStrips refuses names of parts that are not known, and a part beside none.
func CheckStrips(parts []string) error {
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

// mailNames are headers that a message of mail or news has several of.
var mailNames = strings.Fields("from to cc subject date message-id newsgroups organization lines path reply-to references sender in-reply-to received return-path mime-version content-type")

// isMail reports whether a text begins with the headers of a message of mail or news: with at least
// two different ones that nearly every message has, and what only messages have.
func isMail(text string) bool {
	common, typical := headersOf(text)
	return typical && common > 1
}

// encodedHeader is a header that says that what follows is no plain text as it stands.
var encodedHeader = pattern.Lazy(`(?im)^(content-transfer-encoding:\s*"?(base64|quoted-printable)|content-type:\s*(multipart/|text/html|message/))`)

// IsEncodedMail reports whether a file begins with the headers of a message of mail or news that
// has a text in base64 or quoted-printable, in HTML or in parts.
func IsEncodedMail(data []byte) bool {
	const longest = 64 << 10 // of headers
	if first, _, _ := bytes.Cut(data[:min(len(data), 512)], []byte("\n")); !IsHeader(string(first)) && !bytes.HasPrefix(data, []byte("From ")) {
		return false
	}
	head := string(data[:min(len(data), longest)])
	if at := strings.Index(head, "\n\n"); at >= 0 {
		head = head[:at+2]
	} else if at := strings.Index(head, "\n\r\n"); at >= 0 {
		head = head[:at+3]
	}
	return isMail(head) && encodedHeader().MatchString(head)
}

// headersOf looks at the headers that a text begins with, which are all lines up to an empty one
// but for those that go on with a header. It returns how many different ones nearly every message
// has, and whether one has what only messages have; of any other text 0 and false.
func headersOf(text string) (common int, typical bool) {
	met, name, first := uint32(0), "", true
	for line := range strings.Lines(text) {
		value := line
		switch blank := strings.TrimSpace(line) == ""; {
		case blank:
			return bits.OnesCount32(met), typical
		case first && strings.HasPrefix(line, "From "):
			first = false
			continue
		case !first && (line[0] == ' ' || line[0] == '\t'):
		case !IsHeader(line):
			return 0, false
		default:
			name, value, _ = strings.Cut(line, ":")
			if k := slices.IndexFunc(mailNames, func(n string) bool { return strings.EqualFold(n, name) }); k >= 0 {
				met |= 1 << k
			}
		}
		first = false
		typical = typical || isTypical(strings.ToLower(name), value)
	}
	return 0, false // without an empty line nothing but headers would be there
}

// isTypical recognises what only messages have, by the name of a header in small letters and its
// value.
func isTypical(name, value string) bool {
	switch name {
	case "from", "reply-to", "sender":
		return strings.Contains(value, "@")
	case "path":
		return strings.Contains(value, "!")
	}
	return name == "message-id" || name == "newsgroups" || name == "received"
}

// gutenberg are the lines between which a book of Project Gutenberg stands; before and behind them
// is its licence.
var gutenberg = pattern.Lazy(`(?m)^[ \t]*\*{3} ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG EBOOK[^\n]*\n?`)

// WithoutLicence returns a book of Project Gutenberg, or several in one text, without its licence
// if parts have StripAuto, and whether it had one; another text as it is.
func WithoutLicence(text string, parts []string) (book string, found bool) {
	if !slices.Contains(parts, StripAuto) || !strings.Contains(text, "PROJECT GUTENBERG EBOOK") {
		return text, false
	}
	var out strings.Builder
	begin := 0 // of the book; -1: behind its end
	for _, at := range gutenberg().FindAllStringSubmatchIndex(text, -1) {
		switch end := text[at[2]:at[3]] == "END"; {
		case !end:
			begin = at[1]
		case begin >= 0:
			out.WriteString(text[begin:at[0]])
			begin = -1
		}
		found = true
	}
	if begin >= 0 {
		out.WriteString(text[begin:])
	}
	return out.String(), found
}

// LicenceNote says of how many texts the licence of Project Gutenberg was left out.
func LicenceNote(texts int) (notes []string) {
	if texts == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of Project Gutenberg: the licence is left out; ‹strip› none counts its words.", message.Plural(texts, "text is a book", "texts are books"))}
}

// Strip cuts the given parts out of a text, and reports whether it is mail from which StripAuto
// cut something.
func Strip(text string, parts []string) (string, bool) {
	auto := slices.Contains(parts, StripAuto) && isMail(text)
	if auto && !slices.Contains(parts, StripHeaders) {
		text = subjectFirst(text)
	}
	return StripBody(text, parts, auto), auto
}

// StripBody cuts the given parts out of a text. With these parts in the text, a classifier of
// newsgroups learns who writes, from where, and in answer to whom, in place of the subject (they
// are the three parts of remove= in scikit-learn's fetch_20newsgroups). auto says that the text is
// the body of a message from which StripAuto cuts its own parts too.
func StripBody(text string, parts []string, auto bool) string {
	// Headers first: the other rules apply to the body only.
	if slices.Contains(parts, StripHeaders) {
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
	if !IsHeader(first) && !strings.HasPrefix(first, "From ") {
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

// IsHeader recognises a header of a message: a name of visible characters without blanks, then
// a colon.
func IsHeader(line string) bool {
	name, _, found := strings.Cut(line, ":")
	return found && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
}

// withoutLines drops the lines of a text that a rule is true of. The rule gets a line and the next
// one, without blanks around them.
func withoutLines(text string, rule func(line, next string) bool) string {
	var out strings.Builder
	out.Grow(len(text))
	for line, rest := "", text; rest != ""; {
		end := strings.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		line, rest = rest[:end], rest[end:]
		next, _, _ := strings.Cut(rest, "\n")
		if !rule(strings.TrimSpace(line), strings.TrimSpace(next)) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// isQuote recognises a quoted line, one that begins with > or |, with at most the writer's initials
// before it ("JS> "), and a line that introduces quoted ones.
func isQuote(line, next string) bool {
	return quoteMark(line) >= 0 || isIntroduction(line, next)
}

// quoteMark is the place of the mark by which a quoted line begins; -1 if it is none.
func quoteMark(line string) int {
	mark := strings.IndexAny(line[:min(len(line), 5)], ">|")
	if mark > 0 && (line[mark] != '>' || !isInitials(line[:mark])) {
		return -1
	}
	return mark
}

// longestIntroduction is the most bytes of a line that introduces a quotation: a longer one is a
// paragraph.
const longestIntroduction = 200

// messageID matches the name of a message in a line that introduces a quotation.
var messageID = pattern.Lazy(`<[^<>\s]+@[^<>\s]*`)

// isIntroduction recognises a line that introduces a quotation ("... wrote:"), quoted or not. One
// that begins with "In article" does with the name of a message, or a verb of writing in it or the
// next line.
func isIntroduction(line, next string) bool {
	line = withoutMarks(line)
	if len(line) > longestIntroduction {
		return false
	}
	if strings.HasPrefix(line, "In article ") || strings.HasPrefix(line, "Quoted from ") {
		return messageID().MatchString(line) || saysWrote(line) || saysWrote(withoutMarks(next))
	}
	return saysWrote(line)
}

// saysWrote recognises a line with a verb of writing before a quotation.
func saysWrote(line string) bool {
	for _, verb := range []string{"writes:", "wrote:", "says:", "said:", "writes in"} {
		if strings.HasSuffix(line, verb) {
			return true
		}
	}
	return strings.Contains(line, " writes in ") && (strings.HasSuffix(line, ":") || strings.Contains(line, "@"))
}

// withoutMarks is a line without marks of quotation before it.
func withoutMarks(line string) string {
	for at := quoteMark(line); at >= 0; at = quoteMark(line) {
		line = strings.TrimSpace(line[at+1:])
	}
	return line
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

// Most characters and words of a line of a signature, and most words of a sentence in one.
const (
	shortLine     = 60
	fewWords      = 10
	shortSentence = 8
)

// longRule is how many marks make a line that sets off a signature, without another one below.
const longRule = 30

// address matches what stands in signatures: an address of mail, of the web or of UUCP, or a
// telephone number of North America.
var address = pattern.Lazy(`[^\s@]@[^\s@]+\.[^\s@]|https?://|\w!\w+!\w|\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b`)

// withoutSignature cuts off a signature: what stands after a line "-- ", or else at the end of the
// text in the last paragraph, or after a long line of marks or between two, if there is an address
// in it and nothing but short lines. A text that is nothing else stays.
func withoutSignature(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	end := len(lines)
	for i := end - 1; i > 0 && i >= end-signatureLines; i-- {
		if strings.TrimRight(lines[i], " \r") == "--" {
			return strings.Join(lines[:i], "\n")
		}
	}
	ruled := false // there is a line of marks below the signature
	for end > 0 && (isRule(lines[end-1]) || strings.TrimSpace(lines[end-1]) == "") {
		ruled = ruled || isRule(lines[end-1])
		end--
	}
	for i := end - 1; i > 0 && i >= end-blockLines; i-- {
		if isRule(lines[i]) {
			if (ruled || len(strings.TrimSpace(lines[i])) >= longRule) && isSignature(lines[i+1:end]) {
				return strings.Join(lines[:i], "\n")
			}
			break
		}
	}
	for i := end - 1; i > 0 && i >= end-paragraphLines-1; i-- {
		if strings.TrimSpace(lines[i]) == "" {
			if isSignature(lines[i+1 : end]) {
				return strings.Join(lines[:i], "\n")
			}
			break
		}
	}
	return text
}

// isSignature recognises lines of a signature: short ones without a sentence of many words, one of
// them with an address.
func isSignature(lines []string) bool {
	addressed, sentence := false, 0 // words of a sentence up to this line
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		line = strings.Join(words, " ")
		if r, _ := utf8.DecodeRuneInString(line); !unicode.IsLower(r) {
			sentence = 0
		}
		sentence += len(words)
		last, _ := utf8.DecodeLastRuneInString(line)
		ends := strings.ContainsRune(".?!", last) && sentence > shortSentence || strings.ContainsRune("。？！", last)
		if ends || len(words) > fewWords || utf8.RuneCountInString(line) >= shortLine {
			return false
		}
		addressed = addressed || address().MatchString(line)
	}
	return addressed
}

// isRule recognises a line of at least three marks and no letter or digit.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
