package text

import (
	"strings"
	"testing"
)

// Reasons that differ in what a program says of each file are one.
func TestReasonsOfOneKind(t *testing.T) {
	l := newLeftFiles("root")
	l.add("root/b.pdf", "is odd (no trailer); mend it", false)
	l.add("root/a.pdf", "is odd (bad table); mend it", false)
	l.add("root/c.pdf", "is even (bad table); mend it", false)
	if got := strings.Join(l.notes(), "|"); got != "2 files of one kind are left out: the first, a.pdf, is odd (bad table); mend it.|1 file is left out: c.pdf is even (bad table); mend it." {
		t.Error(got)
	}
}
