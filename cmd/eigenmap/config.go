package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/spf13/pflag"
)

// fileKey is the one key of a configuration file that is not a flag: the FILE to work on.
const fileKey = "file"

// notRecorded are flags that say where and how a run tells its results, not what they are.
var notRecorded = map[string]bool{"out": true, "json": true, "quiet": true, "config": true, "help": true, "threads": true, "format": true}

// configured is the annotation of a flag that a configuration file has set: where it does.
const configured = "configured"

// placed adds to a wrong request where the flags that it names stand in a configuration file.
func placed(set *pflag.FlagSet, err error) error {
	if err == nil || exitStatus(err) != exitRequest {
		return err
	}
	words := strings.FieldsFunc(err.Error(), func(r rune) bool { return r != '-' && !unicode.IsLetter(r) })
	var places []string
	set.VisitAll(func(f *pflag.Flag) {
		if at := f.Annotations[configured]; at != nil && (slices.Contains(words, "--"+f.Name) || f.Shorthand != "" && slices.Contains(words, "-"+f.Shorthand)) {
			places = append(places, "--"+f.Name+" stands in "+at[0])
		}
	})
	if places == nil {
		return err
	}
	return &flagError{err.Error() + " (" + strings.Join(places, ", ") + ")", err}
}

// readConfig sets the flags that the YAML file names and the command line left alone; the keys are
// the flags' long names. It returns the file's "file", "" where it has none.
func readConfig(path string, set *pflag.FlagSet) (file string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	doc, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0) // the mark that some editors begin a file with
	if err != nil {
		return "", requestf("%s: it is not YAML: %s", path, firstLine(yaml.FormatError(err, false, false)))
	}
	given := make(map[string]bool) // on the command line, where flags win
	set.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	for _, d := range doc.Docs {
		entries, err := entriesOf(path, d.Body)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			key, line := e.Key.GetToken().Value, e.Key.GetToken().Position.Line
			values, err := scalars(e.Value)
			if err != nil {
				return "", requestf("%s line %d: %s %v", path, line, key, err)
			}
			if key == fileKey {
				if len(values) != 1 {
					return "", requestf("%s line %d: %s takes one value", path, line, key)
				}
				file = values[0]
				continue
			}
			if err := setFlag(set, key, values, given[key]); err != nil {
				return "", requestf("%s line %d: %v", path, line, err)
			}
			if !given[key] {
				if err := set.SetAnnotation(key, configured, []string{fmt.Sprintf("%s line %d", path, line)}); err != nil {
					return "", err
				}
			}
		}
	}
	return file, nil
}

func setFlag(set *pflag.FlagSet, key string, values []string, given bool) error {
	f := set.Lookup(key)
	if f == nil || key == "config" || key == "help" {
		return fmt.Errorf("there is no setting %q for this command; --help lists the names", key)
	}
	if given {
		return nil
	}
	if _, isList := f.Value.(listValue); !isList && len(values) != 1 {
		return fmt.Errorf("%s takes one value", key)
	}
	for _, v := range values {
		if err := set.Set(key, v); err != nil {
			return fmt.Errorf("%s %q: %v", key, v, reason(err))
		}
	}
	return nil
}

// reason is the last part of pflag's `invalid argument "0" for "-k, --clusters" flag: it must be at least 1`.
func reason(err error) string {
	if _, after, found := strings.Cut(err.Error(), " flag: "); found {
		return after
	}
	return err.Error()
}

func entriesOf(path string, body ast.Node) ([]*ast.MappingValueNode, error) {
	switch n := body.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		return nil, nil
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	}
	return nil, requestf("%s line %d: a configuration file is lines of the form name: value", path, body.GetToken().Position.Line)
}

// scalars returns a value's text, or that of each item of a list, as written.
func scalars(n ast.Node) ([]string, error) {
	switch v := n.(type) {
	case *ast.SequenceNode:
		var all []string
		for _, item := range v.Values {
			one, err := scalars(item)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
		return all, nil
	case *ast.NullNode:
		return nil, fmt.Errorf("has no value")
	case *ast.LiteralNode:
		return []string{strings.TrimSpace(v.Value.Value)}, nil
	case ast.ScalarNode:
		return []string{v.GetToken().Value}, nil
	}
	return nil, fmt.Errorf("takes a value or a list of values")
}

// settings is what a run used: every flag that its command, method and input understand and that has a
// value, by name. Decisions that the run took have been written into the flags by then.
func (j *job) settings(understands func(string) bool) yaml.MapSlice {
	list := yaml.MapSlice{{Key: fileKey, Value: j.file}}
	j.set.VisitAll(func(f *pflag.Flag) {
		if notRecorded[f.Name] || !understands(f.Name) || j.useless(f.Name) || f.Name == "backend" && !f.Changed {
			return
		}
		if v := typedValue(f); v != nil {
			list = append(list, yaml.MapItem{Key: f.Name, Value: v})
		}
	})
	return list
}

// typedValue is a flag's value as YAML and JSON should show it, nil where it is unset.
func typedValue(f *pflag.Flag) any {
	text := f.Value.String()
	switch v := f.Value.(type) {
	case intValue:
		if *v.value > 0 {
			return *v.value
		}
		return nil
	case positiveValue:
		if *v.value > 0 {
			return *v.value
		}
		return nil
	case ratioValue:
		if *v.value > 0 {
			return *v.value
		}
		return nil
	case balanceValue:
		return *v.value
	case notNegativeValue:
		return *v.value
	case fractionValue:
		return *v.value
	case shareValue:
		if *v.value > 0 {
			return *v.value
		}
		return nil
	case numberOrShareValue:
		if v.value.number > 0 {
			return v.value.number
		} else if v.value.share > 0 && v.value.share < 1 {
			return v.value.share
		}
	case documentsValue:
		if v.value.number > 0 {
			return v.value.number
		}
		return v.value.share
	case seedValue:
		return *v.value
	case switchValue:
		return *v.value
	case listValue:
		if len(*v.value) > 0 {
			return *v.value
		}
		return nil
	}
	if text == "" {
		return nil
	}
	return text
}

// asMap is the list for JSON.
func asMap(list yaml.MapSlice) map[string]any {
	m := make(map[string]any, len(list))
	for _, item := range list {
		m[item.Key.(string)] = item.Value
	}
	return m
}

// writeConfig writes the settings as a file for --config, with what made them as comments.
func writeConfig(w io.Writer, command string, list yaml.MapSlice) error {
	body, err := yaml.Marshal(list)
	if err != nil {
		return err
	}
	v := versions()
	_, err = fmt.Fprintf(w, "# Repeat with: eigenmap %s --config THIS_FILE [--out DIR]\n# Made by eigenmap %s (%s), backend %s (%s), %s.\n%s",
		command, v.Version, v.Go, v.Backend, v.Library, plural(v.Threads, "thread", "threads"), body)
	return err
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
