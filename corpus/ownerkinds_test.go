package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// times are n lines, each made of its number.
func times(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// Tables of numbers without a header have their classes in the first or the last column, and
// numbers of documents before it. A column with one value is no class.
func TestKindUnnamedColumns(t *testing.T) {
	measured := func(i int) string {
		return fmt.Sprintf("%d.%02d,%d.5,%d.25,%d", i*7%13, i%89, i*5%17, i*3%11, 100+i*37%83)
	}
	answers := func(i int) string { return fmt.Sprintf("%d,%d,%d,%d,%d", 1+i%3, 1+i*i%5, 1+i/2%4, 1+i/3%5, 1+i%2) }
	checkKinds(t, []kind{
		{name: "wine.data", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s", 1+i%3, measured(i)) }), rows: 60, cols: 4, classes: 3, note: "The classes are column 1"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%s,%d", measured(i), i%2) }), rows: 60, cols: 4, classes: 2, note: "The classes are column 5"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s", i%2*2-1, measured(i)) }), rows: 60, cols: 4, classes: 2},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", 1000000+i*7919%9973, measured(i), i%2*2+2) }), rows: 60, cols: 4, classes: 2, note: "Column 1 holds numbers that look like ids"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", 1000000+i*7919%9973, measured(i), i%2*2+2) }), opt: ReadOptions{IDColumn: "none", LabelColumn: "none"}, rows: 60, cols: 6},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", i%2, measured(i), i%3) }), rows: 60, cols: 6, note: "No column of classes"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d.0625,%s", i%3, measured(i)) }), rows: 60, cols: 5},
		{name: "a.csv", content: times(60, answers), rows: 60, cols: 5, note: "No column of classes"},
		{name: "a.csv", content: "x,y,kind\n" + times(60, func(i int) string { return fmt.Sprintf("%d,%d.5,transfer", i*7%13, i*5%17) }), rows: 60, cols: 2, note: "Column 3 (kind)"},
		{name: "a.csv", content: "text,category\n" + times(60, func(i int) string { return fmt.Sprintf("some words of row %d about the engine,bank", i) }), rows: 60, note: "Column 2 (category) has the same value in all rows, which is no class"},
		{name: "a.csv", content: "text,category\n" + times(60, func(i int) string { return fmt.Sprintf("some words of row %d about the engine,bank", i) }), opt: ReadOptions{LabelColumn: "category"}, rows: 60, classes: 1},
	})
}
