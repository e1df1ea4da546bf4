package view

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/goccy/go-yaml"
)

// BaseName is the name of a file or folder without the folders above it.
func BaseName(file string) string {
	s := strings.TrimRight(file, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	return s
}

// backendKey is the flag of the backend of dense linear algebra, which is the process's and no
// option of a run.
const backendKey = "backend"

// chosenBackend is the backend in use if it is not the standard one, else "".
func chosenBackend() string {
	if v := version.Current(); v.Backend != v.Backends[0] {
		return v.Backend
	}
	return ""
}

// yamlOf writes settings, and a backend that was chosen, as the body of a configuration file. YAML
// is UTF-8: a value that is not, such as the name of a file, becomes a comment.
func yamlOf(list []job.Setting) ([]byte, error) {
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

// WriteConfig writes settings as a file for --config, with what made them as comments, and the
// settings that such a run came to where known labels chose its method.
func WriteConfig(w io.Writer, command string, list []job.Setting, cameTo ...job.Setting) error {
	body, err := yamlOf(list)
	if err != nil {
		return err
	}
	if len(cameTo) > 0 {
		came, err := yamlOf(cameTo)
		if err != nil {
			return err
		}
		body = append(body, "# The known labels choose the method again, which takes the time that it took. The run then used:\n"...)
		for line := range strings.Lines(string(came)) {
			body = append(body, "#   "+strings.TrimPrefix(line, "# ")...)
		}
	}
	v := version.Current()
	_, err = fmt.Fprintf(w, "# Repeat with: eigenmap %s --config THIS_FILE [--out DIR]\n# Made by eigenmap %s (%s), backend %s (%s), %s.\n%s",
		command, v.Version, v.Go, v.Backend, v.Library, words.Plural(v.Threads, "thread", "threads"), body)
	return err
}

// commandLine repeats the run from a shell.
func commandLine(r *result.Run, list []job.Setting) string {
	var b strings.Builder
	b.WriteString("eigenmap " + r.Command + " " + words.ShellWord(r.J.File))
	for _, s := range list {
		switch {
		case s.Name == job.FileKey:
		case s.Text == "true" && s.Value == true:
			b.WriteString(" --" + s.Name)
		case s.Value == false && s.Decided: // a switch that is on by itself
			b.WriteString(" --" + s.Name + "=false")
		case s.Value != false && (s.Given || s.Decided || s.Name == "seed"):
			b.WriteString(" --" + s.Name + " " + words.ShellWord(s.Text))
		}
	}
	if engine := chosenBackend(); engine != "" {
		b.WriteString(" --" + backendKey + " " + engine)
	}
	return b.String()
}

// FlagName writes an option as a flag of the command line, which is how the report repeats a run.
func FlagName(option string) string { return "--" + option }
