package report

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/chromium"
	"github.com/eigenmap/eigenmap/internal/must"
)

// browser starts Chromium, or skips the test.
func browser(t *testing.T, flags ...string) *chromium.Browser {
	t.Helper()
	path := chromium.Find()
	if path == "" {
		t.Skip("there is no Chromium on the path (Debian: apt-get install chromium), so the page is not opened")
	}
	if testing.Short() {
		t.Skip("a browser is not part of the short tests")
	}
	b := must.Get(chromium.Start(context.Background(), path, flags...))(t)
	t.Cleanup(func() { b.Close() })
	return b
}

// visitor is a person at the page.
type visitor struct {
	t   *testing.T
	tab *chromium.Tab
}

// visit writes a page and opens it.
func visit(t *testing.T, b *chromium.Browser, p *Page, width int, dark bool) visitor {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	must.Do(t, os.WriteFile(file, []byte(written(t, p)), 0o644))
	tab := must.Get(b.Open("file://"+file, width, 900, 1, dark))(t)
	v := visitor{t, tab}
	v.wait(`performance.getEntriesByName("ready").length`)
	return v
}

func (v visitor) do(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err, v.tab.Errors())
	}
}

func (v visitor) wait(expression string) { v.t.Helper(); v.do(v.tab.Wait(expression)) }

// text is the value of an expression as text.
func (v visitor) text(expression string) (s string) {
	v.t.Helper()
	v.do(v.tab.Eval("String("+expression+")", &s))
	return s
}

func (v visitor) number(expression string) (x float64) {
	v.t.Helper()
	v.do(v.tab.Eval("Number("+expression+")", &x))
	return x
}

// is demands that an expression be true.
func (v visitor) is(expression string) {
	v.t.Helper()
	if v.text(expression) != "true" {
		v.t.Errorf("not true: %s", expression)
	}
}

func (v visitor) click(selector string) {
	v.t.Helper()
	v.do(v.tab.Eval(fmt.Sprintf("document.querySelector(%q).click()", selector), nil))
}

// canvas is the place of the map in the window.
func (v visitor) canvas() (left, top, width, height float64) {
	v.t.Helper()
	var box [4]float64
	v.do(v.tab.Eval(`(() => { const r = document.getElementById("canvas").getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`, &box))
	return box[0], box[1], box[2], box[3]
}

// work is the CPU time that the thread of the page has spent, in seconds.
func (v visitor) work() float64 {
	v.t.Helper()
	v.do(v.tab.Call("Performance.enable", map[string]string{"timeDomain": "threadTicks"}, nil))
	var m struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	v.do(v.tab.Call("Performance.getMetrics", struct{}{}, &m))
	for _, metric := range m.Metrics {
		if metric.Name == "TaskDuration" {
			return metric.Value
		}
	}
	v.t.Fatalf("no time in %v", m)
	return 0
}

// quiet demands that the console be empty.
func (v visitor) quiet() {
	v.t.Helper()
	for _, e := range v.tab.Errors() {
		v.t.Errorf("the console says: %s", e)
	}
	v.tab.Close()
}

// TestPageInBrowser opens the page with 6,000 and 100,000 documents, with EIGENMAP_LONG also
// 50,000, and uses it. The first drawing must come within two seconds, at least once in five, and
// the console must stay empty.
func TestPageInBrowser(t *testing.T) {
	b := browser(t)
	sizes := []int{6000, 100000}
	switch {
	case os.Getenv("EIGENMAP_REPORT") == "small": // for the short form of make test
		sizes = sizes[:1]
	case os.Getenv("EIGENMAP_LONG") != "":
		sizes = append(sizes, 50000)
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := withFields(generated(n, 30))
			p.Documents.Cluster[0] = -1
			v := visit(t, b, p, 1400, false)
			drawn := v.number(`performance.getEntriesByName("drawn")[0].startTime`)
			for try := 0; try < 4 && drawn > 2000; try++ { // others may have had the machine
				v.quiet()
				v = visit(t, b, p, 1400, false)
				drawn = v.number(`performance.getEntriesByName("drawn")[0].startTime`)
			}
			ready := v.number(`performance.getEntriesByName("ready")[0].startTime`)
			t.Logf("%d documents: drawn after %.0f ms, texts ready after %.0f ms, painted first after %.0f ms", n, drawn, ready, v.number(`(performance.getEntriesByName("first-contentful-paint")[0] || {}).startTime || 0`))
			if drawn > 2000 {
				t.Errorf("drawn after %.0f ms", drawn)
			}
			v.is(`document.getElementById("canvas").dataset.painter === "webgl2"`)
			v.usesMap(p)
			v.usesFields(p)
			v.quiet()
		})
	}
}

