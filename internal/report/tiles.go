package report

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// Of more documents than [MaxDocuments] the page has a random sample, [PageSample] of them, and the
// others are in tiles: files beside the page, which its script takes as one zooms in. The tiles are
// the nodes of a quadtree over the map. A node has a random part of the documents of its square
// that no node above it has. A tile packs its documents as the page does.
const (
	// PageSample is the number of documents on the page if there are more than MaxDocuments.
	PageSample = 100_000
	// tileDocuments is the number of documents of a tile whose square has more of them.
	tileDocuments = 20_000
	// tileDepth is the deepest level: its squares have all documents that are left, in several tiles
	// if they are many, as where thousands share a place.
	tileDepth = 10
	// tileText is the most characters of a text in a tile.
	tileText = 80
)

// TilePrefix begins the names of the files of tiles.
const TilePrefix = "report-tile-"

// Tile is a file of documents beside the page.
type Tile struct {
	z, x, y int   // level, and the square's column and row of 2^z, from the lowest corner
	part    int   // among the tiles of one square, from 0
	rows    []int // of the documents
	square  frame // on the map
}

// Name is the name of the file.
func (t *Tile) Name() string { return TilePrefix + t.key() + ".js" }

// key is what the script calls a tile. Only tiles that share their square have a number at the end.
func (t *Tile) key() string {
	if t.part > 0 {
		return fmt.Sprintf("%d-%d-%d-%d", t.z, t.x, t.y, t.part)
	}
	return fmt.Sprintf("%d-%d-%d", t.z, t.x, t.y)
}

var tileName = pattern.Lazy(`^` + TilePrefix + `\d+-\d+-\d+(-\d+)?\.js$`)

// IsTile is whether a file's name is one of a tile.
func IsTile(name string) bool { return tileName().MatchString(name) }

// shown are the numbers of the documents on the page, ascending, and the others in a random order.
// Both depend on n alone.
func shown(n int) (page, others []int) {
	if n <= MaxDocuments {
		page = indices.UpTo(n)
		return page, nil
	}
	all := rand.New(rand.NewPCG(1, 2)).Perm(n)
	page, others = all[:PageSample:PageSample], all[PageSample:]
	slices.Sort(page)
	return page, others
}

// Rows are the numbers of the documents that a page of n documents has itself, ascending: all of
// them or, of more than [MaxDocuments], a sample.
func Rows(n int) []int {
	page, _ := shown(n)
	return page
}

// frame is the square of the map: places between 0 and 1 are those in it.
type frame struct{ x, y, size float64 }

// frame is the square around all documents.
func (d *Documents) frame() frame {
	lowX, highX := bounds(d.X)
	lowY, highY := bounds(d.Y)
	half := max(highX/2-lowX/2, highY/2-lowY/2)
	return frame{lowX/2 + highX/2 - half, lowY/2 + highY/2 - half, 2 * half}
}

// part is the square of a tile.
func (f frame) part(t *Tile) frame {
	size := f.size / float64(int(1)<<t.z)
	return frame{f.x + float64(t.x)*size, f.y + float64(t.y)*size, size}
}

// Tiles are the files beside the page; nil if it has all documents, or no map. O(documents ·
// levels).
func (d *Documents) Tiles() []Tile {
	_, others := shown(d.Len())
	if others == nil || d.X == nil || d.Y == nil {
		return nil
	}
	return d.divide(nil, Tile{}, others, d.frame())
}

// divide adds a tile of the rows in its square, which are in a random order, and the tiles below
// it.
func (d *Documents) divide(list []Tile, t Tile, rows []int, all frame) []Tile {
	at := all.part(&t)
	t.square = at
	if len(rows) <= tileDocuments*5/4 || t.z == tileDepth {
		for ; len(rows) > 0; t.part++ {
			n := len(rows)
			if n > tileDocuments*5/4 {
				n = tileDocuments
			}
			t.rows, rows = rows[:n:n], rows[n:]
			slices.Sort(t.rows)
			list = append(list, t)
		}
		return list
	}
	var below [4][]int
	for _, i := range rows[tileDocuments:] {
		k := 0
		if d.X[i] >= at.x+at.size/2 {
			k = 1
		}
		if d.Y[i] >= at.y+at.size/2 {
			k += 2
		}
		below[k] = append(below[k], i)
	}
	t.rows = rows[:tileDocuments:tileDocuments]
	slices.Sort(t.rows)
	list = append(list, t)
	for k, part := range below {
		if len(part) > 0 {
			list = d.divide(list, Tile{z: t.z + 1, x: 2*t.x + k%2, y: 2*t.y + k/2}, part, all)
		}
	}
	return list
}

// WriteTile writes the file of a tile: a script that hands its documents to the page's.
func (d *Documents) WriteTile(w io.Writer, t *Tile) error {
	own := d.at(t.rows)
	own.Coordinates, own.Typicality = nil, nil
	p, err := own.packed(t.square, tileText)
	if err != nil {
		return err
	}
	texts, err := deflate(own.text(maxID, tileText))
	if err != nil {
		return err
	}
	head, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "eigenmapTile(%q,%s,%q,%q);\n", t.key(), head, p.numbers, base64.StdEncoding.EncodeToString(texts))
	return err
}

// tileList is what the script gets of the tiles: level, column, row, number of documents, and part.
func tileList(tiles []Tile) (list [][5]int) {
	for _, t := range tiles {
		list = append(list, [5]int{t.z, t.x, t.y, len(t.rows), t.part})
	}
	return list
}
