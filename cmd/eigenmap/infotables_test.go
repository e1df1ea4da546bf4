package main

import (
	"fmt"
	"strings"
	"testing"
)

// Info describes a table that a run refuses because columns hold words or cells are missing, says
// why a run refuses it, and names a next command that works.
func TestInfoOfRefusedTables(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		row, option string
	}{
		"words.csv":   {"%d,%c,%c,%d.5,%d", "--text-column none"},
		"most.csv":    {"%d,%c,%c,%d.5,w%[5]d", "--views columns"},
		"missing.csv": {"%d,%[4]d,%[5]d,%[4]d.5,", "--missing median"},
	} {
		var table strings.Builder
		table.WriteString("\"\",rank,sex,pay,years\n1,A,F,1.5,3\n")
		for i := 2; i < 40; i++ {
			fmt.Fprintf(&table, c.row+"\n", i, 'A'+i%3, 'F'+i%2, i, i*i%13)
		}
		file := write(t, dir, name, strings.ReplaceAll(table.String(), ",A,F,", map[bool]string{true: ",1,2,", false: ",A,F,"}[name == "missing.csv"]))
		r := call("cluster", file, "-k", "2")
		checkSentence(t, r, strings.Fields(c.option)[0])
		said := mustCall(t, "info", file).stdout
		_, next, _ := strings.Cut(said, "next  ")
		if !strings.Contains(next, c.option) || !strings.Contains(said, "Without an option a run refuses the file") {
			t.Errorf("info of %s says\n%s", name, said)
		}
		mustCall(t, append([]string{"cluster", file, "-k", "2"}, strings.Fields(c.option)...)...)
	}
}
