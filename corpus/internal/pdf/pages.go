package pdf

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// What a head or a foot of pages is: a line that is among the first or last edgeLines lines of at
// least leastPages pages, and of repeatShare of all. Books have one for the left and one for the
// right pages, and none on the first pages of chapters.
const (
	edgeLines   = 2
	leastPages  = 3
	repeatShare = 0.4
)

// numbers matches what differs in the heads and feet of pages.
var numbers = pattern.Lazy(`[0-9]+`)

// withoutRepeats returns a text whose pages end with form feeds with the lines that head or foot
// the pages once each, where they come first: of a title in the head of 20 pages the words would
// count 20 times. Lines are alike if only numbers differ. Cost O(length).
func withoutRepeats(text string) string {
	pages := strings.Split(strings.TrimSuffix(text, "\f"), "\f")
	if len(pages) < leastPages {
		return strings.Join(pages, "\n")
	}
	lines := make([][]string, len(pages))
	edges := make([][2][]int, len(pages))
	times := make(map[string]int)
	for p, page := range pages {
		lines[p] = strings.Split(page, "\n")
		edges[p] = edgesOf(lines[p])
		met := make(map[string]bool)
		for _, i := range slices.Concat(edges[p][0], edges[p][1]) {
			if form := formOf(lines[p][i]); !met[form] {
				met[form] = true
				times[form]++
			}
		}
	}
	recurs := func(line string) bool {
		n := times[formOf(line)]
		return n >= leastPages && float64(n) >= repeatShare*float64(len(pages))
	}
	seen := make(map[string]bool)
	for p := range pages {
		for _, edge := range edges[p] {
			for _, i := range edge {
				line := lines[p][i]
				if !recurs(line) {
					break // what is further inside is text
				}
				if seen[formOf(line)] {
					lines[p][i] = ""
				}
				seen[formOf(line)] = true
			}
		}
		pages[p] = strings.Join(lines[p], "\n")
	}
	return strings.Join(pages, "\n")
}

// edgesOf are the numbers of the first lines of a page that are not empty, and of the last ones,
// from the edges inwards.
func edgesOf(lines []string) [2][]int {
	var full []int
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			full = append(full, i)
		}
	}
	top := full[:min(len(full), edgeLines)]
	bottom := slices.Clone(full[len(top):])
	slices.Reverse(bottom)
	return [2][]int{top, bottom[:min(len(bottom), edgeLines)]}
}

// formOf is a line without its numbers and the blanks around it.
func formOf(line string) string {
	return numbers().ReplaceAllString(strings.TrimSpace(line), "#")
}
