package text

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// scanObject reads the fields of a JSON object in one pass and gives name and value of each, as
// they stand, to visit. It is for the lines that nearly all files have: it returns false, and the
// caller takes encoding/json, for anything that is no sound object of UTF-8, for names with
// escapes, for values nested too deep, and where visit returns false.
func scanObject(raw []byte, visit func(name, value []byte) bool) bool {
	at := spaceEnd(raw, 0)
	if at == len(raw) || raw[at] != '{' {
		return false
	}
	if at = spaceEnd(raw, at+1); at < len(raw) && raw[at] == '}' {
		return spaceEnd(raw, at+1) == len(raw)
	}
	for {
		name, next := nameEnd(raw, at)
		if next < 0 {
			return false
		}
		at = valueEnd(raw, next, 0)
		if at < 0 || !visit(name, raw[next:at]) {
			return false
		}
		if at = spaceEnd(raw, at); at == len(raw) {
			return false
		}
		switch raw[at] {
		case '}':
			return spaceEnd(raw, at+1) == len(raw)
		case ',':
			at = spaceEnd(raw, at+1)
		default:
			return false
		}
	}
}

// nameEnd returns the name of the field that begins at a place, and where its value begins;
// negative if there is none, or one with escapes.
func nameEnd(raw []byte, at int) (name []byte, value int) {
	end := stringEnd(raw, at)
	if end < 0 {
		return nil, -1
	}
	if name = raw[at+1 : end-1]; bytes.IndexByte(name, '\\') >= 0 {
		return nil, -1
	}
	if at = spaceEnd(raw, end); at == len(raw) || raw[at] != ':' {
		return nil, -1
	}
	return name, spaceEnd(raw, at+1)
}

// spaceEnd returns where the white space ends that begins at a place.
func spaceEnd(raw []byte, at int) int {
	for at < len(raw) && (raw[at] == ' ' || raw[at] == '\t' || raw[at] == '\n' || raw[at] == '\r') {
		at++
	}
	return at
}

// deepestScan is how deep values may be nested.
const deepestScan = 50

// valueEnd returns where the value ends that begins at a place; negative if there is none.
func valueEnd(raw []byte, at, depth int) int {
	if at >= len(raw) || depth > deepestScan {
		return -1
	}
	switch c := raw[at]; c {
	case '"':
		return stringEnd(raw, at)
	case 't':
		return wordEnd(raw, at, "true")
	case 'f':
		return wordEnd(raw, at, "false")
	case 'n':
		return wordEnd(raw, at, "null")
	case '[':
		return listEnd(raw, at, depth)
	case '{':
		end := -1
		at = spaceEnd(raw, at+1)
		if at < len(raw) && raw[at] == '}' {
			return at + 1
		}
		for {
			_, value := nameEnd(raw, at)
			if value < 0 {
				return -1
			}
			if end = valueEnd(raw, value, depth+1); end < 0 {
				return -1
			}
			more := false
			if at, more = goesOn(raw, end, '}'); !more {
				return at
			}
		}
	}
	return numberEnd(raw, at)
}

// listEnd returns where the list ends that begins at a place; negative if it does not.
func listEnd(raw []byte, at, depth int) int {
	if at = spaceEnd(raw, at+1); at < len(raw) && raw[at] == ']' {
		return at + 1
	}
	for {
		end := valueEnd(raw, at, depth+1)
		if end < 0 {
			return -1
		}
		more := false
		if at, more = goesOn(raw, end, ']'); !more {
			return at
		}
	}
}

// goesOn looks behind a value of a list or an object: more says that another one begins at next; if
// not, next is where the list or object ends, negative if it does not.
func goesOn(raw []byte, at int, closing byte) (next int, more bool) {
	at = spaceEnd(raw, at)
	switch {
	case at < len(raw) && raw[at] == closing:
		return at + 1, false
	case at < len(raw) && raw[at] == ',':
		return spaceEnd(raw, at+1), true
	}
	return -1, false
}

// wordEnd returns where a word ends that begins at a place; negative if another one does.
func wordEnd(raw []byte, at int, word string) int {
	if !bytes.HasPrefix(raw[at:], []byte(word)) {
		return -1
	}
	return at + len(word)
}

