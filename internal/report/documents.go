package report

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/klauspost/compress/flate"
)

// Documents are the columns of the page's documents, one value each. A column may be nil if it is
// not known; all others have the same length.
type Documents struct {
	IDs []string
	// Snippets are the beginnings of the texts. They are shortened until the page keeps its size.
	Snippets []string
	X, Y     []float64 // places on the map
	Cluster  []int     // number of the cluster, negative for none
	Second   []int     // the next best cluster, negative for none
	Class    []int     // an index of ClassNames, negative for none
	Leaf     []int     // the finest group of Page.Levels, negative for none; nil without levels
	Known    []int     // the label that the method was given, an index of KnownNames; negative for none
	// Isolated is 0 of a document that has nothing in common with any other, and negative of the
	// others; nil if no document is isolated.
	Isolated []int
	// Confidence and Novelty are between 0 and 1, Distance is at least 0; NaN if not known.
	Confidence, Novelty, Distance []float64
	// Typicality orders the documents by how much they are like many others, in any unit. The page
	// keeps it for [Read].
	Typicality []float64
	// Coordinates are columns to colour the documents by, such as eigenvectors.
	Coordinates [][]float64
	// Fields are columns of the corpus beside the texts. A page has as many of them as it has room
	// for ([Documents.LeftOut]).
	Fields []*Field
	chosen []*Field // those on the page, once they are chosen

	ClassNames, KnownNames []string
	// ClassColors are the colour numbers of the classes; nil: their own numbers.
	ClassColors []int
	// ConfidenceIs says how the method defines its confidence; "" if there is none.
	ConfidenceIs string
}

const (
	// MaxDocuments is the largest number of documents of which a page has all. Of more it has a
	// random sample that depends on their number alone, and tiles beside it have the others.
	MaxDocuments = 500000
	// packedBytes is the most that packed columns take, before base64 makes 4 bytes of 3.
	packedBytes = 12 << 20
	// textBytes is the most text that is packed, which bounds the time.
	textBytes = 40 << 20
	// Names and snippets are cut after so many characters.
	maxID, maxSnippet = 200, 240
	// MaxCoordinates is the number of documents beyond which a page has no coordinates to colour by.
	MaxCoordinates = 200000
)

// Len returns the number of documents.
func (d *Documents) Len() int { return len(d.Cluster) }

// LeftOut counts the fields for which the page has no room.
func (d *Documents) LeftOut() int {
	_, left := d.fitting()
	return left
}

// Bytes is about what the page of so many documents with some fields takes while it is made: their
// columns, and texts as they are and packed.
func Bytes(documents, fields int) int64 {
	n := int64(documents)
	return (200+20*int64(fields))*n + 3*min(textBytes, (maxID+maxSnippet)*n)
}

// at are the documents of some rows. Without names they have their numbers among all, from 1.
func (d *Documents) at(rows []int) *Documents {
	s := *d
	s.IDs, s.Snippets = labels.Pick(d.IDs, rows), labels.Pick(d.Snippets, rows)
	if d.IDs == nil {
		s.IDs = make([]string, len(rows))
		for i, row := range rows {
			s.IDs[i] = strconv.Itoa(row + 1)
		}
	}
	for _, column := range []*[]int{&s.Cluster, &s.Second, &s.Class, &s.Leaf, &s.Known, &s.Isolated} {
		*column = labels.Pick(*column, rows)
	}
	for _, column := range []*[]float64{&s.X, &s.Y, &s.Confidence, &s.Novelty, &s.Distance, &s.Typicality} {
		*column = labels.Pick(*column, rows)
	}
	s.Coordinates = make([][]float64, len(d.Coordinates))
	for k, column := range d.Coordinates {
		s.Coordinates[k] = labels.Pick(column, rows)
	}
	fields, _ := d.fitting()
	s.chosen = make([]*Field, len(fields))
	for k, f := range fields {
		s.chosen[k] = f.at(rows)
	}
	s.Fields = s.chosen
	return &s
}

// column describes one column of the packed numbers to the script. A value v of u8 or u16 is low +
// v/(largest−1)·(high−low), and the largest value means that it is not known; of names it is the
// number itself, and the largest means none.
type column struct {
	Name string  `json:"name"`
	Bits int     `json:"bits"`
	At   int     `json:"at"` // first byte
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Words says that a field has numbers of names, and Decimals how many digits its numbers have
	// after the point; negative: as many as there are.
	Words    bool `json:"words,omitempty"`
	Decimals int  `json:"decimals"`
}

// packed are the columns as the page holds them.
type packed struct {
	Count   int      `json:"n"`
	Total   int      `json:"total"` // documents of the run, of which Count are here
	Columns []column `json:"columns"`
	HasIDs  bool     `json:"ids"` // else documents are numbered from 1
	HasText bool     `json:"snippets"`

	numbers, texts string // base64 of raw deflate
}

