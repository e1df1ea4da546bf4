package plain

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"
)

// markdownExtensions are the extensions of files that are read as Markdown.
var markdownExtensions = []string{".md", ".markdown", ".mdown", ".mkd"}

// IsMarkdown reports whether a file is Markdown, by its name.
func IsMarkdown(name string) bool {
	return slices.Contains(markdownExtensions, path.Ext(input.UnpackedName(strings.ToLower(name))))
}

// markdown reads CommonMark, and keeps HTML in it. Tables and strikes of GitHub stay as they are:
// their marks are no words, and the library fills every row of a table up to the width of its head,
// which a few kilobytes can make gigabytes.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()))
})

// markdownPiece is the most bytes that are read at a time: nested quotes, lists and open brackets
// take the library time that grows with the square of the length.
const markdownPiece = 16 << 10

// Markdown returns the text of Markdown as a reader sees it: headings, paragraphs, lists and
// code without their marks, links without their addresses, and no fields before the text. Cost
// O(length).
func Markdown(s string) string {
	s = withoutFrontMatter(s)
	var page strings.Builder
	page.Grow(len(s) + len(s)/4)
	for len(s) > 0 {
		piece := s[:markdownEnd(s)]
		s = s[len(piece):]
		if err := markdown().Convert([]byte(piece), &page); err != nil {
			page.WriteString(piece)
		}
	}
	return HTML(page.String())
}

// markdownEnd is where a piece of s ends: after the last empty line that fits in it, else after the
// last line, else after the last whole character.
func markdownEnd(s string) int {
	if len(s) <= markdownPiece {
		return len(s)
	}
	head := s[:markdownPiece]
	if at := strings.LastIndex(head, "\n\n"); at > 0 {
		return at + 2
	}
	if at := strings.LastIndexByte(head, '\n'); at > 0 {
		return at + 1
	}
	end := markdownPiece
	for end > markdownPiece-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}
