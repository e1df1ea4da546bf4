package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestNumbersInBrowser: the panel of a cluster has the median and the mean of the columns of
// numbers, and a skewed column is coloured by rank, which the legend says; an even one is not.
// EIGENMAP_PICTURES is a folder for a picture of it.
func TestNumbersInBrowser(t *testing.T) {
	p := generated(3000, 6)
	d := p.Documents
	even, skewed := make([]float64, d.Len()), make([]float64, d.Len())
	var of []float64 // skewed values of cluster 0
	for i := range even {
		even[i] = float64(i % 100)
		skewed[i] = math.Round(100*math.Exp(float64(i%97)/12)) / 100
		if i%5 == 0 {
			skewed[i] = math.NaN()
		} else if d.Cluster[i] == 0 {
			of = append(of, skewed[i])
		}
	}
	minutes, large, opened := make([]float64, d.Len()), make([]float64, d.Len()), make([]time.Time, d.Len())
	for i := range minutes {
		minutes[i], large[i] = 1234.5+float64(i%700)*17, -1e6*float64(i%89)-12345.678
		opened[i] = time.Date(2024, 11, 28, 23, 0, i%97*3600, 0, time.UTC)
	}
	days := TimesField("opened_at", opened)
	days.Main = false
	d.Fields = []*Field{NewField("kind", []string{"a", "b"}, slices.Repeat([]int32{0, 1, 1}, d.Len()/3)), NewNumbers("even", even), NewNumbers("price", skewed),
		NewNumbers("response_time_in_minutes", minutes), NewNumbers("amount.in euros of the whole order", large), days}
	v := visit(t, browser(t), p, 1400, false)
	choose := func(key string) {
		v.do(v.tab.Eval(`{ const c = document.getElementById("colour"); c.value = "`+key+`"; c.dispatchEvent(new Event("change")); }`, nil))
	}
	choose("f1")
	v.is(`document.querySelector("#legend .ranks") === null && document.getElementById("legend").textContent === "even198"`)
	choose("f2")
	v.is(`document.querySelector("#legend .ranks").textContent.startsWith("by rank, half up to 5")`)
	// Half of the documents have a colour of the lower half of the scale.
	functions, err := os.ReadFile("fields.js") // which the page keeps to itself
	if err != nil {
		t.Fatal(err)
	}
	v.is(`(() => { ` + string(functions) + `
		const list = Float64Array.from({ length: 500 }, (_, i) => i % 7 ? Math.exp(i % 97 / 9) : NaN), s = scaleOf(list, true), t = [...list].filter((v) => v === v).map(s.at);
		return s.ranks && Math.abs(t.filter((x) => x < 0.5).length / t.length - 0.5) < 0.02 && Math.min(...t) > 0 && Math.max(...t) < 1 && !scaleOf(list, false).ranks; })()`)
	v.do(v.tab.Eval(`[...document.querySelectorAll("#panel .groups button")].find((b) => b.title.startsWith("0 ")).click()`, nil))
	slices.Sort(of)
	sum := 0.0
	for _, x := range of {
		sum += x
	}
	n := len(of)
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	v.is(fmt.Sprintf(`(() => { const r = [...document.querySelectorAll("#panel table.numbers tbody tr")], c = [...r[0].cells].map((e) => e.textContent);
		return r.length === 5 && c[0] === "price" && c[1] === %q && c[2] === %q && c[3].length > 0; })()`, short((of[(n-1)/2]+of[n/2])/2), short(sum/float64(n))))
	// The table fits into the panel, also with long names and with dates.
	v.is(`(() => { const box = document.querySelector("#panel table.numbers").parentElement, panel = document.getElementById("panel");
		return box.scrollWidth <= box.clientWidth && panel.scrollWidth <= panel.clientWidth; })()`)
	if file := os.Getenv("EIGENMAP_PICTURES"); file != "" {
		v.do(v.tab.Eval(`document.querySelector("#panel table.numbers").scrollIntoView({ block: "center" })`, nil))
		v.do(v.tab.Screenshot(filepath.Join(file, "numbers.png")))
	}
	v.quiet()
}
