package plain

import (
	"strings"
	"testing"
	"time"
)

// The text of LaTeX is what is printed but for formulas and references.
func TestLaTeX(t *testing.T) {
	for source, want := range map[string]string{
		"\\documentclass[11pt]{article}\n\\usepackage{graphicx}\n\\newcommand{\\x}{macro}\n\\title[short]{The \\emph{Great} Title}\n\\begin{document}\n\\maketitle\\section*{One} % not this\nword~two, 5\\% of \\textbf{bold} \\cite[p.~1]{key} \\ref{fig}.\n\\end{document}\nafter": "The Great Title One word two, 5% of bold .",
		"a $x^2 \\$ y$ b $$z$$ c \\[w\\] d \\(v\\) e \\begin{equation*}\\alpha\\end{equation*} f \\begin{align}q\\end{align} g":                                                                                                                                                       "a b c d e f g",
		"caf\\'e na\\\"{\\i}ve \\c{c}a \\v{s} Stra\\ss e \\o re G\\\"odel \\AA ngstrom":                                                                                                                                                                                               "café naïve ça š Straße øre Gödel Ångstrom",
		"\\begin{itemize}[nosep]\\item one\\item[x] two\\end{itemize} \\footnote{three} \\href{http://a.b}{link} \\textcolor{red}{four} \\hspace{1em}five":                                                                                                                            "one [x] two three link four five",
		"\\begin{tabular}{l|r} a & b \\\\ c & d \\end{tabular} \\includegraphics[width=3cm]{file}":                                                                                                                                                                                    "a b c d",
		"costs 5$ and more\n\nnext $ part":  "costs 5 next",
		"\\cite{open \\begin{equation} x":   "open x",
		"100\\% sure \\\\% gone\nnext line": "100% sure next line",
		"":                                  "", "\\": "", "\\'": "", "\\begin": "", "$": "", "\\c": "", "\\[": "",
	} {
		if got := strings.Join(strings.Fields(LaTeX(source)), " "); got != want {
			t.Errorf("%q becomes %q, not %q", source, got, want)
		}
	}
}

// What is never closed takes time that grows with the length.
func TestLaTeXOpen(t *testing.T) {
	for _, piece := range []string{"\\cite{", "\\[", "\\begin{equation}", "$", "{", "\\textcolor{a}[", "\\'{", "\\begin{tabular}["} {
		began := time.Now()
		LaTeX(strings.Repeat(piece, 1<<18/len(piece)))
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%q takes %v", piece, took)
		}
	}
}

// Any bytes are read.
func FuzzLaTeX(f *testing.F) {
	f.Add("\\begin{document}\\title{a}$x\\'{\\i}\\end{document}")
	f.Fuzz(func(t *testing.T, source string) { LaTeX(source) })
}
