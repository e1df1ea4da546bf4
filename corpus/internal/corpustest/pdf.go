package corpustest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// searched is PATH before a test changed it.
var searched = os.Getenv("PATH")

// PDF makes a PDF of pages, each a list of lines, in Helvetica and the characters of Windows-1252.
// "" is an empty line.
func PDF(pages ...[]string) string {
	var out bytes.Buffer
	var at []int
	object := func(format string, a ...any) {
		at = append(at, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(at)}, a...)...)
	}
	out.WriteString("%PDF-1.4\n")
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf(" %d 0 R", 4+2*i)
	}
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids)
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	for _, lines := range pages {
		var text strings.Builder
		text.WriteString("BT /F1 12 Tf 14 TL 72 720 Td\n")
		for _, line := range lines {
			fmt.Fprintf(&text, "(%s) Tj T*\n", strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line))
		}
		text.WriteString("ET")
		object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>", len(at)+2)
		object("<</Length %d>>\nstream\n%s\nendstream", text.Len(), text.String())
	}
	table := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, place := range at {
		fmt.Fprintf(&out, "%010d 00000 n \n", place)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return out.String()
}

// NeedPDFToText skips a test where there is no pdftotext of poppler.
func NeedPDFToText(t testing.TB) {
	t.Helper()
	if said, _ := exec.Command("pdftotext", "-v").CombinedOutput(); !bytes.Contains(said, []byte("Poppler")) {
		t.Skip("there is no pdftotext of poppler here (Debian: poppler-utils)")
	}
}

// NoPDFToText hides every program from a test.
func NoPDFToText(t testing.TB) { t.Setenv("PATH", t.TempDir()) }

// FakePDFToText puts a program in the place of pdftotext. Asked for its version it says said, or
// that it is version 99.1 of poppler; with a file it does what script says, or prints what follows
// the first line.
func FakePDFToText(t testing.TB, said, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no scripts of sh on Windows")
	}
	if said == "" {
		said = "pdftotext version 99.1\nCopyright The Poppler Developers"
	}
	if script == "" {
		script = "tail -n +2"
	}
	dir := t.TempDir()
	program := "#!/bin/sh\nif [ \"$1\" = -v ]; then echo '" + said + "' >&2; exit 0; fi\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, "pdftotext"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+searched)
}
