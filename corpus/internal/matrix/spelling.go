package matrix

import (
	"slices"
	"strings"
)

// spelledAs returns the names of columns with the case of letters that an earlier table had, where
// no other name of either table is the same without it.
func spelledAs(names, known []string) []string {
	if names == nil || known == nil || slices.Equal(names, known) {
		return names
	}
	count, of := make(map[string]int), make(map[string]string, len(known))
	for _, name := range names {
		count[strings.ToLower(name)]++
	}
	for _, name := range known {
		lower := strings.ToLower(name)
		if _, twice := of[lower]; twice {
			count[lower] = 2
		}
		of[lower] = name
	}
	out := slices.Clone(names)
	for j, name := range names {
		lower := strings.ToLower(name)
		if earlier, found := of[lower]; found && count[lower] == 1 {
			out[j] = earlier
		}
	}
	return out
}
