package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// explanations are the changes that no test need notice, and why. An entry is what a survivor is
// printed as, without number, line and kind of change, and then its reason:
//
//	methods/gmm/parameters.go
//	-	from := max(lo, j+1)
//	+	from := max(lo, j-1)
//	The upper triangle is copied over it.
//
//go:embed explained.txt
var explanations string

// change names what a mutant does, wherever the line has moved.
func (m site) change() string {
	_, lines, _ := strings.Cut(m.String(), "\n")
	before, after, _ := strings.Cut(strings.TrimSpace(lines), "\n")
	return key(m.file, before, after)
}

func key(file, before, after string) string {
	return file + "\n" + strings.TrimSpace(before[1:]) + "\n" + strings.TrimSpace(after[1:])
}

// readExplained reads entries separated by empty lines: the reason of each change.
func readExplained(text string) (map[string]string, error) {
	reasons := map[string]string{}
	for entry := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.SplitN(entry, "\n", 4)
		if len(lines) < 4 || !strings.HasPrefix(lines[1], "-") || !strings.HasPrefix(lines[2], "+") {
			return nil, fmt.Errorf("tools/mutate/explained.txt: want a file, a line with -, one with +, and a reason:\n%s", entry)
		}
		reasons[key(lines[0], lines[1], lines[2])] = lines[3]
	}
	return reasons, nil
}
