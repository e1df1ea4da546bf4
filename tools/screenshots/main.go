// Command screenshots opens a report in a headless Chromium and saves pictures of it: the map in
// light and dark, on a phone, zoomed in, with documents inside a lasso, with a cluster, and more.
// Of the address that eigenmap explore printed it saves what only a served page has.
//
//	go run ./tools/screenshots out/debian/report.html out/pictures [webp]
//	go run ./tools/screenshots http://127.0.0.1:PORT/SECRET/ out/pictures [webp]
package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/internal/chromium"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: screenshots REPORT FOLDER [webp]")
		os.Exit(2)
	}
	format := "png"
	if len(os.Args) > 3 {
		format = os.Args[3]
	}
	if err := run(os.Args[1], os.Args[2], format); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// shot is one picture: the window, and what is done before it is taken.
type shot struct {
	name          string
	width, height int
	dark          bool
	before        func(t *chromium.Tab) error
}

var shots = []shot{
	{"light", 1400, 900, false, nil},
	{"dark", 1400, 900, true, nil},
	{"phone", 420, 900, false, nil},
	{"phone-panel", 420, 900, true, func(t *chromium.Tab) error {
		return cmp.Or(t.Eval(`document.querySelector("#panel .groups button").click()`, nil), t.Eval(`document.getElementById("panel").scrollIntoView()`, nil))
	}},
	{"zoomed", 1400, 900, false, zoomed},
	{"lasso", 1400, 900, false, lasso},
	{"cluster", 1400, 900, false, func(t *chromium.Tab) error {
		return t.Eval(`document.querySelectorAll("#panel .groups button")[1].click()`, nil)
	}},
	{"search", 1400, 900, true, func(t *chromium.Tab) error {
		return cmp.Or(t.Eval(`document.getElementById("search").focus()`, nil), t.Type("image"), t.Wait(`document.querySelector(".chips")`))
	}},
	{"confidence", 1400, 900, false, func(t *chromium.Tab) error {
		return t.Eval(`{ const c = document.getElementById("colour"); c.value = "confidence"; c.dispatchEvent(new Event("change")); }`, nil)
	}},
	{"column", 1400, 1000, false, colour(`o.dataset.kind === "words"`)},
	{"scale", 1400, 1000, true, colour(`o.dataset.kind === "number"`)},
	{"timeline", 1400, 1000, false, timeline},
	{"timeline-phone", 420, 1100, true, func(t *chromium.Tab) error {
		return cmp.Or(timeline(t), t.Eval(`document.getElementById("filters").open = true; document.getElementById("map").scrollIntoView()`, nil))
	}},
	{"filter", 1400, 1000, false, func(t *chromium.Tab) error {
		return cmp.Or(colour(`o.dataset.kind === "words"`)(t), t.Eval(`document.getElementById("filters").open = true; [...document.querySelectorAll("#by-values input")].slice(0, 2).forEach((b) => b.click())`, nil))
	}},
	{"levels", 1400, 900, false, func(t *chromium.Tab) error {
		return t.Eval(`{ const c = document.getElementById("colour"), o = [...c.options].filter((o) => o.value.startsWith("level")).at(-6); if (o) { c.value = o.value; c.dispatchEvent(new Event("change")); } }`, nil)
	}},
	{"tables", 1400, 1400, true, func(t *chromium.Tab) error {
		return t.Eval(`document.getElementById("clusters").scrollIntoView()`, nil)
	}},
	{"tables-phone", 420, 900, false, func(t *chromium.Tab) error {
		return t.Eval(`document.getElementById("clusters").scrollIntoView()`, nil)
	}},
	{"documents", 1400, 1400, false, func(t *chromium.Tab) error {
		return t.Eval(`document.getElementById("documents").scrollIntoView()`, nil)
	}},
	{"end", 1400, 1400, false, func(t *chromium.Tab) error {
		return t.Eval(`scrollTo(0, 1e6)`, nil)
	}},
	{"print", 1000, 1400, true, func(t *chromium.Tab) error {
		return t.Call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	}},
	{"hover", 1400, 900, false, func(t *chromium.Tab) error {
		x, y, err := middle(t)
		if err != nil {
			return err
		}
		return t.Mouse("mouseMoved", x, y)
	}},
}

// colour colours the dots by the last column of the corpus for which a condition of its option o
// holds, and opens its filter; a page without one stays as it is.
func colour(condition string) func(t *chromium.Tab) error {
	return func(t *chromium.Tab) error {
		return t.Eval(`for (const id of ["colour", "by-field"]) { const c = document.getElementById(id); const o = c && [...c.options].filter((o) => `+condition+`).at(-1);
			if (o) { c.value = o.value; c.dispatchEvent(new Event("change")); } }`, nil)
	}
}

