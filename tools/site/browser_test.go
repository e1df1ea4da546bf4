package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/chromium"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The site in Debian's Chromium, from the disk: no error, no page wider than a phone, a search that
// finds, a button that copies. EIGENMAP_SITE=all opens every page, EIGENMAP_PICTURES=FOLDER saves
// pictures.
func TestSiteInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	path := chromium.Find()
	if path == "" {
		t.Skip("there is no Chromium: apt-get install chromium")
	}
	s := must.Get(read("../..", navigation))(t)
	out := filepath.Join(t.TempDir(), "site")
	must.Do(t, s.write(out))
	b := must.Get(chromium.Start(context.Background(), path))(t)
	defer b.Close()
	t.Run("search", func(t *testing.T) { testSearch(t, b, out) })
	paths := []string{"README.md", "docs/architecture.md", "docs/methods/diffusion.md"}
	if list := os.Getenv("EIGENMAP_PAGES"); list != "" {
		paths = strings.Fields(list)
	}
	if os.Getenv("EIGENMAP_SITE") == "all" {
		paths = nil
		for _, p := range s.sorted() {
			paths = append(paths, p.path)
		}
	}
	for _, name := range paths {
		testPage(t, b, out, s.pages[name])
	}
}

// testPage opens a page at the widths of a phone and a desk, light and dark.
func testPage(t *testing.T, b *chromium.Browser, out string, p *page) {
	pictures := os.Getenv("EIGENMAP_PICTURES")
	for _, width := range []int{420, 1280} {
		for _, dark := range []bool{false, true} {
			if dark && pictures == "" {
				continue
			}
			tab, err := b.Open("file://"+filepath.Join(out, p.url()), width, 900, 1, dark)
			if err != nil {
				t.Fatal(err)
			}
			var over int
			err = cmp.Or(tab.Wait(`document.readyState === "complete"`), tab.Eval(`document.documentElement.scrollWidth - innerWidth`, &over))
			if err != nil {
				t.Error(err)
			}
			if over > 0 {
				t.Errorf("%s is %d pixels wider than a window of %d", p.path, over, width)
			}
			for _, e := range tab.Errors() {
				t.Errorf("%s: %s", p.path, e)
			}
			if pictures != "" {
				name := filepath.Base(p.url()) + map[int]string{420: "-phone", 1280: "-desk"}[width] + map[bool]string{true: "-dark", false: ""}[dark] + ".png"
				if err := tab.Screenshot(filepath.Join(pictures, name)); err != nil {
					t.Error(err)
				}
			}
			tab.Close()
		}
	}
}

func testSearch(t *testing.T, b *chromium.Browser, out string) {
	tab, err := b.Open("file://"+filepath.Join(out, "docs", "faq.html"), 1280, 900, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	var first, buttons string
	err = cmp.Or(tab.Wait(`document.readyState === "complete" && !document.getElementById("search").disabled`),
		tab.Key("/"), tab.Wait(`document.activeElement.id === "search"`), tab.Type("stop words"),
		tab.Wait(`document.querySelectorAll("#found a").length > 3`),
		tab.Eval(`document.querySelector("#found a").textContent`, &first))
	if err != nil {
		t.Fatal(err, tab.Errors())
	}
	if folder := os.Getenv("EIGENMAP_PICTURES"); folder != "" {
		_ = tab.Screenshot(filepath.Join(folder, "search.png"))
	}
	if !strings.Contains(strings.ToLower(first), "stop words") {
		t.Errorf("the first hit is %q", first)
	}
	if err := tab.Eval(`document.querySelectorAll(".copy").length === document.querySelectorAll(".code").length ? "all" : "some"`, &buttons); err != nil || buttons != "all" {
		t.Errorf("%v: %s blocks of code have a button", err, buttons)
	}
	for _, e := range tab.Errors() {
		t.Error(e)
	}
}