// stringEnd returns where the string ends that begins at a place, behind its quote; negative if
// there is none, or one that JSON does not allow.
func stringEnd(raw []byte, at int) int {
	if at >= len(raw) || raw[at] != '"' {
		return -1
	}
	for at++; at < len(raw); at++ {
		for at+8 < len(raw) && plainBytes(binary.LittleEndian.Uint64(raw[at:])) {
			at += 8
		}
		switch c := raw[at]; {
		case c == '"':
			return at + 1
		case c < ' ':
			return -1
		case c == '\\':
			if at++; at == len(raw) {
				return -1
			}
			if raw[at] == 'u' {
				if _, ok := unit(raw, at+1); !ok {
					return -1
				}
				at += 4
			} else if escaped(raw[at]) == 0 {
				return -1
			}
		}
	}
	return -1
}

// plainBytes reports whether none of eight bytes is a quote, a backslash or a control character.
func plainBytes(x uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, back := x^ones*'"', x^ones*'\\'
	return ((x-ones*' ')&^x|(quote-ones)&^quote|(back-ones)&^back)&tops == 0
}

// escaped is the character that a letter behind a backslash stands for; 0 for none.
func escaped(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

// unit reads four hexadecimal digits.
func unit(raw []byte, at int) (u rune, ok bool) {
	if at+4 > len(raw) {
		return 0, false
	}
	for _, c := range raw[at : at+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// numberEnd returns where the number ends that begins at a place; negative if there is none that
// JSON allows.
func numberEnd(raw []byte, at int) int {
	digits := func() bool {
		from := at
		for at < len(raw) && raw[at] >= '0' && raw[at] <= '9' {
			at++
		}
		return at > from
	}
	if at < len(raw) && raw[at] == '-' {
		at++
	}
	if at < len(raw) && raw[at] == '0' {
		at++
	} else if !digits() {
		return -1
	}
	if at < len(raw) && raw[at] == '.' {
		if at++; !digits() {
			return -1
		}
	}
	if at < len(raw) && raw[at]|0x20 == 'e' {
		if at++; at < len(raw) && (raw[at] == '+' || raw[at] == '-') {
			at++
		}
		if !digits() {
			return -1
		}
	}
	return at
}

// unquoted returns the text of a JSON string, of valid JSON.
func unquoted(raw []byte) (string, error) {
	inside := raw[1 : len(raw)-1]
	if utf8.Valid(inside) {
		if bytes.IndexByte(inside, '\\') < 0 {
			return string(inside), nil
		}
		if s, ok := unescaped(inside); ok {
			return s, nil
		}
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err
}

// unescaped replaces the escapes of a string; false if it has halves of pairs of UTF-16.
func unescaped(s []byte) (string, bool) {
	var out strings.Builder
	out.Grow(len(s))
	for {
		at := bytes.IndexByte(s, '\\')
		if at < 0 {
			out.Write(s)
			return out.String(), true
		}
		out.Write(s[:at])
		if s[at+1] != 'u' {
			out.WriteByte(escaped(s[at+1]))
			s = s[at+2:]
			continue
		}
		u, ok := unit(s, at+2)
		if !ok || u >= 0xd800 && u < 0xe000 {
			return "", false
		}
		out.WriteRune(u)
		s = s[at+6:]
	}
}

// scanPlain takes the fields id, text and label of an object; false for what encoding/json is to
// look at: another spelling of their names, one that occurs twice, and a text that is no string.
func scanPlain(raw []byte) (id, text, label json.RawMessage, ok bool) {
	ok = scanObject(raw, func(name, value []byte) bool {
		var field *json.RawMessage
		switch {
		case string(name) == "id":
			field = &id
		case string(name) == "text":
			field = &text
		case string(name) == "label":
			field = &label
		default:
			return !(len(name) == 2 && strings.EqualFold(string(name), "id") || len(name) == 4 && strings.EqualFold(string(name), "text") ||
				len(name) == 5 && strings.EqualFold(string(name), "label"))
		}
		if *field != nil {
			return false
		}
		*field = value
		return true
	})
	return id, text, label, ok && len(text) > 0 && text[0] == '"'
}

// scanNamed takes the fields of an object that [lookup] may look at for the paths.
func scanNamed(raw []byte, paths ...string) (object map[string]json.RawMessage, ok bool) {
	object = make(map[string]json.RawMessage, len(paths))
	ok = scanObject(raw, func(name, value []byte) bool {
		for _, path := range paths {
			if len(path) > len(name) && path[len(name)] == '.' && path[:len(name)] == string(name) || strings.EqualFold(path, string(name)) {
				object[string(name)] = value
				break
			}
		}
		return true
	})
	return object, ok
}
