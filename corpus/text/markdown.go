package text

import (
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// markdownExtensions are the extensions of files that are read as Markdown.
var markdownExtensions = []string{".md", ".markdown", ".mdown", ".mkd"}

// isMarkdown reports whether a file is Markdown, by its name.
func isMarkdown(name string) bool {
	return slices.Contains(markdownExtensions, path.Ext(input.UnpackedName(strings.ToLower(name))))
}

// markdown reads CommonMark with the tables and strikes of GitHub, and keeps HTML in it.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe()))

// markdownText returns the text of Markdown as a reader sees it: headings, paragraphs, lists,
// tables and code without their marks, and links without their addresses. Cost O(length) of usual
// texts.
func markdownText(s string) string {
	var page strings.Builder
	page.Grow(len(s) + len(s)/4)
	if err := markdown.Convert([]byte(s), &page); err != nil {
		return s
	}
	return htmlText(page.String())
}
