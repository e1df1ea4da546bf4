package report

import (
	"bytes"
	"html"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Served is a page for a server that answers its requests.
type Served struct {
	HTML   []byte
	Policy string // its Content-Security-Policy, for the header
}

// policyTag is the element of a page that has its policy.
const policyTag = `<meta http-equiv="Content-Security-Policy" content="`

// NewServed makes a served page of the page in a file: the same with the script and the styles of
// this version, and with the controls of explore.js, which talk to the server the page is from and
// to nothing else. Errors (fs.ErrInvalid): the text is no page of [Write].
func NewServed(page []byte) (*Served, error) {
	script, style := scriptOf(servedScripts), styleText+exploreStyle
	_, head, _ := bytes.Cut(page, []byte(policyTag))
	head, _, _ = bytes.Cut(head, []byte(">"))
	beside := ""
	if bytes.Contains(head, []byte(html.EscapeString(dynamic))) {
		beside = "'self'" // the server of the page has its tiles
	}
	rule := policy(style, script, beside) + "; connect-src 'self'"
	for _, part := range []struct{ from, to, text string }{
		{policyTag, `">`, html.EscapeString(rule)},
		{"<style>", "</style>", style},
		{"<script>", "</script>", script},
	} {
		before, rest, found := bytes.Cut(page, []byte(part.from))
		_, after, ended := bytes.Cut(rest, []byte(part.to))
		if !found || !ended {
			return nil, invalid.Errorf("the page has no %s: it is no report of a clustering", part.from)
		}
		page = slices.Concat(before, []byte(part.from), []byte(part.text), []byte(part.to), after)
	}
	return &Served{page, rule + "; frame-ancestors 'none'"}, nil
}
