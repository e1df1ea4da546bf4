package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestTermsOfSeveralWords: where a term is several words, commas part the terms in the list and in
// the labels of the map. EIGENMAP_PICTURES is a folder for a picture of it.
func TestTermsOfSeveralWords(t *testing.T) {
	p := generated(300, 3)
	p.Clusters[0].Terms, p.Clusters[1].Terms = []string{"width low", "height high"}, []string{"ship", "sea"}
	p.Clusters[0].Weights, p.Clusters[1].Weights = []float64{.5, .4}, []float64{.5, .4}
	v := visit(t, browser(t), p, 1400, false)
	for _, where := range []string{"#panel .groups", "#labels"} {
		v.wait(`document.querySelector("` + where + `").textContent.includes("0 width low, height high")`)
		v.is(`document.querySelector("` + where + `").textContent.includes("1 ship sea")`)
	}
	v.quiet()
}

// TestPrint: on paper nothing is cut off at the right, of a table of many clusters either, and a
// page has both pictures.
func TestPrint(t *testing.T) {
	b := browser(t)
	for _, k := range []int{12, 60} {
		p := generated(300, k)
		p.Documents.ClassNames = []string{"a class of games with a name that is longer than the others", "fonts", "ים"}
		p.Classes, p.TableClusters = p.Documents.ClassNames, make([]int, k)
		p.Table = make([][]int, 3)
		for i := range p.Table {
			p.Table[i] = make([]int, k)
			for c := range p.Table[i] {
				p.TableClusters[c], p.Table[i][c] = c, 100+10*i+c
			}
		}
		p.Table[1][3] = 0
		v := visit(t, b, p, 700, false)
		v.do(v.tab.Call("Emulation.setEmulatedMedia", map[string]string{"media": "print"}, nil))
		v.is(`[...document.querySelectorAll("table")].filter((e) => e.offsetWidth).every((e) => e.getBoundingClientRect().right <= document.documentElement.clientWidth + 1)`)
		v.is(`document.querySelector(".heat table").offsetWidth > 0`)
		v.is(fmt.Sprintf(`[...document.querySelectorAll(".heat td span[data-cluster]")].filter((e) => { const r = e.getBoundingClientRect(); return r.width && r.right <= document.documentElement.clientWidth; }).length === %d`, 3*k-1))
		named := `getComputedStyle(document.querySelector(".heat td span[data-cluster='7']"), "::before").content !== "none"`
		if wide := k > printedColumns; v.text(named) != strconv.FormatBool(wide) {
			t.Errorf("%d clusters: the cells of the print have the number of their cluster: %v, want %v", k, !wide, wide)
		}
		if dir := os.Getenv("EIGENMAP_PICTURES"); dir != "" {
			v.do(v.tab.Screenshot(filepath.Join(dir, fmt.Sprintf("print-%d.png", k))))
		}
	}
}

// TestClassesFromRight: a class in a script that is written from the right does not take the number
// behind it to its other side.
func TestClassesFromRight(t *testing.T) {
	p := generated(30, 2)
	p.Classes = []string{"ים"}
	p.Clusters[0].Major, p.Clusters[0].MajorCount, p.Clusters[0].Labelled = "ים", 3, 6
	if page := written(t, p); !strings.Contains(page, `<bdi>ים</bdi> <span class="hint">50.0&nbsp;%</span>`) {
		t.Error("the majority class is not apart from its share")
	}
}

// TestLabelsBesideFewDots: labels of a few documents are beside their dots, which they would hide.
func TestLabelsBesideFewDots(t *testing.T) {
	p := generated(12, 3)
	for i, c := range p.Documents.Cluster {
		p.Documents.X[i], p.Documents.Y[i] = float64(c), 0
	}
	v := visit(t, browser(t), p, 1400, false)
	labels := `[...document.querySelectorAll("#labels .label:not([hidden])")]`
	v.wait(labels + `.length > 1`)
	v.is(`(() => { const c = document.getElementById("canvas").getBoundingClientRect(), row = c.top + c.height / 2;
		return ` + labels + `.every((e) => { const r = e.getBoundingClientRect(); return r.top > row || r.bottom < row; }); })()`)
	v.quiet()
}

// TestOverTimeOnNarrowScreens: of clusters over time a narrow window and paper have all columns,
// and the period of the peak is not broken into a word a line.
func TestOverTimeOnNarrowScreens(t *testing.T) {
	p := generated(300, 3)
	p.OverTime = &OverTime{Length: "week", Starts: []string{"2026-01-05", "2026-01-12"}, Shares: [][]float64{{.2, .3, .5}, {.4, .3, .3}}}
	for i := range p.Clusters {
		p.Clusters[i].Terms = strings.Fields("delivery tracking courier damaged parcel date week wrong movement")
		p.Clusters[i].Weights = make([]float64, 9)
	}
	b := browser(t)
	for _, c := range []struct {
		width int
		media string
	}{{360, "screen"}, {420, "screen"}, {700, "print"}, {1000, "screen"}} {
		v := visit(t, b, p, c.width, false)
		v.do(v.tab.Call("Emulation.setEmulatedMedia", map[string]string{"media": c.media}, nil))
		v.is(`[...document.querySelectorAll("#over-time td")].every((e) => e.getBoundingClientRect().right <= document.documentElement.clientWidth)`)
		v.is(`[...document.querySelectorAll("#over-time td:nth-child(3)")].every((e) => { const r = document.createRange(); r.selectNodeContents(e); return new Set([...r.getClientRects()].map((b) => b.top)).size <= 3; })`)
	}
}