// usesMap does with the map and its panel what a person does.
func (v visitor) usesMap(p *Page) {
	t := v.t
	n := p.Documents.Len()
	left, top, width, height := v.canvas()
	count := func() float64 {
		return v.number(`document.getElementById("count").textContent.split(" ")[0].replace(/,/g, "")`)
	}
	// Something is drawn, and labels do not cover each other.
	v.is(`document.querySelectorAll("#labels .label:not([hidden])").length >= 5`)
	v.is(`(() => { const r = [...document.querySelectorAll("#labels .label:not([hidden])")].map((e) => e.getBoundingClientRect());
		return r.every((a, i) => r.slice(0, i).every((b) => a.right <= b.left + 3 || b.right <= a.left + 3 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1)); })()`)
	// The page shows the document under the pointer.
	found := false
	for i := 0; i < 200 && !found; i++ {
		v.do(v.tab.Mouse("mouseMoved", left+width*(0.3+0.4*math.Abs(math.Sin(float64(i)))), top+height*(0.3+0.4*math.Abs(math.Cos(float64(3*i))))))
		found = v.text(`!document.getElementById("tip").hidden`) == "true"
	}
	if tip := v.text(`document.getElementById("tip").textContent`); !found || !strings.Contains(tip, "document-") || !strings.Contains(tip, "confidence") || !strings.Contains(tip, "class ") {
		t.Errorf("hover says %q", tip)
	}
	// Search for an id and for a word of the texts.
	v.do(v.tab.Eval(`document.getElementById("search").focus()`, nil))
	v.do(v.tab.Type("document-4321"))
	want := 0
	for _, id := range p.Documents.IDs {
		if strings.Contains(id, "document-4321") {
			want++
		}
	}
	v.wait(fmt.Sprintf(`document.getElementById("count").textContent.startsWith("%d of")`, want))
	v.is(`document.querySelector("#panel .docs mark").textContent === "document-4321"`)
	v.do(v.tab.Key("Escape"))
	v.wait(`document.getElementById("clear").disabled`)
	word := strings.Fields(p.Documents.Snippets[0])[0]
	v.do(v.tab.Eval(`{ const s = document.getElementById("search"); s.value = "`+word+`"; s.dispatchEvent(new Event("input")); }`, nil))
	v.wait(`!document.getElementById("clear").disabled`)
	if got := count(); got < 1 || got > float64(n) {
		t.Errorf("%v documents have the word %s", got, word)
	}
	v.click("#clear")
	// A lasso chooses some, and a table of them is saved.
	v.click("[data-set-mode=lasso]")
	var way [][2]float64
	for i := range 30 {
		a := 2 * math.Pi * float64(i) / 30
		way = append(way, [2]float64{left + width/2 + 0.2*width*math.Cos(a), top + height/2 + 0.2*height*math.Sin(a)})
	}
	v.do(v.tab.Drag(way))
	v.wait(`document.querySelector(".chips")`)
	if got := count(); got < 1 || got >= float64(n) {
		t.Errorf("the lasso holds %v documents", got)
	}
	v.is(`document.querySelectorAll("#panel ul.terms li").length > 2 && document.querySelectorAll("#panel .mix li").length > 2`)
	v.do(v.tab.Eval(`{ const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((t) => { window.saved = t; }); return make(blob); }; }`, nil))
	v.do(v.tab.Eval(`[...document.querySelectorAll("#panel .actions button")].find((b) => b.textContent === "Export CSV").click()`, nil))
	v.wait(`window.saved`)
	if lines := v.number(`window.saved.trim().split("\n").length - 1`); lines != count() {
		t.Errorf("%v lines of %v documents", lines, count())
	}
	fields := ""
	if p.Documents.Fields != nil {
		fields = "day,section,author,year,price,score,sent at,"
	}
	v.is(`window.saved.startsWith("id,cluster,second,label,given,distance,confidence,` + fields + `text")`)
	v.click("#clear")
	// A rectangle, then filters.
	v.click("[data-set-mode=rect]")
	v.do(v.tab.Drag([][2]float64{{left + 0.3*width, top + 0.3*height}, {left + 0.5*width, top + 0.5*height}, {left + 0.7*width, top + 0.7*height}}))
	v.wait(`document.querySelector(".chips")`)
	inside := count()
	choose := func(id, value string) {
		v.do(v.tab.Eval(fmt.Sprintf(`{ const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event("change")); s.dispatchEvent(new Event("input")); }`, id, value), nil))
	}
	choose("by-class", "1")
	if got := count(); got < 1 || got >= inside {
		t.Errorf("%v of %v documents are of the class", got, inside)
	}
	choose("by-confidence", "0.5")
	v.click("#clear")
	choose("by-cluster", "-1")
	if got := count(); got != 1 {
		t.Errorf("%v documents are in no cluster", got)
	}
	v.click("#clear")
	// Each colouring.
	for range 2 {
		v.do(v.tab.Eval(`for (const o of document.getElementById("colour").options) { o.selected = true; document.getElementById("colour").dispatchEvent(new Event("change")); }`, nil))
	}
	v.is(fmt.Sprintf(`document.getElementById("colour").options.length === %d && !`, 10+len(p.Documents.Fields)) + `document.getElementById("legend").hidden`)
	choose("colour", "cluster")
	// A cluster and one of its documents.
	v.click("#panel .groups button")
	v.is(`["Terms that set it apart", "Classes", "Nearest clusters", "Confidence", "Typical documents", "Border documents"].every((t) => [...document.querySelectorAll("#panel h4")].some((h) => h.textContent === t))`)
	v.is(`document.querySelectorAll("#panel .docs li").length === 10`)
	v.click("#panel .docs button")
	v.is(`document.querySelector("#panel dl").textContent.includes("next best cluster") && !document.getElementById("ring").hidden`)
	v.do(v.tab.Key("Escape"))
	v.do(v.tab.Key("Escape"))
	// Moving and zooming, fast enough, by wheel and keyboard.
	v.click("[data-set-mode=pan]")
	v.do(v.tab.Wheel(left+width/2, top+height/2, -200))
	var frames float64
	before := v.work()
	v.do(v.tab.Eval(`new Promise((done) => { let frames = 0; const c = document.getElementById("canvas"), from = performance.now();
		const step = (now) => { c.dispatchEvent(new KeyboardEvent("keydown", { key: frames % 2 ? "ArrowLeft" : "ArrowRight" })); if (++frames < 20) requestAnimationFrame(step); else done((now - from) / frames); };
		requestAnimationFrame(step); })`, &frames))
	// The time of the thread of the page says what moving costs, whoever else has the machine; the
	// drawing itself is the graphics card's, which here is software.
	own := 1000 * (v.work() - before) / 20
	t.Logf("%d documents: a frame of moving takes %.1f ms of the page's own CPU time; one came after %.0f ms (drawn in software)", n, own, frames)
	if own > 33 {
		t.Errorf("a frame of moving takes %.1f ms of CPU time", own)
	}
	v.do(v.tab.Eval(`document.getElementById("canvas").focus()`, nil))
	for _, key := range []string{"+", "-", "ArrowUp", "ArrowDown", "0", "Enter"} {
		v.do(v.tab.Key(key))
	}
	v.wait(`document.querySelector("#panel dl")`)
	v.do(v.tab.Key("Escape"))
	// The table of documents, by confidence.
	v.click("#rows th:nth-child(6) button")
	v.is(`document.querySelectorAll("#rows tbody tr").length === 25 && document.querySelector("#rows th:nth-child(6)").getAttribute("aria-sort") === "ascending"`)
	v.click("#rows-after")
	v.is(`document.getElementById("rows-note").textContent.startsWith("26 to 50")`)
	// The table of clusters, by size.
	v.click("#clusters th:nth-child(2) button")
	v.is(`(() => { const s = [...document.querySelectorAll("#clusters td.size")].map((c) => parseFloat(c.textContent.replace(/,/g, ""))); return s.every((v, i) => !i || v >= s[i - 1]); })()`)
	v.click(".command button")
	v.wait(`document.querySelector(".command button").textContent === "Copied"`)
}

