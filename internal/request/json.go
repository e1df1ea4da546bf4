package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
)

// SetJSON sets options by name from a JSON object, {"method": "le", "neighbors": 10}, in their
// order. Values are texts, numbers, true or false, and lists of these for options that take
// several; any other option gets the items of a list with commas between, as language does. null
// leaves an option alone. The options labels and constraints, which name files, also
// take what such a file says: labels a list of one class per document, a number or a text, where
// null and numbers below 0 are unknown; constraints a list of [a, b, "must"] and [a, b, "cannot"]
// with numbers of documents, counted from 0. Errors: as of [Options.Set], and fs.ErrInvalid for
// texts that are no JSON object.
//
// own, if it is not nil, is offered each name and value first, for settings of the caller's: what
// it takes is no option.
func (o *Options) SetJSON(text []byte, own func(name, value string) (taken bool, err error)) error {
	set := o.put
	if own != nil {
		set = func(name, value string) error {
			if taken, err := own(name, value); taken || err != nil {
				return err
			}
			return o.put(name, value)
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	bad := func(err error) error {
		return fault.Wrap(invalid.Errorf("the options are no JSON object such as {\"method\": \"le\"}: %v", err))
	}
	if t, err := d.Token(); err != nil {
		return bad(err)
	} else if t != json.Delim('{') {
		return bad(fmt.Errorf("they begin with %v", t))
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return bad(err)
		}
		name, _ := t.(string)
		var value any
		if err := d.Decode(&value); err != nil {
			return bad(err)
		}
		if seen[name] {
			return fault.Wrap(invalid.Errorf("%s is set twice", words.Option(name)))
		}
		seen[name] = true
		taken, err := o.setKnown(name, value)
		if err == nil && !taken {
			err = o.setValue(set, name, value)
		}
		if err != nil {
			return fault.Wrap(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return bad(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return bad(fmt.Errorf("something follows it"))
	}
	return nil
}

// takesOne reports whether an option of that name, of the method if it is known, takes one value.
// Each further one would take the place of the one before.
func (o *Options) takesOne(name string) bool {
	fields := Fields(o.Method, name)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f *option.Field) bool { return f.Kind == option.List })
}

// setValue sets an option from a decoded JSON value.
func (o *Options) setValue(set func(name, value string) error, name string, value any) error {
	switch v := value.(type) {
	case nil:
		return nil
	case json.Number:
		return set(name, numberText(name, v))
	case string, bool:
		return set(name, fmt.Sprint(v))
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			switch item.(type) {
			case string, bool, json.Number:
				items[i] = fmt.Sprint(item)
			default:
				return invalid.Errorf("%s is a list with an item that is no text and no number", words.Option(name))
			}
		}
		if len(items) > 1 && o.takesOne(name) {
			items = []string{strings.Join(items, ",")} // as of languages
		}
		for _, item := range items {
			if err := set(name, item); err != nil {
				return err
			}
		}
		return nil
	}
	return invalid.Errorf("%s is an object: give a text, a number, true, false or a list", words.Option(name))
}
