package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Every document is on the page or in one tile, and in that tile's square, and the file of a tile
// has as many as the page is told.
func TestTilesHaveAllDocuments(t *testing.T) {
	n := MaxDocuments + 200_000
	rng := rand.New(rand.NewPCG(3, 4))
	d := &Documents{Cluster: make([]int, n), X: make([]float64, n), Y: make([]float64, n)}
	for i := range n {
		d.Cluster[i], d.X[i], d.Y[i] = i%7, 5+math.Exp(rng.NormFloat64()), rng.NormFloat64()
	}
	p := &Page{Documents: d}
	seen := make([]int, n)
	for _, i := range Rows(n) {
		seen[i]++
	}
	tiles := p.Tiles()
	for at := range tiles {
		tile := &tiles[at]
		for _, i := range tile.rows {
			seen[i]++
			if s := tile.square; d.X[i] < s.x-1e-9 || d.X[i] > s.x+s.size+1e-9 || d.Y[i] < s.y-1e-9 || d.Y[i] > s.y+s.size+1e-9 {
				t.Fatalf("document %d is not in the square of %s", i, tile.Name())
			}
		}
		if !IsTile(tile.Name()) || len(tile.rows) > tileDocuments*5/4 {
			t.Errorf("%s has %d documents", tile.Name(), len(tile.rows))
		}
	}
	for i, times := range seen {
		if times != 1 {
			t.Fatalf("document %d is there %d times", i, times)
		}
	}
	var b bytes.Buffer
	if err := d.WriteTile(&b, &tiles[len(tiles)-1]); err != nil {
		t.Fatal(err)
	}
	text, found := strings.CutPrefix(b.String(), "eigenmapTile(")
	var args []json.RawMessage
	if err := json.Unmarshal([]byte("["+strings.TrimSuffix(text, ");\n")+"]"), &args); !found || err != nil || len(args) != 4 {
		t.Fatalf("%v, %d parts", err, len(args))
	}
	var head scriptData
	if err := json.Unmarshal(args[1], &head); err != nil || head.Count != len(tiles[len(tiles)-1].rows) {
		t.Errorf("%d documents in the file, %v", head.Count, err)
	}
	tilesOnPage(t, p)
}

// tilesOnPage demands that the page list the tiles, and that its policy let its own script take
// them, served too, where there are any.
func tilesOnPage(t *testing.T, p *Page) {
	t.Helper()
	tiles := p.Tiles()
	page := written(t, p)
	if want := fmt.Sprintf(`"tiles":[[0,0,0,%d]`, len(tiles[0].rows)); !strings.Contains(page, want) || !strings.Contains(page, "&#39;strict-dynamic&#39;; img-src") {
		t.Errorf("the page has no %s, or its policy does not allow tiles", want)
	}
	served, err := NewServed([]byte(page))
	if err != nil || !strings.Contains(served.Policy, "'strict-dynamic'") {
		t.Errorf("served: %v", err)
	}
	few := written(t, generated(20, 2))
	if served, err = NewServed([]byte(few)); err != nil || strings.Contains(served.Policy, "strict-dynamic") || strings.Contains(few, "&#39;strict-dynamic&#39;; img-src") {
		t.Errorf("a page of few documents allows other scripts: %v", err)
	}
	if IsTile("report-tile-1-2-3.js.x") || IsTile("../report-tile-1-2-3.js") {
		t.Error("another name is one of a tile")
	}
}