// usesFields colours and filters the documents by the columns of [withFields].
func (v visitor) usesFields(p *Page) {
	t := v.t
	count := func() int {
		return int(v.number(`document.getElementById("count").textContent.split(" ")[0].replace(/,/g, "")`))
	}
	choose := func(id, value string) {
		v.do(v.tab.Eval(fmt.Sprintf(`{ const s = document.getElementById(%q); s.value = [...s.options].find((o) => o.textContent === %q).value; s.dispatchEvent(new Event("change")); }`, id, value), nil))
	}
	field := func(name string) *Field {
		return p.Documents.Fields[slices.IndexFunc(p.Documents.Fields, func(f *Field) bool { return f.Name == name })]
	}
	// counted is how many documents have values for which a condition holds.
	counted := func(is func(i int) bool) (n int) {
		for i := range p.Documents.Cluster {
			if is(i) {
				n++
			}
		}
		return n
	}
	// Words: the list of values, and boxes.
	v.click("#clear")
	section := field("section")
	choose("colour", "section")
	v.is(`document.querySelector("#panel h3").textContent === "4 values of section" && document.querySelectorAll("#panel .groups li").length === 4`)
	choose("by-field", "section")
	v.do(v.tab.Eval(`[...document.querySelectorAll("#by-values input")].slice(1, 3).forEach((b) => b.click())`, nil))
	if got, want := count(), counted(func(i int) bool { return section.Of[i] == 1 || section.Of[i] == 2 }); got != want {
		t.Errorf("%d documents are in two sections, want %d", got, want)
	}
	v.is(`document.querySelector("#panel .chip").textContent.startsWith("section: ")`)
	v.is(`[...document.querySelectorAll("#panel h4")].some((h) => h.textContent === "section")`)
	// Numbers: a range beside it.
	year := field("year")
	choose("by-field", "year")
	v.do(v.tab.Eval(`{ const [from, to] = document.querySelectorAll("#by-values input"); from.value = 1995; from.dispatchEvent(new Event("change")); to.value = 2001; to.dispatchEvent(new Event("change")); }`, nil))
	if got, want := count(), counted(func(i int) bool {
		return (section.Of[i] == 1 || section.Of[i] == 2) && year.Values[i] >= 1995 && year.Values[i] <= 2001
	}); got != want {
		t.Errorf("%d documents are of the years in two sections, want %d", got, want)
	}
	choose("colour", "year")
	v.is(`document.getElementById("legend").textContent.startsWith("year1990")`)
	v.click("#clear")
	if got := count(); got != p.Documents.Len() {
		t.Errorf("%d documents after all was cleared", got)
	}
	// The timeline is of the days again, and its handles take keys.
	choose("colour", "cluster")
	v.is(`!document.getElementById("timeline").hidden && document.querySelector("#timeline b").textContent === "day"`)
	day := field("day")
	v.do(v.tab.Eval(`document.querySelector("#timeline [data-end=from]").focus()`, nil))
	for _, key := range []string{"PageDown", "PageUp", "ArrowRight"} {
		v.do(v.tab.Key(key))
	}
	v.is(`document.activeElement.dataset.end === "from" && document.activeElement.getAttribute("aria-valuenow") === "11"`)
	from := must.Get(time.Parse(time.DateOnly, v.text(`document.activeElement.getAttribute("aria-valuetext")`)))(t)
	if got, want := count(), counted(func(i int) bool { return day.Values[i] >= float64(from.Unix()) }); got != want || want == 0 {
		t.Errorf("%d documents from %s on, want %d", got, from, want)
	}
	v.do(v.tab.Key("Home"))
	if got := count(); got != p.Documents.Len() {
		t.Errorf("%d documents after Home", got)
	}
	// A part is drawn, moved, and taken back.
	var r [4]float64
	place := func() {
		v.do(v.tab.Eval(`(() => { const e = document.querySelector("#timeline .strip-of"); e.scrollIntoView({ block: "nearest" }); const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`, &r))
	}
	place()
	at := func(x float64) [2]float64 { return [2]float64{r[0] + x*r[2], r[1] + r[3]/2} }
	v.do(v.tab.Drag([][2]float64{at(0.3), at(0.4), at(0.5)}))
	v.wait(`document.querySelector("#timeline .brush")`)
	some := count()
	if some < 1 || some >= p.Documents.Len() {
		t.Errorf("the part has %d documents", some)
	}
	before := v.text(`document.querySelector("#panel .chip").textContent`)
	v.do(v.tab.Drag([][2]float64{at(0.4), at(0.45), at(0.6)}))
	if after := v.text(`document.querySelector("#panel .chip").textContent`); after == before {
		t.Errorf("the part did not move from %s", after)
	}
	v.do(v.tab.Key("Escape"))
	v.wait(`document.getElementById("clear").disabled`)
	v.is(`!document.querySelector("#timeline .brush")`)
	// A document has its values, in the panel and in the table.
	v.is(`[...document.querySelectorAll("#rows th")].some((h) => h.textContent === "section")`)
	v.click("#rows tbody button")
	v.is(`["day", "section", "author", "year", "price", "score", "sent at"].filter((n) => [...document.querySelectorAll("#panel dt")].some((d) => d.textContent === n)).length >= 6`)
	v.do(v.tab.Key("Escape"))
}

