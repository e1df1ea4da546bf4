package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Every document is on the page or in one tile, and in that tile's square, and the file of a tile
// has as many as the page expects.
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
	must.Do(t, d.WriteTile(&b, &tiles[len(tiles)-1]))
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

// Documents that share a place, as those that were not embedded, are in tiles as small as others.
func TestTilesOfOnePlace(t *testing.T) {
	n := MaxDocuments + 1
	d := &Documents{Cluster: make([]int, n), X: make([]float64, n), Y: make([]float64, n)}
	d.X[0], d.Y[1] = 1, 1
	tiles, count, names := d.Tiles(), 0, map[string]bool{}
	for i := range tiles {
		count += len(tiles[i].rows)
		if names[tiles[i].Name()] || !IsTile(tiles[i].Name()) || len(tiles[i].rows) > tileDocuments*5/4 {
			t.Errorf("%s has %d documents, and another its name: %v", tiles[i].Name(), len(tiles[i].rows), names[tiles[i].Name()])
		}
		names[tiles[i].Name()] = true
	}
	parts := 0
	for _, tile := range tileList(tiles) {
		parts = max(parts, tile[4]+1)
	}
	if count != n-PageSample || parts != (count-2-tileDepth*tileDocuments+tileDocuments-1)/tileDocuments {
		t.Errorf("%d documents, at most %d tiles to a square", count, parts)
	}
	if !IsTile("report-tile-10-0-0-3.js") || IsTile("report-tile-10-0-0-3-1.js") {
		t.Error("names of tiles of one square")
	}
}

// Documents without names have their numbers in the run, on the page and in tiles.
func TestNumbersOfSample(t *testing.T) {
	n := MaxDocuments + 1
	d := &Documents{Cluster: make([]int, n)}
	p, err := d.pack(packedBytes)
	if err != nil || !p.HasIDs {
		t.Fatalf("the sample has no numbers: %v", err)
	}
	texts := func(packed string) []string {
		t.Helper()
		bytes := must.Get(base64.StdEncoding.DecodeString(packed))(t)
		text := must.Get(io.ReadAll(flate.NewReader(strings.NewReader(string(bytes)))))(t)
		return strings.Fields(string(text))
	}
	numbers := texts(p.texts)
	for i, row := range Rows(n) {
		if numbers[i] != strconv.Itoa(row+1) {
			t.Fatalf("document %d is called %s", row+1, numbers[i])
		}
	}
	var b strings.Builder
	must.Do(t, d.WriteTile(&b, &Tile{rows: []int{41, 99}}))
	parts := strings.Split(b.String(), `"`)
	if got := texts(parts[len(parts)-2]); !slices.Equal(got, []string{"42", "100"}) {
		t.Errorf("documents of a tile are called %s", got)
	}
}

// tilesOnPage demands that the page list the tiles, and that its policy let its own script take
// them, served too, where there are any.
func tilesOnPage(t *testing.T, p *Page) {
	t.Helper()
	tiles := p.Tiles()
	page := written(t, p)
	if want := fmt.Sprintf(`"tiles":[[0,0,0,%d,0]`, len(tiles[0].rows)); !strings.Contains(page, want) || !strings.Contains(page, "&#39;strict-dynamic&#39;; img-src") {
		t.Errorf("the page has no %s, or its policy does not allow tiles", want)
	}
	served, err := NewServed([]byte(page))
	if err != nil || !strings.Contains(served.Policy, "' 'self'; img-src") || strings.Contains(served.Policy, "strict-dynamic") {
		t.Fatalf("served: %v", err)
	}
	few := written(t, generated(20, 2))
	if served, err = NewServed([]byte(few)); err != nil || strings.Contains(served.Policy, "strict-dynamic") || strings.Contains(served.Policy, "' 'self'; img-src") || strings.Contains(few, "&#39;strict-dynamic&#39;; img-src") {
		t.Errorf("a page of few documents allows other scripts: %v", err)
	}
	if IsTile("report-tile-1-2-3.js.x") || IsTile("../report-tile-1-2-3.js") {
		t.Error("another name is one of a tile")
	}
}
