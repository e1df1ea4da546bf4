// Package message puts numbers, lists and pieces of files into the sentences that users read.
package message

import (
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Plural counts things: "1 entry", "3 entries".
func Plural(n int, one, many string) string { return words.Plural(n, one, many) }

// Bytes prints a size with one decimal and a binary unit: "512 bytes", "1.5 MiB".
func Bytes(n int64) string { return words.Bytes(n) }

// List joins at most limit names with commas, each cut to 40 characters. If there are more names,
// it adds how many there are in all.
func List(names []string, limit int) string {
	short := make([]string, 0, min(len(names), limit))
	for _, n := range names[:min(len(names), limit)] {
		short = append(short, Clip(n, 40))
	}
	s := strings.Join(short, ", ")
	if len(names) > limit {
		s += ", ... (" + strconv.Itoa(len(names)) + " in all)"
	}
	return s
}

// Plain replaces control characters by "?", so that a message stays on one printable line.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return '?'
		}
		return r
	}, s)
}

// Clip shortens text from a file to limit characters and makes it [Plain].
func Clip(s string, limit int) string {
	clean := Plain(s[:min(len(s), 4*limit)])
	if r := []rune(clean); len(r) > limit {
		return string(r[:limit]) + "..."
	}
	return clean
}