// TestFarDocuments: a few documents far from all others are outside of the first view, the page
// says so, and the key 0 shows them.
func TestFarDocuments(t *testing.T) {
	b := browser(t)
	p := generated(3000, 6)
	for i := range 4 {
		p.Documents.X[i], p.Documents.Y[i] = 60+float64(i), -50
	}
	v := visit(t, b, p, 1400, false)
	v.is(`document.getElementById("note").textContent.startsWith("4 documents far from all others lie outside of the first view")`)
	// The labels of the clusters are spread over the view, as those of the crowd are.
	spread := `(() => { const r = [...document.querySelectorAll("#labels .label:not([hidden])")].map((e) => e.getBoundingClientRect().left); return (Math.max(...r) - Math.min(...r)) / document.getElementById("canvas").clientWidth; })()`
	near := v.number(spread)
	v.do(v.tab.Eval(`document.getElementById("canvas").focus()`, nil))
	v.do(v.tab.Key("0"))
	v.wait(spread + ` < 0.3`)
	if near < 0.35 {
		t.Errorf("the labels take %.2f of the map", near)
	}
	v.quiet()
}

// TestPageLooks: a dark scheme and the switch are followed, a window 420 wide needs no scrolling
// to the side, a page without WebGL draws on a flat canvas, and one without a map or texts has its
// lists.
func TestPageLooks(t *testing.T) {
	b := browser(t)
	background := `getComputedStyle(document.body).backgroundColor`
	v := visit(t, b, withFields(generated(2000, 40)), 420, true)
	dark := v.text(background)
	v.click("#filters summary")
	v.click("#panel .groups button")
	v.is(`document.documentElement.scrollWidth <= 420 && document.getElementById("by-confidence").getBoundingClientRect().right <= 420`)
	v.is(`document.querySelectorAll("#panel .near .swatch").length > 0 && [...document.querySelectorAll("#panel .near .swatch")].every((s) => getComputedStyle(s).visibility === "visible")`)
	v.click("#clear")
	v.is(`[...document.querySelectorAll("#labels .label:not([hidden])")].every((e) => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= 420; })`)
	v.click("#theme")
	light := v.text(background)
	v.click("#theme")
	if again := v.text(background); dark == light || again != dark {
		t.Errorf("the background is %s, then %s, then %s", dark, light, again)
	}
	v.click("#theme") // the browser keeps it
	v.quiet()
	v = visit(t, b, generated(300, 3), 1400, false)
	if v.text(background) != light {
		t.Error("a light scheme is not followed")
	}
	v.quiet()
	p := generated(300, 3)
	p.Documents.X, p.Documents.Y, p.Documents.Snippets, p.Documents.IDs, p.Documents.Class = nil, nil, nil, nil, nil
	v = visit(t, b, p, 1400, false)
	v.is(`document.getElementById("canvas").getBoundingClientRect().width === 0`)
	v.do(v.tab.Eval(`{ const s = document.getElementById("search"); s.value = "17"; s.dispatchEvent(new Event("input")); }`, nil))
	v.wait(`document.getElementById("count").textContent.startsWith("1 of 300")`)
	v.quiet()
	v = visit(t, b, &Page{Title: "nothing"}, 1400, false)
	v.quiet()
}

