package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/spf13/pflag"
)

// configured is the annotation of a flag that a configuration file has set: the file and the line.
const configured = "configured"

// placed adds to a wrong request where the options that it names are set in a configuration file.
func placed(set *pflag.FlagSet, err error) error {
	var named *eigenmap.Error
	if err == nil || exitStatus(err) != exitRequest || !errors.As(err, &named) {
		return err
	}
	var places []string
	text := named.Text(func(name string) string {
		if f := set.Lookup(name); f != nil && f.Annotations[configured] != nil {
			if at := "--" + name + " is set in " + f.Annotations[configured][0]; !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
		return flagName(name)
	})
	if places == nil {
		return err
	}
	return &textError{text + " (" + strings.Join(places, ", ") + ")", errors.Unwrap(named)}
}

// readConfig sets the flags that the YAML file names and the command line left alone; the keys are
// the flags' long names. It returns the file's "file", "" if it has none.
func readConfig(path string, set *pflag.FlagSet) (file string, err error) {
	data, err := regular.Read(path, "a configuration file", maxConfig)
	if err != nil {
		return "", err
	}
	return parseConfig(path, data, set)
}

// maxConfig bounds a configuration file in bytes, and maxNesting the lists and mappings in one
// another in it: the parser takes the square of their number.
const (
	maxConfig  = 1 << 20
	maxNesting = 16
)

// parseConfig is readConfig on the content of the file.
func parseConfig(path string, data []byte, set *pflag.FlagSet) (file string, err error) {
	text := string(bytes.TrimPrefix(data, []byte("\ufeff"))) // the mark that some editors begin a file with
	if !utf8.ValidString(text) {
		return "", requestf("%s: it is not text in UTF-8; write it as lines of the form name: value", path)
	}
	tokens := lexer.Tokenize(text)
	if line := nestedAt(tokens); line > 0 {
		return "", requestf("%s line %d: lists or mappings are nested more than %d deep; a configuration file is lines of the form name: value", path, line, maxNesting)
	}
	doc, err := parser.Parse(tokens, 0)
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
			if key == eigenmap.FileKey {
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

// nestedAt returns the line where brackets, or marks of lists, mappings, tags and anchors in one
// line, are nested more than maxNesting deep; 0 if nowhere.
func nestedAt(tokens token.Tokens) int {
	line, brackets, marks := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, marks = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.TagType, token.AnchorType, token.AliasType:
			marks++
		}
		if brackets > maxNesting || marks > maxNesting {
			return line
		}
	}
	return 0
}

func setFlag(set *pflag.FlagSet, key string, values []string, given bool) error {
	f := set.Lookup(key)
	if f == nil || key == "config" || key == "help" {
		return fmt.Errorf("there is no setting %q for this command%s; --help lists the names", key, words.Nearest(key, flagNames(set)))
	}
	if given {
		return nil
	}
	if v, ok := f.Value.(*optionFlag); len(values) != 1 && !(ok && v.isList()) {
		return fmt.Errorf("%s takes one value", key)
	}
	for _, v := range values {
		if err := set.Set(key, v); err != nil {
			return fmt.Errorf("%s %q: %v", key, v, reason(err))
		}
	}
	return nil
}

// reason is the last part of pflag's `invalid argument "0" for "-k, --clusters" flag: it must be at
// least 1`.
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

// scalars returns the text of a value, or of each item of a list, as written.
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

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
