package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/chromium"
	"github.com/eigenmap/eigenmap/internal/must"
)

// TestTilesInBrowser opens a page of a million documents from its folder without a server, with
// EIGENMAP_LONG. It is drawn within two seconds, at least once in five; zooming in takes
// tiles, whose documents can be pointed at, chosen and searched for; the page names a missing file.
// EIGENMAP_PICTURES is a folder for pictures of it.
func TestTilesInBrowser(t *testing.T) {
	if os.Getenv("EIGENMAP_LONG") == "" {
		t.Skip("a page of a million documents takes minutes: EIGENMAP_LONG=1")
	}
	b := browser(t)
	const n = 1_000_000
	p := generated(n, 60)
	for i, text := range p.Documents.Snippets {
		p.Documents.Snippets[i] = text[:120]
	}
	p.Documents.Coordinates = nil
	dir := t.TempDir()
	page := written(t, p)
	must.Do(t, os.WriteFile(filepath.Join(dir, "report.html"), []byte(page), 0o644))
	bytes, largest := 0, 0
	tiles := p.Tiles()
	for i := range tiles {
		f, err := os.Create(filepath.Join(dir, tiles[i].Name()))
		if err != nil {
			t.Fatal(err)
		}
		err = p.Documents.WriteTile(f, &tiles[i])
		info, _ := f.Stat()
		bytes, largest = bytes+int(info.Size()), max(largest, int(info.Size()))
		if f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d documents: page of %d bytes, %d tiles of %d bytes, the largest %d", n, len(page), len(tiles), bytes, largest)
	pictures := os.Getenv("EIGENMAP_PICTURES")
	open := func(width int, dark bool) visitor {
		t.Helper()
		tab := must.Get(b.Open("file://"+filepath.Join(dir, "report.html"), width, 900, 1, dark))(t)
		v := visitor{t, tab}
		v.wait(`performance.getEntriesByName("ready").length`)
		return v
	}
	picture := func(v visitor, name string) {
		t.Helper()
		if pictures != "" {
			v.do(v.tab.Screenshot(filepath.Join(pictures, name+".png")))
		}
	}
	v := open(1400, false)
	drawn := v.number(`performance.getEntriesByName("drawn")[0].startTime`)
	for try := 0; try < 4 && drawn > 2000; try++ {
		v.quiet()
		v = open(1400, false)
		drawn = v.number(`performance.getEntriesByName("drawn")[0].startTime`)
	}
	t.Logf("drawn after %.0f ms, ready after %.0f ms", drawn, v.number(`performance.getEntriesByName("ready")[0].startTime`))
	if drawn > 2000 {
		t.Errorf("drawn after %.0f ms", drawn)
	}
	picture(v, "whole")
	left, top, width, height := v.canvas()
	x, y := left+width*0.5, top+height*0.5
	for range 6 {
		v.do(v.tab.Wheel(x, y, -300))
	}
	v.wait(`document.getElementById("canvas").dataset.tiles > 0 && document.getElementById("canvas").dataset.waiting === "0"`)
	picture(v, "near")
	// A document of a tile under the pointer, and in the panel after a click.
	v.wait(`(() => { const c = document.getElementById("canvas"), r = c.getBoundingClientRect();
		for (let k = 0; k < 400; k++) {
			const at = { clientX: r.left + r.width * (0.2 + 0.6 * ((k * 0.618) % 1)), clientY: r.top + r.height * (0.2 + 0.6 * ((k * 0.377) % 1)), pointerId: 1, bubbles: true };
			c.dispatchEvent(new PointerEvent("pointermove", at));
			if (c.dataset.over >= ` + fmt.Sprint(PageSample) + ` && document.querySelector("#tip b").textContent.startsWith("document-")) return true;
		}
		return false; })()`)
	picture(v, "hover")
	v.do(v.tab.Eval(`{ const s = document.getElementById("search"); s.value = "document-7"; s.dispatchEvent(new Event("input")); }`, nil))
	v.wait(`!document.getElementById("clear").disabled`)
	picture(v, "search")
	// A button searches all documents, also in the files beside the page; a click shows a hit.
	began := v.number(`performance.now()`)
	v.click("#beside button")
	v.wait(`document.getElementById("beside-note") && !document.getElementById("beside-note").textContent.includes("so far")`)
	t.Logf("the files searched in %.0f ms: %s", v.number(`performance.now()`)-began, v.text(`document.getElementById("beside-note").textContent`))
	picture(v, "beside")
	v.click("#clear")
	for range 8 {
		v.do(v.tab.Wheel(x, y, -300))
	}
	v.wait(`document.getElementById("canvas").dataset.waiting === "0"`)
	picture(v, "nearest")
	v.quiet()
	for _, small := range []struct {
		width int
		dark  bool
	}{{1400, true}, {420, false}} {
		v := open(small.width, small.dark)
		for range 5 {
			left, top, width, height := v.canvas()
			v.do(v.tab.Wheel(left+width/2, top+height/2, -300))
		}
		v.wait(`document.getElementById("canvas").dataset.waiting === "0"`)
		picture(v, fmt.Sprint(small.width, "-", small.dark))
		v.quiet()
	}
	// Without the files the page says so.
	for i := range tiles {
		os.Remove(filepath.Join(dir, tiles[i].Name()))
	}
	v = open(1400, false)
	for range 6 {
		v.do(v.tab.Wheel(x, y, -300))
	}
	v.wait(`document.getElementById("note").textContent.includes("are missing")`)
	for _, e := range v.tab.Errors() {
		if !strings.Contains(e, "ERR_FILE_NOT_FOUND") {
			t.Errorf("the console says: %s", e)
		}
	}
}

// writeTiled writes a page with tiles and their files, and returns the page's path.
func writeTiled(t *testing.T, p *Page, tiles []Tile, edit func(page string) string) string {
	t.Helper()
	p.tiles, p.tiled = tiles, true
	dir := t.TempDir()
	for i := range tiles {
		var text strings.Builder
		must.Do(t, p.Documents.WriteTile(&text, &tiles[i]))
		must.Do(t, os.WriteFile(filepath.Join(dir, tiles[i].Name()), []byte(text.String()), 0o600))
	}
	path := filepath.Join(dir, "report.html")
	must.Do(t, os.WriteFile(path, []byte(edit(written(t, p))), 0o600))
	return path
}

// openFile opens a page from a file.
func openFile(t *testing.T, b *chromium.Browser, path string) visitor {
	t.Helper()
	tab := must.Get(b.Open("file://"+path, 1400, 900, 1, false))(t)
	v := visitor{t, tab}
	v.wait(`performance.getEntriesByName("ready").length`)
	return v
}

// The page says that a tile cannot be unpacked as it does of a missing one, and waits for none; all
// tiles of one square are drawn.
func TestDamagedTiles(t *testing.T) {
	b := browser(t)
	p := generated(2000, 5)
	rows := Rows(2000)
	square := p.Documents.frame()
	tiles := []Tile{{rows: rows[:1000], square: square}, {part: 1, rows: rows[1000:], square: square}, {part: 2, rows: rows[:9], square: square}, {part: 3, rows: rows[:9], square: square}}
	path := writeTiled(t, p, tiles, func(page string) string { return page })
	for i, text := range map[int]string{2: `eigenmapTile("0-0-0-2",{"n":9,"columns":[]},"AAAA","");`, 3: `eigenmapTile("7-0-0",{},"","");`} {
		must.Do(t, os.WriteFile(filepath.Join(filepath.Dir(path), tiles[i].Name()), []byte(text), 0o600))
	}
	v := openFile(t, b, path)
	left, top, width, height := v.canvas()
	v.do(v.tab.Wheel(left+width/2, top+height/2, -300))
	v.wait(`(({ tiles, waiting }) => tiles === "2" && waiting === "0")(document.getElementById("canvas").dataset) && document.getElementById("note").textContent.includes("damaged")`)
	v.quiet()
}

// The note says that its number of isolated documents is of the page alone, where tiles have more.
func TestIsolatedOfTiles(t *testing.T) {
	b := browser(t)
	p := generated(2000, 5)
	p.Documents.Isolated = slices.Repeat([]int{-1}, 2000)
	p.Documents.Isolated[4], p.Documents.Isolated[1500] = 0, 0
	path := writeTiled(t, p, []Tile{{rows: Rows(2000)[1000:], square: p.Documents.frame()}}, func(page string) string { return page })
	v := openFile(t, b, path)
	v.is(`document.getElementById("note").textContent.startsWith("2 of the documents on this page have nothing in common with another one: grey rings,")`)
	v.quiet()
}

// The documents of tiles that are no longer drawn are taken anew from their files.
func TestFreedTiles(t *testing.T) {
	b := browser(t)
	p := generated(2000, 5)
	rows := Rows(2000)
	tiles := []Tile{{z: 1, rows: rows[:1000]}, {z: 1, x: 1, y: 1, rows: rows[1000:]}}
	for i := range tiles {
		tiles[i].square = p.Documents.frame().part(&tiles[i])
	}
	path := writeTiled(t, p, tiles, func(page string) string {
		page = strings.Replace(page, "const MOST_TILES = 200;", "const MOST_TILES = 1;", 1)
		return strings.Replace(page, policyTag, `<meta name="none" content="`, 1)
	})
	v := openFile(t, b, path)
	v.do(v.tab.Eval(`{ window.asked = 0; new MutationObserver((list) => { for (const m of list) window.asked += m.addedNodes.length; }).observe(document.head, { childList: true }); }`, nil))
	for visit, at := range [][2]float64{{0.3, 0.7}, {0.7, 0.3}, {0.3, 0.7}} {
		left, top, width, height := v.canvas()
		v.do(v.tab.Eval(`document.getElementById("canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "0" }))`, nil))
		v.wait(`document.getElementById("canvas").dataset.tiles === "0"`)
		for range 5 {
			v.do(v.tab.Wheel(left+width*at[0], top+height*at[1], -300))
		}
		v.wait(fmt.Sprintf(`document.getElementById("canvas").dataset.tiles === "1" && window.asked === %d`, visit+1))
	}
	v.quiet()
}

// What is chosen is looked for in the files beside the page too, without zooming in: all that match
// are counted and listed, one that is clicked is shown, and documents of missing files are said.
func TestSearchBesidePage(t *testing.T) {
	b := browser(t)
	p := generated(2000, 5)
	rows := Rows(2000)
	tiles := []Tile{{z: 1, rows: rows[:1000]}, {z: 1, x: 1, y: 1, rows: rows[1000:1600]}, {z: 1, x: 1, rows: rows[1600:]}}
	for i := range tiles {
		tiles[i].square = p.Documents.frame().part(&tiles[i])
	}
	path := writeTiled(t, p, tiles, func(page string) string { return page })
	must.Do(t, os.Remove(filepath.Join(filepath.Dir(path), tiles[2].Name())))
	v := openFile(t, b, path)
	search := func(text string) {
		v.do(v.tab.Eval(fmt.Sprintf(`{ const s = document.getElementById("search"); s.value = %q; s.dispatchEvent(new Event("input")); }`, text), nil))
		v.wait(`!document.getElementById("clear").disabled && document.querySelector("#beside button")`)
	}
	found := func() string { return v.text(`document.getElementById("beside-note").textContent`) }
	want := 0
	for _, i := range rows[:1600] {
		if strings.Contains(p.Documents.IDs[i], "document-15") {
			want++
		}
	}
	search("document-15")
	v.click("#beside button")
	v.wait(`document.getElementById("beside-note") && !document.getElementById("beside-note").textContent.includes("so far")`)
	if got := found(); got != fmt.Sprintf("%d of the other 2,000 documents; the files of 400 are missing.", want) {
		t.Errorf("found %q, and %d match", got, want)
	}
	v.is(`document.getElementById("canvas").dataset.tiles === "0"`)
	v.click("#beside .docs button")
	v.wait(`document.querySelector("#panel h3").textContent.includes("document-15") && document.getElementById("canvas").dataset.tiles > 0`)
	v.do(v.tab.Eval(`document.getElementById("canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))`, nil))
	v.wait(`document.getElementById("beside-note")`)
	// Another choice has not been looked for.
	search("document-16")
	v.wait(`document.querySelector("#beside button").textContent.startsWith("Look through")`)
	for _, e := range v.tab.Errors() {
		if !strings.Contains(e, "ERR_FILE_NOT_FOUND") {
			t.Errorf("the console says: %s", e)
		}
	}
}
