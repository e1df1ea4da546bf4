package plain

import (
	"html"
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// slackMarks matches what stands between brackets in a message of Slack: a link, with or without
// words for it, or the number of a person or a channel.
var slackMarks = pattern.Lazy(`<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>`)

// Slack is the text of a message of Slack as people see it: links by their words or address,
// channels by their names, without the numbers of people, and with characters for entities.
func Slack(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	text = slackMarks().ReplaceAllStringFunc(text, func(mark string) string {
		parts := slackMarks().FindStringSubmatch(mark)
		switch {
		case parts[3] != "":
			return parts[3]
		case parts[1] != "":
			return ""
		}
		return parts[2]
	})
	return html.UnescapeString(text)
}