// TestNamesForScreenReaders: whatever one can use or look at has a name in the tree that screen
// readers read, with a cluster chosen and the filters open.
func TestNamesForScreenReaders(t *testing.T) {
	v := visit(t, browser(t), withFields(generated(2000, 40)), 1400, false)
	v.click("#filters summary")
	v.click("#panel .groups button")
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	v.do(v.tab.Call("Accessibility.enable", struct{}{}, nil))
	v.do(v.tab.Call("Accessibility.getFullAXTree", struct{}{}, &tree))
	count := make(map[any]int)
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		count[n.Role.Value]++
		switch n.Role.Value {
		case "button", "link", "searchbox", "combobox", "slider", "spinbutton", "checkbox", "image", "application", "table", "Date":
			if n.Name.Value == nil || n.Name.Value == "" {
				t.Errorf("a %v has no name", n.Role.Value)
			}
		}
	}
	if count["button"] < 20 || count["table"] == 0 || count["application"] != 1 {
		t.Errorf("the tree has %v", count)
	}
	v.quiet()
}

// TestWordsOfChosen: the words of chosen documents are those that set them apart, and neither
// words that many documents have nor what chance makes more frequent.
func TestWordsOfChosen(t *testing.T) {
	p := generated(1000, 3)
	for i := range p.Documents.Snippets {
		words := fmt.Sprintf("word%d", i%7)
		if i%10 == 0 {
			words += " drum cymbal"
		}
		if i%4 == 1 || i%20 == 0 {
			words += " the"
		}
		p.Documents.Snippets[i] = words
	}
	v := visit(t, browser(t), p, 1400, false)
	v.do(v.tab.Eval(`{ const s = document.getElementById("search"); s.value = "drum"; s.dispatchEvent(new Event("input")); }`, nil))
	v.wait(`document.getElementById("count").textContent.startsWith("100 of 1,000")`)
	v.is(`[...document.querySelectorAll("#panel .terms .name")].map((e) => e.textContent).sort().join() === "cymbal,drum"`)
	v.quiet()
}

