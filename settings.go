package eigenmap

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/goccy/go-yaml"
)

// FileKey is the one key of a configuration that is not an option: the file to work on.
const FileKey = "file"

// Setting is an option with the value that a run used.
type Setting struct {
	Name    string
	Value   any    // as YAML and JSON show it
	Text    string // as Set reads it
	Given   bool   // it was asked for
	Decided bool   // the run decided it from the data
}

// settings lists every option that the run, its method and its input have a use for and that has a
// value. Decisions that the run took are in the options by then.
func (j *job) settings(own ...any) []Setting {
	fields := j.fields(own...)
	list := []Setting{{Name: FileKey, Value: j.file, Text: j.file}}
	for _, f := range fields {
		if ok, _ := j.relevant(fields, f, j.data()); !ok || j.corpus != nil && !takesFormat(f, j.corpus.Format) {
			continue
		}
		if v := f.Value(); v != nil {
			text := f.String()
			if text == "" {
				text = f.Default
			}
			list = append(list, Setting{f.Name, v, text, j.was(f.Name), f.Default == "" && f.IsSet()})
		}
	}
	return list
}

// Settings lists what the run used, [FileKey] first: given to [Options.Set] they repeat it.
func (r *Run) Settings() []Setting {
	list := r.j.settings()
	if r.fitOn > 0 {
		list = append(list, Setting{FitOnKey, r.fitOn, strconv.Itoa(r.fitOn), true, false})
	}
	return list
}

// Settings lists what the run used.
func (r *GraphRun) Settings() []Setting { return r.j.settings(r.own) }

// Config is the settings by name.
func Config(list []Setting) map[string]any {
	m := make(map[string]any, len(list))
	for _, s := range list {
		m[s.Name] = s.Value
	}
	return m
}

// backendKey is the flag of the backend of dense linear algebra, which is the process's and no
// option of a run.
const backendKey = "backend"

// chosenBackend is the backend in use if it is not the standard one, else "".
func chosenBackend() string {
	if v := Versions(); v.Backend != v.Backends[0] {
		return v.Backend
	}
	return ""
}

// yamlOf writes settings, and a backend that was chosen, as the body of a configuration file. YAML
// is UTF-8: a value that is not, such as the name of a file, becomes a comment.
func yamlOf(list []Setting) ([]byte, error) {
	body := make(yaml.MapSlice, 0, len(list))
	var left []byte
	for _, s := range list {
		if !utf8.ValidString(s.Text) {
			left = fmt.Appendf(left, "# %s: %q is not UTF-8, as this file must be: give it on the command line.\n", s.Name, s.Text)
			continue
		}
		value := s.Value
		if text, ok := value.(string); ok && strings.ContainsFunc(text, unicode.IsControl) {
			value = quoted(text)
		}
		body = append(body, yaml.MapItem{Key: s.Name, Value: value})
	}
	if b := chosenBackend(); b != "" {
		body = append(body, yaml.MapItem{Key: backendKey, Value: b})
	}
	text, err := yaml.Marshal(body)
	return append(left, text...), err
}

// quoted is a text that YAML must hold in double quotes: plain text loses some control characters.
type quoted string

// MarshalYAML implements yaml.BytesMarshaler. JSON's quotes and escapes are YAML's too.
func (q quoted) MarshalYAML() ([]byte, error) { return json.Marshal(string(q)) }

// writeConfig writes settings as a file for --config, with what made them as comments.
func writeConfig(w io.Writer, command string, list []Setting) error {
	body, err := yamlOf(list)
	if err != nil {
		return err
	}
	v := Versions()
	_, err = fmt.Fprintf(w, "# Repeat with: eigenmap %s --config THIS_FILE [--out DIR]\n# Made by eigenmap %s (%s), backend %s (%s), %s.\n%s",
		command, v.Version, v.Go, v.Backend, v.Library, words.Plural(v.Threads, "thread", "threads"), body)
	return err
}

// commandLine repeats the run from a shell.
func (r *Run) commandLine(list []Setting) string {
	var b strings.Builder
	b.WriteString("eigenmap " + r.command + " " + ShellWord(r.j.file))
	for _, s := range list {
		switch {
		case s.Name == FileKey:
		case s.Text == "true" && s.Value == true:
			b.WriteString(" --" + s.Name)
		case s.Value == false && s.Decided: // a switch that is on by itself
			b.WriteString(" --" + s.Name + "=false")
		case s.Value != false && (s.Given || s.Decided || s.Name == "seed"):
			b.WriteString(" --" + s.Name + " " + ShellWord(s.Text))
		}
	}
	if engine := chosenBackend(); engine != "" {
		b.WriteString(" --" + backendKey + " " + engine)
	}
	return b.String()
}

// ShellWord quotes a word that a shell would read as something else.
func ShellWord(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./,:=+@%", r))
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
