package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/words"
)

// TestIsolatedInBrowser: isolated documents are grey rings, and are marked in the list of groups,
// which chooses them, in the list of documents, in the table, and in the panel of a document.
func TestIsolatedInBrowser(t *testing.T) {
	p := generated(300, 3)
	d := p.Documents
	d.Isolated = slices.Repeat([]int{-1}, d.Len())
	d.Isolated[4], d.Isolated[7] = 0, 0
	v := visit(t, browser(t), p, 1400, false)
	v.is(`document.getElementById("note").textContent.startsWith("2 documents have nothing in common with another one: grey rings,")`)
	const line = `[...document.querySelectorAll("#panel .groups button")].at(-1)`
	v.is(line + `.textContent.startsWith("isolated") && ` + line + `.querySelector("path").getAttribute("fill") === "#aab0b8" && ` + line + `.querySelector("path").getAttribute("d").startsWith("M-9 0a9")`)
	v.do(v.tab.Eval(line+`.click()`, nil))
	v.wait(`document.getElementById("count").textContent.startsWith("2 of 300")`)
	v.is(`document.querySelector("#panel .chip").textContent.startsWith("isolated")`)
	v.is(`document.querySelectorAll("#panel .docs .facts").length === 2 && [...document.querySelectorAll("#panel .docs .facts")].every((e) => e.textContent.startsWith("isolated"))`)
	v.is(`[...document.querySelectorAll("#rows th")].some((h) => h.textContent === "placed")`)
	v.is(`[...document.querySelectorAll("#rows tbody tr")].every((r) => [...r.cells].some((c) => c.textContent === "isolated"))`)
	v.click("#rows tbody button")
	v.is(`[...document.querySelectorAll("#panel dd")].some((e) => e.textContent.startsWith("isolated: it has nothing in common"))`)
	v.click("#clear")
	v.wait(`document.getElementById("count").textContent.startsWith("300 documents")`)
	v.quiet()
}

// TestDivisionInBrowser: while the clusters of another division colour the map, labels and list are
// theirs, with their numbers, terms and colours; a label chooses its documents.
func TestDivisionInBrowser(t *testing.T) {
	p := generated(3000, 6)
	d := p.Documents
	of, sizes := make([]int32, d.Len()), make(map[string]int)
	for i := range of {
		if i%1000 == 0 { // rejected ones
			of[i] = -1
			continue
		}
		of[i] = int32(d.Cluster[i] % 2)
		sizes[strconv.Itoa(4-2*int(of[i]))]++
	}
	f := NewField("runner-up", []string{"4: even", "2: odd"}, of)
	for _, name := range f.Names {
		number, term, _ := strings.Cut(name, ": ")
		k, _ := strconv.Atoi(number)
		f.Colors, f.Terms = append(f.Colors, k), append(f.Terms, []string{term})
	}
	d.Fields = []*Field{f}
	v := visit(t, browser(t), p, 1400, false)
	choose := func(key string) {
		v.do(v.tab.Eval(`{ const c = document.getElementById("colour"); c.value = "`+key+`"; c.dispatchEvent(new Event("change")); }`, nil))
	}
	const labels = `[...document.querySelectorAll("#labels .label:not([hidden])")]`
	choose("f0")
	v.wait(labels + `.some((e) => e.textContent.trim() === "4 even")`)
	v.is(labels + `.every((e) => ["4 even", "2 odd"].includes(e.textContent.trim()))`)
	v.is(`!document.getElementById("labels").classList.contains("plain")`)
	v.is(fmt.Sprintf(labels+`.every((e) => e.querySelector("path").getAttribute("fill") === {"4 even": %q, "2 odd": %q}[e.textContent.trim()])`, hex(Color(4)), hex(Color(2))))
	v.is(`document.querySelector("#panel h3").textContent === "2 clusters of the runner-up"`)
	v.is(`[...document.querySelectorAll("#panel .groups button")].at(-1).textContent.startsWith("none")`)
	var at [2]float64
	v.do(v.tab.Eval(`(() => { const r = `+labels+`.find((e) => e.textContent.trim() === "2 odd").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`, &at))
	v.do(v.tab.Drag([][2]float64{at, at}))
	v.wait(`document.getElementById("count").textContent.startsWith("` + words.Thousands(sizes["2"]) + ` of")`)
	v.click("#clear")
	choose("cluster")
	v.wait(labels + `.length > 2 && ` + labels + `.every((e) => !/even|odd/.test(e.textContent))`)
	v.quiet()
}

// TestNamesInBrowser: headings leave out no level, and every control has a name, before and after a
// cluster is chosen: what a screen reader reads out.
func TestNamesInBrowser(t *testing.T) {
	v := visit(t, browser(t), generated(300, 3), 1400, false)
	read := func() {
		v.is(`[...document.querySelectorAll("h1,h2,h3,h4")].filter((e) => e.getClientRects().length).every((e, i, all) => i === 0 || +e.tagName[1] <= +all[i - 1].tagName[1] + 1)`)
		v.is(`[...document.querySelectorAll("button,a,input,select")].every((e) => e.getAttribute("aria-label") || e.title || e.textContent.trim() || e.labels?.length)`)
	}
	read()
	v.click("#panel .groups button")
	v.wait(`document.querySelector("#panel h4")`)
	read()
	v.quiet()
}