// TestPageWithoutWebGL uses the page on a flat canvas.
func TestPageWithoutWebGL(t *testing.T) {
	b := browser(t, "--disable-3d-apis")
	p := generated(20000, 30)
	p.Documents.Cluster[0] = -1
	v := visit(t, b, p, 1400, false)
	v.is(`document.getElementById("canvas").dataset.painter === "2d"`)
	v.usesMap(p)
	v.quiet()
}

// TestPageWithoutScript: the tables and the still picture are there, and the tools are not.
func TestPageWithoutScript(t *testing.T) {
	b := browser(t, "--blink-settings=scriptEnabled=false")
	file := filepath.Join(t.TempDir(), "report.html")
	p := generated(100, 3)
	p.ByCluster = []byte("x")
	must.Do(t, os.WriteFile(file, []byte(written(t, p)), 0o644))
	tab := must.Get(b.Open("file://"+file, 1400, 900, 1, false))(t)
	var tree struct {
		Nodes []struct{ Name struct{ Value any } }
	}
	must.Do(t, tab.Call("Accessibility.getFullAXTree", struct{}{}, &tree))
	var names []string
	for _, node := range tree.Nodes {
		names = append(names, fmt.Sprint(node.Name.Value))
	}
	all := strings.Join(names, "\n")
	if !strings.Contains(all, "documents coloured by cluster") || !strings.Contains(all, "Clusters") || strings.Contains(all, "Lasso") {
		t.Errorf("the page is\n%s", all)
	}
}

