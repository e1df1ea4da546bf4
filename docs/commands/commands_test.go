// Package commands holds the test that runs the commands of the documentation.
package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// pages are the pages whose commands are run. The commands of a page run one after the other in a
// folder that has what folder_test.go puts there.
var pages = []string{"README.md", "docs/start.md", "docs/walkthrough.md", "docs/explore.md", "docs/vectors.md", "docs/install.md", "docs/cli.md", "docs/page.md",
	"docs/map.md", "docs/confidence.md", "docs/formats.md", "docs/scale.md", "docs/update.md", "examples/README.md", "docs/gallery.md"}

// whole are pages that need the whole corpus.
var whole = map[string]bool{"docs/walkthrough.md": true, "docs/scale.md": true}

// all is set for the whole corpus, and for comparing what sessions show with what they print;
// long also for the blocks that take minutes. By itself the test takes a fourth of the corpus and
// looks at the exit status alone.
var (
	long = os.Getenv("EIGENMAP_DOCS") == "long"
	all  = os.Getenv("EIGENMAP_DOCS") == "all" || long
)

func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program and runs it")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	root := must.Get(filepath.Abs("../.."))(t)
	program := build(t, root)
	corpus, every := thinned(t, root, 4), thinned(t, root, 1)
	for _, name := range pages {
		t.Run(name, func(t *testing.T) {
			blocks := must.Get(readBlocks(filepath.Join(root, name)))(t)
			if len(blocks) == 0 {
				t.Skip("no commands")
			}
			docs := corpus
			if all || whole[name] {
				docs = every
			}
			w := newFolder(t, root, program, docs)
			if name == "docs/explore.md" {
				w.labelled(t, docs)
			}
			run := 0
			for _, b := range blocks {
				if b.skip != "" {
					t.Logf("line %d: not run: %s", b.line, b.skip)
					continue
				}
				if missing := w.lacks(b.needs); missing != "" {
					t.Logf("line %d: not run: there is no %s", b.line, missing)
					continue
				}
				run++
				before := w.used
				if !w.runBlock(t, b) {
					return // what follows may need it
				}
				t.Logf("line %d: %.1f s", b.line, (w.used - before).Seconds())
			}
			t.Logf("%d of %d blocks run, %.1f s of processor time", run, len(blocks), w.used.Seconds())
		})
	}
}

// runBlock runs a block: a script as a whole, a session command by command.
func (w *folder) runBlock(t *testing.T, b block) bool {
	t.Helper()
	if !b.session {
		script := b.text
		if b.python {
			script = "'" + w.python + "' - <<'END'\n" + script + "\nEND"
		}
		out, err := w.shell(script)
		if err != nil {
			t.Errorf("line %d: %v\n%s\nprinted\n%s", b.line, err, b.text, tail(out))
		}
		return err == nil
	}
	for _, s := range b.steps() {
		if name, ok := strings.CutPrefix(s.command, "cat "); ok {
			// The page shows a file that its reader has written.
			w.put(t, name, []byte(strings.TrimRight(strings.Join(s.shown, "\n"), "\n")+"\n"), 0o644)
			continue
		}
		out, err := w.shell(s.command)
		if b.numbers {
			for k := range s.shown {
				s.shown[k] = withoutNumbers(s.shown[k])
			}
			out = withoutNumbers(out)
		}
		fails := len(s.shown) > 0 && strings.HasPrefix(s.shown[0], "eigenmap: ")
		switch {
		case fails && err == nil:
			t.Errorf("line %d: %s\nis shown to fail, and does not", b.line, s.command)
		case fails && !strings.Contains(out, s.shown[0]):
			t.Errorf("line %d: %s\nis shown to print\n%s\nand prints\n%s", b.line, s.command, s.shown[0], tail(out))
		case !fails && err != nil:
			t.Errorf("line %d: %v: %s\nprinted\n%s", b.line, err, s.command, tail(out))
			return false
		}
		if all && !fails {
			for _, line := range missing(s.shown, out) {
				t.Errorf("line %d: %s\ndoes not print\n%s", b.line, s.command, line)
			}
		}
	}
	return true
}

// patience is how long commands may take together that are one block or one line of a session.
const patience = 30 * time.Minute

// shell runs commands in the folder and returns what they print on both outputs.
func (w *folder) shell(script string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = w.dir
	cmd.Env = w.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState != nil {
		w.used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("not done after %v", patience)
	}
	return out.String(), err
}

// missing returns the lines of a page that a command does not print. Blanks count as one, lines
// that were shortened and lines that differ from run to run are left out.
func missing(shown []string, out string) []string {
	printed := map[string]bool{}
	for line := range strings.SplitSeq(out, "\n") {
		printed[strings.Join(strings.Fields(line), " ")] = true
	}
	var lines []string
	for _, line := range shown {
		plain := strings.Join(strings.Fields(line), " ")
		word, _, _ := strings.Cut(plain, " ")
		if plain == "" || strings.Contains(plain, "...") || strings.Contains(plain, "…") || word == "time" || word == "model" {
			continue
		}
		if !printed[plain] {
			lines = append(lines, line)
		}
	}
	return lines
}

// withoutNumbers writes 0 for each number with its unit.
func withoutNumbers(text string) string {
	return regexp.MustCompile(`(below )?[0-9][0-9,.]*( KiB| MiB| GiB| bytes| s\b| ms\b)?`).ReplaceAllString(text, "0")
}

// tail returns the last 2,000 bytes of a text.
func tail(s string) string { return s[max(0, len(s)-2000):] }
