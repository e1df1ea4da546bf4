package entries

import (
	"bytes"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// chatColumns are the columns of a chat.
var chatColumns = []string{"date", "sender", TextColumn}

// chatLine matches the first line of a message as WhatsApp writes it: on Android
// "26/01/2020, 4:19 pm - Ann: some words", on an iPhone "[26.01.20, 16:19:07] Ann: some words".
// Lines about the group have no name.
var chatLine = pattern.Lazy(`^(` + chatTime + `) - (.*)$` + `|^\[(` + chatTime + `)\] (.*)$`)

// chatTime matches date and time of a message in the locales of phones: 26/01/2020, 4:19 p. m.;
// 26.01.20, 16:19; 2020. 01. 26. 16:19 (Hungarian); 26/01/2020 à 16:19; 26/01/2020، 16:19;
// 2020/1/26 下午4:19; 26.1.2020 klo 16.19.
const chatTime = `\d{1,4}[./-] ?\d{1,2}[./-] ?\d{1,4}\.?(?:[,،]| à| alle| um| às| a las| в| o| kl\.?| klo)? (?:[上下]午|오전 |오후 )?` +
	`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.? ?[Mm]\.?| ?[صم])?`

// chatSpaces are blanks and marks of direction that phones write into lines of a chat.
var chatSpaces = strings.NewReplacer("\u202f", " ", "\u00a0", " ", "\u200e", "", "\u200f", "", "\u202a", "", "\u202c", "", "\u202b", "", "\ufeff", "")

// placeholder matches a text that stands for a picture, <Media omitted> in all languages, and what
// follows the text of a message that was edited: several words in brackets at the end.
var placeholder = pattern.Lazy(`\s*<[^<>\n]+ [^<>\n]+>\s*$`)

// fewestMessages is how many of the first lines of a chat begin a message, with a name.
const fewestMessages = 2

// logLevel matches how a program marks a line of its log: INFO, [WARN], "error in app".
var (
	logLevel  = pattern.Lazy(`(?i)^\W*(trace|debug|info|notice|warn|warning|error|err|critical|crit|alert|emerg|emergency|fatal|severe|fine|finer|finest|config|verbose|panic|audit)\b`)
	bareLevel = pattern.Lazy(`^\W*(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|SEVERE|VERBOSE)\b`)
)

// isLog reports whether the sender or the text of a message is marked as a line of a log.
func isLog(sender, text string) bool {
	return logLevel().MatchString(sender) || bareLevel().MatchString(text)
}

// beginsChat recognises a chat by its first line and by messages of persons among the next ones. A
// log whose lines begin as messages do is none: most of them have a level for a sender.
func beginsChat(head []byte) bool {
	messages, logs, first := 0, 0, true
	for line := range bytes.Lines(head) {
		parts := chatLine().FindStringSubmatch(chatSpaces.Replace(strings.TrimSpace(string(line))))
		if first && parts == nil {
			return false
		}
		first = false
		if parts == nil {
			continue
		}
		if sender, text, found := strings.Cut(parts[2]+parts[4], ": "); isLog(sender, text) {
			logs++
		} else if found {
			messages++
		}
	}
	return messages >= fewestMessages && messages >= logs
}

// IsMessage reports whether a line begins a message of a person in a chat.
func IsMessage(line string) bool {
	parts := chatLine().FindStringSubmatch(chatSpaces.Replace(strings.TrimSpace(line)))
	return parts != nil && strings.Contains(parts[2]+parts[4], ": ")
}

// chat reads the messages of a chat.
type chat struct {
	lines *input.Lines
	limit int
	size  int
	row   []string // of the message that is being read; nil before the first
	text  strings.Builder
}

func newChat(in *input.File) *chat { return &chat{lines: input.NewLines(in), limit: limitOf(in)} }

// next returns the next message as a row of [chatColumns]; nil for one without a text of a person.
func (c *chat) next() ([]string, error) {
	for {
		raw, err := c.lines.Next()
		if err == io.EOF && c.row != nil {
			return c.done(nil), nil
		}
		if err != nil {
			return nil, err
		}
		line := string(bytes.TrimRight(raw, "\r\n"))
		system := strings.HasPrefix(strings.TrimSpace(line), "\u200e") // the phone's own words
		parts := chatLine().FindStringSubmatch(chatSpaces.Replace(line))
		if parts == nil {
			if c.size += len(line); c.size > c.limit {
				return nil, input.ErrTooLong
			}
			c.text.WriteString("\n" + chatSpaces.Replace(line))
			continue
		}
		sender, text, found := strings.Cut(parts[2]+parts[4], ": ")
		if found = found && !strings.ContainsAny(sender, "\"“”«»"); !found { // else a name of the group
			sender, text = "", ""
		}
		if strings.Contains(line, ": \u200e") || system && !found {
			text = "" // as "image omitted"
		}
		last := c.row
		row := c.done([]string{parts[1] + parts[3], sender, ""})
		c.text.WriteString(text)
		c.size = len(text)
		if last != nil {
			return row, nil
		}
	}
}

// done ends a message and begins the next one. It returns the message; nil if it has no text.
func (c *chat) done(next []string) []string {
	row := c.row
	text := strings.TrimSpace(placeholder().ReplaceAllString(c.text.String(), ""))
	c.row = next
	c.text.Reset()
	if row == nil || row[1] == "" || text == "" {
		return nil
	}
	row[2] = text
	return row
}
