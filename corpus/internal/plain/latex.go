package plain

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"golang.org/x/text/unicode/norm"
)

// IsLaTeX reports whether a file is a source of LaTeX, by its name.
func IsLaTeX(name string) bool {
	return path.Ext(input.UnpackedName(strings.ToLower(name))) == ".tex"
}

// Commands of LaTeX whose arguments are no text (latexUnseen), and whose last argument alone is
// text (latexSecond). All arguments of any other command are text.
var (
	latexUnseen = latexSet("begin end documentclass documentstyle usepackage RequirePackage input include includeonly includegraphics graphicspath bibliography bibliographystyle addbibresource label ref eqref pageref autoref cref Cref nameref vref cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite footcite nocite hspace vspace setlength addtolength setcounter addtocounter newcommand renewcommand providecommand newenvironment renewenvironment newtheorem theoremstyle DeclareMathOperator def let newlength newcounter pagestyle thispagestyle pagenumbering fontsize selectfont color definecolor hypersetup bibitem url includepdf geometry rule raisebox vskip hskip setstretch linespread newblock tableofcontents hyphenation index gls acs")
	latexSecond = latexSet("href textcolor colorbox parbox scalebox resizebox multicolumn multirow")
	// latexMath are environments of formulas, and of pictures and programs in other languages.
	latexMath = latexSet("equation align alignat gather multline eqnarray math displaymath flalign tikzpicture pspicture picture filecontents comment thebibliography")
	latexSign = map[byte]string{'%': "%", '&': "&", '#': "#", '_': "_", '{': "{", '}': "}", '$': "$", '\\': "\n", ' ': " ", '\n': " ", ',': " ", ';': " ", ':': " ", '!': "", '-': "", '/': "", '@': ""}
	// latexAccents are the commands for accents, as marks of Unicode that follow the letter.
	latexAccents = map[string]string{"'": "\u0301", "`": "\u0300", "^": "\u0302", `"`: "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "k": "\u0328", "r": "\u030a"}
	latexLetters = map[string]string{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "LaTeX": "LaTeX", "TeX": "TeX"}
	latexTitle   = pattern.Lazy(`\\title\s*(\[[^\]]*\])?\s*\{`)
)

func latexSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// LaTeX returns the text of a source of LaTeX: without comments, names of commands, formulas,
// references, and what is before and after the document but for its title. Cost O(length).
func LaTeX(s string) string {
	s = withoutComments(s)
	l := &latex{}
	if at := strings.Index(s, `\begin{document}`); at >= 0 {
		if title := latexTitle().FindStringIndex(s[:at]); title != nil {
			l.s, l.at = s[:at], title[1]-1
			l.read(l.group())
			l.out.WriteByte('\n')
		}
		s = s[at:]
		if end := strings.Index(s, `\end{document}`); end >= 0 {
			s = s[:end]
		}
	}
	l.read(s)
	return norm.NFC.String(l.out.String())
}

// withoutComments leaves out what follows a percent sign in a line, with the line's end.
func withoutComments(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for line := range strings.Lines(s) {
		at := 0
		for at < len(line) && line[at] != '%' {
			if line[at] == '\\' {
				at++
			}
			at++
		}
		if at >= len(line) {
			out.WriteString(line)
			continue
		}
		out.WriteString(line[:at])
		if at == 0 || strings.TrimSpace(line[:at]) == "" {
			continue
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// latex reads a source.
type latex struct {
	s   string
	at  int
	out strings.Builder
	no  map[string]bool // ends of formulas that do not occur from here on
}

// latexArgument is the most bytes of an argument that is passed over: one that is not closed would
// be looked through again and again.
const latexArgument = 4 << 10

// read writes the text of s.
func (l *latex) read(s string) {
	l.s, l.at, l.no = s, 0, make(map[string]bool)
	for l.at < len(l.s) {
		c := l.s[l.at]
		switch {
		case c == '\\':
			l.command()
			continue
		case c == '$':
			l.formula()
			continue
		case c == '{' || c == '}':
		case c == '~' || c == '&':
			l.out.WriteByte(' ')
		default:
			l.out.WriteByte(c)
		}
		l.at++
	}
}

// formula passes over a formula between dollar signs. It stands at the first dollar sign.
func (l *latex) formula() {
	mark := "$"
	if strings.HasPrefix(l.s[l.at:], "$$") {
		mark = "$$"
	}
	l.at += len(mark)
	for l.at < len(l.s) && !strings.HasPrefix(l.s[l.at:], mark) {
		if strings.HasPrefix(l.s[l.at:], "\n\n") { // no formula has an empty line: a sign alone
			return
		}
		if l.s[l.at] == '\\' {
			l.at++
		}
		l.at++
	}
	l.at = min(l.at+len(mark), len(l.s))
	l.out.WriteByte(' ')
}

// command reads a command at its backslash.
func (l *latex) command() {
	l.at++
	start := l.at
	for l.at < len(l.s) && (l.s[l.at]|0x20 >= 'a' && l.s[l.at]|0x20 <= 'z') {
		l.at++
	}
	name := l.s[start:l.at]
	if name == "" {
		l.symbol()
		return
	}
	if l.at < len(l.s) && l.s[l.at] == '*' {
		l.at++
	}
	if mark := latexAccents[name]; mark != "" {
		l.accent(mark)
		return
	}
	if letter := latexLetters[name]; letter != "" {
		l.out.WriteString(letter)
		if l.at < len(l.s) && l.s[l.at] == ' ' {
			l.at++
		}
		return
	}
	switch {
	case name == "begin":
		l.environment()
	case name == "item":
		l.out.WriteByte('\n')
	case latexUnseen[name]:
		for l.skip() {
		}
	case latexSecond[name]:
		l.beforeLast()
	default:
		for l.option() {
		}
		l.out.WriteByte(' ')
	}
}

// symbol reads a command of a sign at the sign.
func (l *latex) symbol() {
	if l.at >= len(l.s) {
		return
	}
	c := l.s[l.at]
	if c == '[' || c == '(' {
		end := map[byte]string{'[': `\]`, '(': `\)`}[c]
		if l.past(end) {
			return
		}
	}
	l.at++
	if mark := latexAccents[string(c)]; mark != "" {
		l.accent(mark)
		return
	}
	l.out.WriteString(latexSign[c])
}

// past passes over all up to the end of a formula, or returns false where there is no such end.
func (l *latex) past(end string) bool {
	if l.no[end] {
		return false
	}
	to := strings.Index(l.s[l.at:], end)
	if to < 0 {
		l.no[end] = true
		return false
	}
	l.at += to + len(end)
	l.out.WriteByte('\n')
	return true
}

// accent writes the letter that follows with a mark.
func (l *latex) accent(mark string) {
	for l.at < len(l.s) && (l.s[l.at] == '{' || l.s[l.at] == ' ') {
		l.at++
	}
	switch rest := l.s[l.at:]; {
	case strings.HasPrefix(rest, `\i`), strings.HasPrefix(rest, `\j`):
		l.out.WriteString(rest[1:2] + mark)
		l.at += 2
	case rest != "":
		_, size := utf8.DecodeRuneInString(rest)
		l.out.WriteString(rest[:size] + mark)
		l.at += size
	}
	if l.at < len(l.s) && l.s[l.at] == '}' {
		l.at++
	}
}

// environment passes over the beginning of an environment, and over all of one of formulas.
func (l *latex) environment() {
	name := strings.TrimSuffix(l.group(), "*")
	if latexMath[name] && (l.past(`\end{`+name+`}`) || l.past(`\end{`+name+`*}`)) {
		return
	}
	for l.option() {
	}
	if name == "tabular" || name == "array" || name == "tabularx" || name == "longtable" || name == "minipage" || name == "figure" || name == "table" {
		for l.skip() {
		}
	}
	l.out.WriteByte('\n')
}

// beforeLast passes over the arguments of a command but for the last one, which is text.
func (l *latex) beforeLast() {
	for {
		at := l.at
		if !l.skip() {
			return
		}
		if l.at >= len(l.s) || l.s[l.at] != '{' && l.s[l.at] != '[' {
			l.at = at
			return
		}
	}
}

// option passes over an argument in brackets, if one comes next.
func (l *latex) option() bool { return l.next('[') && l.pass('[', ']') }

// skip passes over an argument in brackets or braces, if one comes next.
func (l *latex) skip() bool { return l.option() || l.next('{') && l.pass('{', '}') }

// next reports whether a sign comes next.
func (l *latex) next(sign byte) bool { return l.at < len(l.s) && l.s[l.at] == sign }

// pass passes over what is between two signs, at the first of them; false if the second is missing.
func (l *latex) pass(open, shut byte) bool {
	depth := 0
	for i := l.at; i < min(len(l.s), l.at+latexArgument); i++ {
		switch l.s[i] {
		case '\\':
			i++
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				l.at = i + 1
				return true
			}
		}
	}
	return false
}

// group returns what is in the braces that come next, and passes over it.
func (l *latex) group() string {
	at := l.at
	if !l.next('{') || !l.pass('{', '}') {
		return ""
	}
	return l.s[at+1 : l.at-1]
}
