package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTilesInBrowser opens a page of a million documents from its folder without a server, with
// EIGENMAP_LONG. It is drawn within two seconds, at least once in five; zooming in takes
// tiles, whose documents can be pointed at, chosen and searched for; a missing file is told.
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
	if err := os.WriteFile(filepath.Join(dir, "report.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
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
		tab, err := b.Open("file://"+filepath.Join(dir, "report.html"), width, 900, 1, dark)
		if err != nil {
			t.Fatal(err)
		}
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
