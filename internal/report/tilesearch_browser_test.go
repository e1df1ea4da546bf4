package report

import (
	"fmt"
	"strings"
	"testing"
)

// A search that follows another one while that waits for a tile counts the tile's documents, and
// finds them while a list of them is read: it stays unfolded, and keeps the focus. What was clicked
// is not shown once something else is chosen.
func TestSearchAfterSearch(t *testing.T) {
	b := browser(t)
	p := generated(2000, 5)
	rows := Rows(2000)
	tiles := []Tile{{z: 1, rows: rows[:1000]}, {z: 1, x: 1, y: 1, rows: rows[1000:1600]}, {z: 1, x: 1, rows: rows[1600:]}}
	for i := range tiles {
		tiles[i].square = p.Documents.frame().part(&tiles[i])
	}
	// Tiles are unpacked when the test lets them.
	path := writeTiled(t, p, tiles, func(page string) string {
		const unpack = "async unpack(t, head, numbers, texts) {"
		page = strings.Replace(page, unpack, unpack+" await new Promise((go) => window.held.push(go));", 1)
		return strings.Replace(page, policyTag, `<meta name="none" content="`, 1)
	})
	v := openFile(t, b, path)
	v.do(v.tab.Eval(`{ window.held = []; }`, nil))
	search := func(text string) {
		t.Helper()
		v.do(v.tab.Eval(fmt.Sprintf(`{ const s = document.getElementById("search"); s.value = %q; s.dispatchEvent(new Event("input")); }`, text), nil))
		v.wait(fmt.Sprintf(`document.querySelector(".chips")?.textContent.includes(%q) && document.querySelector("#beside button")?.textContent.startsWith("Look through")`, text))
	}
	next := func() { t.Helper(); v.wait(`held.length === 1`); v.do(v.tab.Eval(`held.pop()()`, nil)) }
	found := func() string { return v.text(`document.getElementById("beside-note").textContent`) }
	search("document-25")
	v.click("#beside button")
	v.wait(`held.length === 1`)
	search("document-1")
	v.click("#beside button")
	next()
	v.wait(`document.getElementById("beside-note")?.textContent.includes("of 1,000 of")`)
	v.click("#beside > button")
	v.do(v.tab.Eval(`{ window.read = document.querySelectorAll("#beside .docs button")[20]; read.focus(); }`, nil))
	next()
	v.wait(`document.getElementById("beside-note")?.textContent.includes("of 1,600 of")`)
	v.is(`document.activeElement === read && read.isConnected && document.querySelectorAll("#beside .docs button").length === 55`)
	next()
	v.wait(`!document.getElementById("beside-note")?.textContent.includes("so far")`)
	want := 0
	for _, i := range rows {
		if strings.Contains(p.Documents.IDs[i], "document-1") {
			want++
		}
	}
	if got := found(); want != 1111 || got != "1,111 of the other 2,000 documents; the first 1,000 are listed." {
		t.Errorf("found %q, and %d match", got, want)
	}
	v.click("#beside .docs button")
	v.wait(`held.length === 1`)
	search("document-2")
	v.click("#beside button")
	v.do(v.tab.Eval(`{ setInterval(() => { if (held.length) held.pop()(); }, 5); }`, nil))
	v.wait(`document.getElementById("beside-note")?.textContent === "111 of the other 2,000 documents."`)
	v.is(`!document.querySelector("#panel .actions")?.textContent.includes("Back")`)
	v.quiet()
}
