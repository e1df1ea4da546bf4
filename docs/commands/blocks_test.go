package commands

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// block is a fenced block of commands in a page.
type block struct {
	line    int      // of its fence
	skip    string   // why it is never run, "" if it is
	needs   []string // what it is run with alone: see [folder.lacks]
	numbers bool     // what it prints has other numbers elsewhere
	session bool     // commands after "$ ", with what they print
	python  bool     // a program in Python
	unknown string   // the comment before it that is no mark, "" if there is none
	text    string
}

// step is a command of a block, with the lines that the page shows after it.
type step struct {
	command string
	shown   []string
}

// The comments on the lines before a block. "not run: reason" leaves it out. "run with jq, corpora"
// leaves it out where jq or the corpora are missing. "numbers differ: reason" compares what a
// session prints without its digits.
var (
	notRun  = regexp.MustCompile(`^<!-- not run: (.+) -->$`)
	runWith = regexp.MustCompile(`^<!-- run with ([^:]+)(: .+)? -->$`)
	numbers = regexp.MustCompile(`^<!-- numbers differ: .+ -->$`)
	aMark   = regexp.MustCompile(`^<!--.*-->$`)
)

// known are the words after "run with": [folder.lacks] says what they mean.
var known = []string{"SLEPc", "chromium", "corpora", "duckdb", "jq", "make", "minutes", "mpirun", "python3", "time"}

// readBlocks returns the blocks of a Markdown file that are marked sh, those with other marks or
// none that have a line beginning with "$ ", and programs in Python that say what they are run
// with. A comment before a block that is none of the above is an error: it may be misspelt.
func readBlocks(file string) ([]block, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []block
	var lines []string
	var faults []error
	language, open, next, b := "", false, block{}, block{}
	for i, line := range strings.Split(string(text), "\n") {
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && !open:
			language, open, lines, b, next = line[3:], true, nil, next, block{}
			b.line = i + 1
			if b.unknown != "" {
				faults = append(faults, fmt.Errorf("%s: line %d: %s before it is no mark", file, b.line, b.unknown))
			}
		case fence:
			open = false
			b.text = strings.Join(lines, "\n")
			b.session = strings.HasPrefix(b.text, "$ ") || strings.Contains(b.text, "\n$ ")
			b.python = language == "python" && b.needs != nil
			if language == "sh" || b.session || b.python {
				all = append(all, b)
			}
		case open:
			lines = append(lines, line)
		case line != "":
			next.mark(line)
		}
	}
	return all, errors.Join(faults...)
}

// mark takes what a line before a block says of it; a line that says nothing begins anew.
func (b *block) mark(line string) {
	if m := notRun.FindStringSubmatch(line); m != nil {
		b.skip = m[1]
	} else if m := runWith.FindStringSubmatch(line); m != nil {
		b.needs = strings.Split(m[1], ", ")
		if i := slices.IndexFunc(b.needs, func(name string) bool { return !slices.Contains(known, name) }); i >= 0 {
			b.unknown = fmt.Sprintf("%q of %s", b.needs[i], line)
		}
	} else if numbers.MatchString(line) {
		b.numbers = true
	} else if aMark.MatchString(line) {
		b.unknown = line
	} else {
		*b = block{}
	}
}

// steps returns the commands of a session. A command that ends in a backslash goes on in the next
// line.
func (b block) steps() []step {
	var all []step
	for line := range strings.SplitSeq(b.text, "\n") {
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
	page := "```sh\none\ntwo\n```\n<!-- not run: it needs root -->\n```sh\nthree\n```\n```go\nx\n```\n\n```\n$ four \\\n  five\nout\n$ six\n```\n" +
		"<!-- run with jq, corpora: it counts -->\n<!-- numbers differ: by the machine -->\n\n```\n$ seven\n```\n<!-- run with duckdb -->\ntext\n```python\neight\n```\n<!-- run with duckdb -->\n```python\nnine\n```\n"
	must.Do(t, os.WriteFile(file, []byte(page), 0o600))
	got := must.Get(readBlocks(file))(t)
	if len(got) != 5 || got[0].text != "one\ntwo" || got[1].skip != "it needs root" || got[1].line != 6 || got[2].skip != "" ||
		!slices.Equal(got[3].needs, []string{"jq", "corpora"}) || !got[3].numbers || !got[4].python || got[4].text != "nine" || got[4].numbers {
		t.Fatalf("%+v", got)
	}
	steps := got[2].steps()
	if len(steps) != 2 || steps[0].command != "four \\\n  five" || len(steps[0].shown) != 1 || steps[0].shown[0] != "out" || steps[1].command != "six" {
		t.Errorf("%+v", steps)
	}
	// A misspelt mark, which would leave a block out or run it where it must not, is an error.
	for _, mark := range []string{"<!-- run wiht jq -->", "<!-- run with jqq -->", "<!-- run with corpora jq -->", "<!-- not run -->", "<!-- Not run: it needs root -->", "<!-- numbers differ -->"} {
		must.Do(t, os.WriteFile(file, []byte("<!-- run with jq -->\n"+mark+"\n```python\none\n```\n"), 0o600))
		if _, err := readBlocks(file); err == nil || !strings.Contains(err.Error(), "line 3: ") {
			t.Errorf("%s: %v", mark, err)
		}
	}
}
