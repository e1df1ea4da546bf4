package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Lines of fastText are recognised, with one label, several and none, and labels are no words.
func TestKindFastText(t *testing.T) {
	lines := func(format func(i int) string) string {
		var b strings.Builder
		for i := range 12 {
			fmt.Fprintln(&b, format(i))
		}
		return b.String()
	}
	one := lines(func(i int) string { return fmt.Sprintf("__label__c%d words of cars%d here", i%2, i%3) })
	several := lines(func(i int) string { return fmt.Sprintf("__label__c%d __label__d words of cars%d here", i%2, i%3) })
	few := strings.Replace(one, "__label__c0", "__label__c0 __label__c1", 1)
	const note = "‹input-format› lines takes them for words"
	of := func(o ReadOptions, label string) ReadOptions { o.LabelColumn = label; return o }
	checkKinds(t, []kind{
		{name: "a.txt", content: one, rows: 12, classes: 2, terms: "cars0 cars1 cars2 words", note: note},
		{name: "train.ft", content: "\ufeff" + one, rows: 12, classes: 2, note: note},
		{name: "a.txt", content: strings.ReplaceAll(one, "\n", "\r\n\r\n"), rows: 12, classes: 2, note: note},
		{name: "a", content: one + "words without a label\n", rows: 13, classes: 2, note: note},
		{name: "a.txt", content: several, rows: 12, note: "‹label-column› 1 takes the first of each"},
		{name: "a.txt", content: several, opt: of(ReadOptions{}, "1"), rows: 12, classes: 2},
		{name: "a.txt", content: several, opt: of(ReadOptions{}, "2"), rows: 12, classes: 1},
		{name: "a.txt", content: several, opt: of(ReadOptions{}, "none"), rows: 12},
		{name: "a.txt", content: several, opt: of(ReadOptions{}, "kind"), refused: "is not the number of one of several labels"},
		{name: "a.txt", content: few, rows: 12, classes: 2, note: "1 document has several labels"},
		{name: "a.txt", content: one, opt: ReadOptions{Format: "lines"}, rows: 12},
		{name: "a.dat", content: strings.ReplaceAll(one, "__label__c0 ", "") + "more words\n", opt: ReadOptions{Format: "fasttext"}, rows: 13, classes: 1},
		{name: "a.txt", content: lines(func(i int) string { return fmt.Sprintf("words of cars%d __label__c%d", i%3, i%2) }), opt: ReadOptions{Format: "fasttext"}, rows: 12, classes: 2},
		{name: "a.txt", content: "__label__a\n__label__b words of it\n", rows: 2, classes: 2},
		{name: "a.txt.gz", content: gzipped(one), rows: 12, classes: 2, note: note},
	})
	got := readNamed(t, "a.txt", one, ReadOptions{Text: TextOptions{MinDF: 1}})
	if !slices.Equal(got.ClassNames, []string{"c0", "c1"}) || got.Format != "fasttext" {
		t.Errorf("classes %q, format %q", got.ClassNames, got.Format)
	}
}
