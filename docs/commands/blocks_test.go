package commands

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// block is a fenced block of commands in a page.
type block struct {
	line    int    // of its fence
	skip    string // why it is not run, "" if it is
	session bool   // commands after "$ ", with what they print
	text    string
}

// step is a command of a block, with the lines that the page shows after it.
type step struct {
	command string
	shown   []string
}

var notRun = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// readBlocks returns the blocks of a Markdown file that are marked sh, and the ones with other
// marks or none that have a line beginning with "$ ". A comment "not run: reason" on the line
// before a block leaves it out.
func readBlocks(t *testing.T, file string) []block {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []block
	var lines []string
	language, start, open, before, skip := "", 0, false, "", ""
	for i, line := range strings.Split(string(text), "\n") {
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && !open:
			language, start, open, lines, skip = line[3:], i+1, true, nil, ""
			if m := notRun.FindStringSubmatch(before); m != nil {
				skip = m[1]
			}
		case fence:
			open = false
			b := block{start, skip, false, strings.Join(lines, "\n")}
			if b.session = strings.HasPrefix(b.text, "$ ") || strings.Contains(b.text, "\n$ "); language == "sh" || b.session {
				all = append(all, b)
			}
		case open:
			lines = append(lines, line)
		}
		if line != "" {
			before = line
		}
	}
	return all
}

// steps returns the commands of a session. A command that ends in a backslash goes on in the next
// line.
func (b block) steps() []step {
	var all []step
	for _, line := range strings.Split(b.text, "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, step{command: command})
			continue
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		if strings.HasSuffix(last.command, "\\") && len(last.shown) == 0 {
			last.command += "\n" + line
		} else {
			last.shown = append(last.shown, line)
		}
	}
	return all
}

func TestReadBlocks(t *testing.T) {
	file := t.TempDir() + "/a.md"
	page := "```sh\none\ntwo\n```\n<!-- not run: it needs root -->\n```sh\nthree\n```\n```go\nx\n```\n\n```\n$ four \\\n  five\nout\n$ six\n```\n"
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	got := readBlocks(t, file)
	if len(got) != 3 || got[0].text != "one\ntwo" || got[1].skip != "it needs root" || got[1].line != 6 {
		t.Fatalf("%+v", got)
	}
	steps := got[2].steps()
	if len(steps) != 2 || steps[0].command != "four \\\n  five" || len(steps[0].shown) != 1 || steps[0].shown[0] != "out" || steps[1].command != "six" {
		t.Errorf("%+v", steps)
	}
}