// pack packs the documents. Texts are shortened, and left out at last, until all fit in limit
// bytes.
func (d *Documents) pack(limit int) (*packed, error) {
	total, square := d.Len(), d.frame()
	if rows := Rows(total); len(rows) < total {
		d = d.at(rows)
		d.Coordinates = nil // more documents than have coordinates
	}
	p, err := d.packed(square, maxSnippet)
	if err != nil {
		return nil, err
	}
	p.Total = total
	left := limit - len(p.numbers)/4*3
	ids, snippets := maxID, min(maxSnippet, textBytes/max(1, p.Count))
	for {
		texts, err := deflate(d.text(ids, snippets))
		if err != nil {
			return nil, err
		}
		if len(texts) <= left || ids < 8 {
			p.HasText = p.HasText && snippets > 0
			p.texts = base64.StdEncoding.EncodeToString(texts)
			return p, nil
		}
		if snippets == 0 {
			ids /= 2
		} else if snippets = snippets * 2 / 3; snippets < 16 {
			snippets = 0
		}
	}
}

// packed packs the numbers of all documents, which lie in a square of the map.
func (d *Documents) packed(square frame, snippets int) (*packed, error) {
	p := &packed{Count: d.Len(), Total: d.Len(), HasIDs: d.IDs != nil, HasText: d.Snippets != nil && snippets > 0}
	var numbers bytes.Buffer
	if d.X != nil && d.Y != nil {
		p.quantized(&numbers, column{Name: "x", Bits: 16, Low: square.x, High: square.x + square.size}, d.X)
		p.quantized(&numbers, column{Name: "y", Bits: 16, Low: square.y, High: square.y + square.size}, d.Y)
	}
	for _, c := range []struct {
		name   string
		values []int
	}{{"cluster", d.Cluster}, {"second", d.Second}, {"class", d.Class}, {"leaf", d.Leaf}, {"known", d.Known}, {"isolated", d.Isolated}} {
		p.names(&numbers, c.name, c.values)
	}
	for _, c := range []struct {
		name   string
		values []float64
	}{{"confidence", d.Confidence}, {"novelty", d.Novelty}, {"distance", d.Distance}, {typicality, d.Typicality}} {
		p.values(&numbers, 16, c.name, c.values)
	}
	fields, _ := d.fitting()
	for k, f := range fields {
		if f.Of != nil {
			p.names(&numbers, fieldKey(k), f.Of)
		} else {
			p.quantized(&numbers, f.column(fieldKey(k)), f.Values)
		}
	}
	for i, values := range d.Coordinates {
		p.values(&numbers, 8, fmt.Sprintf("x%d", i+1), values)
	}
	deflated, err := deflate(numbers.Bytes())
	if err != nil {
		return nil, err
	}
	p.numbers = base64.StdEncoding.EncodeToString(deflated)
	return p, nil
}

// text is the ids and the snippets, a line each: first all ids, then all snippets. They are cut
// after so many characters; 0 leaves the snippets out.
func (d *Documents) text(ids, snippets int) []byte {
	lists := []struct {
		texts []string
		most  int
	}{{d.IDs, ids}, {d.Snippets, snippets}}
	size := 0
	for _, list := range lists {
		for _, text := range list.texts {
			if list.most > 0 {
				size += min(len(text), utf8.UTFMax*list.most) + len("…\n")
			}
		}
	}
	var b bytes.Buffer
	b.Grow(size)
	for _, list := range lists {
		for _, text := range list.texts {
			if list.most > 0 {
				b.WriteString(oneLine(text, list.most))
				b.WriteByte('\n')
			}
		}
	}
	return b.Bytes()
}