// TestLevelsInBrowser: a level colours the map, has its own labels and list, and the clusters come
// back.
func TestLevelsInBrowser(t *testing.T) {
	b := browser(t)
	p := generated(3000, 6)
	d := p.Documents
	d.Leaf = append([]int(nil), d.Cluster...)
	d.Leaf[0] = -1
	of, sizes := []int{0, 1, 0, 1, 0, 1}, make([]int, 2)
	for _, leaf := range d.Leaf[1:] {
		sizes[of[leaf]]++
	}
	p.Levels = []Level{{Of: of, Clusters: []LevelCluster{{Size: sizes[0], Terms: []string{"even"}}, {Size: sizes[1], Terms: []string{"odd"}}}}}
	v := visit(t, b, p, 1400, false)
	choose := func(key string) {
		v.do(v.tab.Eval(`{ const c = document.getElementById("colour"); c.value = "`+key+`"; c.dispatchEvent(new Event("change")); }`, nil))
	}
	labels := `[...document.querySelectorAll("#labels .label:not([hidden])")].map((e) => e.textContent.trim())`
	choose("level0")
	v.wait(labels + `.some((text) => text.includes("even") || text.includes("odd"))`)
	v.is(labels + `.length <= 2`)
	v.is(`[...document.querySelectorAll("#panel .groups .name")].map((e) => e.textContent).join() === "0 even,1 odd"`)
	v.click("#panel .groups button") // zooms to its documents
	choose("cluster")
	v.is(`document.querySelectorAll("#panel .groups li").length === 6`)
	v.wait(labels + `.every((text) => !text.includes("even") && !text.includes("odd"))`)
	v.quiet()

	// Near at hand the labels are of a finer level, and from afar of the clusters again.
	finer := Level{}
	for leaf := range 12 {
		finer.Of = append(finer.Of, leaf)
		finer.Clusters = append(finer.Clusters, LevelCluster{Size: 250, Terms: []string{fmt.Sprint("finer", leaf)}})
	}
	for i := range d.Leaf {
		d.Leaf[i] = 2*d.Cluster[i] + i%2
	}
	p.Levels = []Level{finer}
	v = visit(t, b, p, 1400, false)
	v.is(labels + `.every((text) => !text.includes("finer"))`)
	left, top, width, height := v.canvas()
	for range 3 {
		v.do(v.tab.Wheel(left+width/2, top+height/2, -300))
	}
	v.wait(labels + `.some((text) => text.startsWith("finer"))`)
	v.click("#fit")
	v.wait(labels + `.length > 1 && ` + labels + `.every((text) => !text.includes("finer"))`)
	v.quiet()
}