// timeline chooses the middle of the timeline, if the page has one.
func timeline(t *chromium.Tab) error {
	var r [4]float64
	if err := t.Eval(`(() => { const e = document.querySelector("#timeline .strip-of"); if (!e) return [0, 0, 0, 0]; e.scrollIntoView({ block: "end" }); const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`, &r); err != nil || r[2] == 0 {
		return err
	}
	y := r[1] + r[3]/2
	return t.Drag([][2]float64{{r[0] + 0.3*r[2], y}, {r[0] + 0.4*r[2], y}, {r[0] + 0.5*r[2], y}})
}

// click presses the button of the panel with a text.
func click(t *chromium.Tab, text string) error {
	return t.Eval(fmt.Sprintf(`[...document.querySelectorAll("#panel button")].find((b) => b.textContent === %q).click()`, text), nil)
}

// enter fills in the first field of the panel that a selector finds.
func enter(t *chromium.Tab, selector, text, event string) error {
	return t.Eval(fmt.Sprintf(`{ const f = document.querySelector(%q); f.value = %q; f.dispatchEvent(new Event(%q)); }`, "#panel "+selector, text, event), nil)
}

// servedShots change the labels of the page that is served.
var servedShots = []shot{
	{"explore", 1400, 900, false, nil},
	{"explore-name", 1400, 900, false, func(t *chromium.Tab) error {
		return cmp.Or(t.Eval(`document.querySelectorAll("#panel .groups button")[1].click()`, nil), enter(t, ".served input", "statistics", "change"))
	}},
	{"explore-next", 1400, 900, true, func(t *chromium.Tab) error {
		return cmp.Or(click(t, "Label next"), t.Wait(`document.querySelector("#panel .docs")`))
	}},
	{"explore-document", 1400, 900, false, func(t *chromium.Tab) error {
		return cmp.Or(click(t, "Label next"), t.Wait(`document.querySelector("#panel .docs button")`), t.Eval(`document.querySelector("#panel .docs button").click()`, nil))
	}},
	{"explore-place", 1400, 900, false, func(t *chromium.Tab) error {
		return cmp.Or(click(t, "Place a text"), enter(t, "textarea", "A chess game for two players, with nice graphics and sound", "input"), click(t, "Place it"), t.Wait(`document.querySelector("#panel dl")`))
	}},
	{"explore-phone", 420, 900, true, func(t *chromium.Tab) error {
		return t.Eval(`document.getElementById("panel").scrollIntoView()`, nil)
	}},
}

func run(report, folder, format string) error {
	path := chromium.Find()
	if path == "" {
		return fmt.Errorf("there is no Chromium: apt-get install chromium")
	}
	list := servedShots
	if !strings.HasPrefix(report, "http://") {
		file, err := filepath.Abs(report)
		if err != nil {
			return err
		}
		report, list = "file://"+file, shots
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	b, err := chromium.Start(context.Background(), path)
	if err != nil {
		return err
	}
	defer b.Close()
	for _, s := range list {
		t, err := b.Open(report, s.width, s.height, 1, s.dark)
		if err != nil {
			return err
		}
		if err := t.Wait(`performance.getEntriesByName("ready").length`); err != nil {
			return fmt.Errorf("%s: %w; %s", s.name, err, t.Errors())
		}
		if s.before != nil {
			if err := s.before(t); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := t.Eval(`new Promise((r) => setTimeout(r, 500))`, nil); err != nil {
			return err
		}
		if err := t.Screenshot(filepath.Join(folder, s.name+"."+format)); err != nil {
			return err
		}
		for _, e := range t.Errors() {
			fmt.Fprintf(os.Stderr, "%s: %s\n", s.name, e)
		}
		t.Close()
	}
	return nil
}

// middle is the middle of the map in the window.
func middle(t *chromium.Tab) (x, y float64, err error) {
	var at [2]float64
	err = t.Eval(`(() => { const b = document.getElementById("canvas").getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`, &at)
	return at[0], at[1], err
}

func zoomed(t *chromium.Tab) error {
	x, y, err := middle(t)
	for range 3 {
		err = cmp.Or(err, t.Wheel(x-230, y-150, -250))
	}
	return err
}

func lasso(t *chromium.Tab) error {
	x, y, err := middle(t)
	var way [][2]float64
	for i := range 40 {
		a := 2 * math.Pi * float64(i) / 40
		way = append(way, [2]float64{x + 50 + (130+20*math.Sin(3*a))*math.Cos(a), y + (110+20*math.Cos(2*a))*math.Sin(a)})
	}
	return cmp.Or(err, t.Eval(`document.querySelector("[data-set-mode=lasso]").click()`, nil), t.Drag(way))
}
