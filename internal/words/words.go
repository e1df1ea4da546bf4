// Package words makes numbers and names into English for messages, tables and reports.
package words

import (
	"fmt"
	"strconv"
	"strings"
)

// The marks around an option's name in a message.
const (
	before = "‹"
	after  = "›"
)

// Option marks the name of an option in a message, for Rename to replace: ‹neighbors›.
func Option(name string) string { return before + name + after }

// Rename replaces the marked names of options in a text.
func Rename(text string, as func(option string) string) string {
	var b strings.Builder
	for {
		head, rest, found := strings.Cut(text, before)
		b.WriteString(head)
		if !found {
			return b.String()
		}
		name, tail, closed := strings.Cut(rest, after)
		if !closed {
			b.WriteString(before + rest)
			return b.String()
		}
		b.WriteString(as(name))
		text = tail
	}
}

// Thousands writes 6012 as "6,012".
func Thousands(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted is "1 term" or "6,012 terms".
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return Thousands(n) + " " + what
}

// Bytes writes a size with one decimal and a binary unit: "512 bytes", "1.5 MiB".
func Bytes(n int64) string { return bytesAs(n, 1) }

// BytesApart writes two sizes with as many decimals as they need to differ, at least one.
func BytesApart(a, b int64) (string, string) {
	for decimals := 1; decimals <= 6; decimals++ {
		if x, y := bytesAs(a, decimals), bytesAs(b, decimals); x != y || a == b {
			return x, y
		}
	}
	return Thousands(int(a)) + " bytes", Thousands(int(b)) + " bytes"
}

func bytesAs(n int64, decimals int) string {
	const units = "KMGT"
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, u := float64(n)/1024, 0
	for v >= 1024 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return fmt.Sprintf("%.*f %ciB", decimals, v, units[u])
}

// Plural is "1 document has" or "3 documents have".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Verb is one for a count of 1, and many for others: "1 of 5 documents has" and "3 of 5 have".
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Percent is "34 %", "" of nothing.
func Percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// Clip shortens a text to a number of characters on one line.
func Clip(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// ClipMiddle shortens a name as Clip does a text, but keeps its end too: names such as addresses
// differ there.
func ClipMiddle(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		end := most / 2
		return string(r[:most-1-end]) + "…" + string(r[len(r)-end:])
	}
	return s
}

// Few joins the first names of a list: "a, b and 3 more".
func Few(names []string, most int) string {
	list := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return list
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