// oneLine is the beginning of a text in valid UTF-8: white space and control characters become one
// blank, and marks that change the direction of the text around them are left out.
func oneLine(s string, most int) string {
	var b strings.Builder
	count, blank := 0, false
	for _, r := range s { // bytes that are not UTF-8 give U+FFFD
		if r <= ' ' || r > '~' && (unicode.IsSpace(r) || unicode.IsControl(r)) {
			blank = count > 0
			continue
		}
		if r > '~' && unicode.Is(unicode.Bidi_Control, r) {
			continue
		}
		if blank {
			b.WriteByte(' ')
			count, blank = count+1, false
		}
		if count >= most {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// names adds a column of numbers of names; nil adds none.
func (p *packed) names(b *bytes.Buffer, name string, values []int) {
	if values == nil {
		return
	}
	bits := 8
	largest := 0
	for _, v := range values {
		largest = max(largest, v)
	}
	if largest >= math.MaxUint16 {
		bits = 32
	} else if largest >= math.MaxUint8 {
		bits = 16
	}
	p.begin(b, column{Name: name, Bits: bits, Words: strings.HasPrefix(name, "f")})
	for _, v := range values {
		if v < 0 {
			v = -1 // all bits are set
		}
		write(b, bits, uint32(v))
	}
}

// values adds a column of numbers; nil adds none.
func (p *packed) values(b *bytes.Buffer, bits int, name string, values []float64) {
	if values == nil {
		return
	}
	low, high := bounds(values)
	p.quantized(b, column{Name: name, Bits: bits, Low: low, High: high}, values)
}

// bounds are the smallest and the largest finite value; 0 and 0 if there is none.
func bounds(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}

func (p *packed) quantized(b *bytes.Buffer, c column, values []float64) {
	p.begin(b, c)
	for _, v := range values {
		write(b, c.Bits, c.level(v))
	}
}

// level is the number that stands for a value.
func (c *column) level(v float64) uint32 {
	missing := uint32(1)<<c.Bits - 1
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return missing
	}
	most := float64(missing - 1)
	if size := c.High/2 - c.Low/2; size > 0 {
		return uint32(min(most, max(0, math.Round((v/2-c.Low/2)/size*most))))
	}
	return uint32(most / 2) // of equal values
}

// begin notes where a column begins: at a whole number of its values, as typed arrays need it.
func (p *packed) begin(b *bytes.Buffer, c column) {
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
	c.At = b.Len()
	p.Columns = append(p.Columns, c)
}

func write(b *bytes.Buffer, bits int, v uint32) {
	b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), v)[:bits/8])
}

func deflate(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// mapData is what the script of the page gets.
type mapData struct {
	*packed
	Clusters     []mapCluster `json:"clusters"`
	Colors       []string     `json:"colors"` // by colour number
	ClassNames   []string     `json:"classNames,omitempty"`
	ClassColors  []int        `json:"classColors,omitempty"`
	KnownNames   []string     `json:"knownNames,omitempty"`
	ConfidenceIs string       `json:"confidenceIs,omitempty"`
	Levels       []Level      `json:"levels,omitempty"`
	Fields       []pageField  `json:"fields,omitempty"`
	Tiles        [][5]int     `json:"tiles,omitempty"` // see tileList
}

// mapCluster is a cluster for the script.
type mapCluster struct {
	Size      int        `json:"size"` // in the run, also if fewer documents are on the page
	Name      string     `json:"name,omitempty"`
	Terms     []string   `json:"terms,omitempty"`
	Weights   []float64  `json:"weights,omitempty"`
	Means     []string   `json:"means,omitempty"`
	Coherence *Coherence `json:"coherence,omitempty"`
	Nearest   []int      `json:"nearest,omitempty"`
}

// data returns the data of the page's script: JSON in which no character can end the element, and
// the packed columns.
func (p *Page) data() (*pageData, error) {
	if p.Documents == nil || p.Documents.Len() == 0 {
		return nil, nil
	}
	d := p.Documents
	packed, err := d.pack(packedBytes)
	if err != nil {
		return nil, err
	}
	fields, _ := d.fitting()
	m := mapData{Fields: fieldsOf(fields), packed: packed, ClassNames: d.ClassNames, KnownNames: d.KnownNames, ClassColors: d.ClassColors,
		ConfidenceIs: d.ConfidenceIs, Levels: p.Levels, Tiles: tileList(p.Tiles()), Clusters: make([]mapCluster, len(p.Clusters))}
	for i, c := range p.Clusters {
		k := mapCluster{Size: c.Size, Name: cmp.Or(c.Class, c.Without), Terms: c.Terms, Weights: c.Weights, Means: c.Means, Coherence: c.Coherence, Nearest: c.Nearest}
		if k.Name == "" && len(c.Terms) == 0 && c.Major != "" {
			k.Name = "mostly " + c.Major
			if _, err := strconv.ParseFloat(c.Major, 64); err == nil {
				k.Name = "mostly class " + c.Major
			}
		}
		m.Clusters[i] = k
	}
	colors := max(len(p.Clusters), len(d.ClassNames), len(d.KnownNames))
	for _, f := range fields {
		colors = max(colors, min(len(f.Names), fieldColors))
	}
	for _, c := range d.ClassColors {
		colors = max(colors, c+1)
	}
	for _, l := range p.Levels {
		colors = max(colors, len(l.Clusters))
	}
	for i := range colors {
		m.Colors = append(m.Colors, hex(Color(i)))
	}
	text, err := json.Marshal(m) // with <, > and & escaped
	if err != nil {
		return nil, err
	}
	return &pageData{JSON: template.JS(text), Numbers: template.HTML(packed.numbers), Texts: template.HTML(packed.texts)}, nil
}

// pageData is what the page holds for its script.
type pageData struct {
	JSON           template.JS
	Numbers, Texts template.HTML // base64, which needs no escapes
}
