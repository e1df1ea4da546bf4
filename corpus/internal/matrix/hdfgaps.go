package matrix

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// mostGaps is the most numbers that mean missing ones of an array.
const mostGaps = 100

// gaps returns the numbers that netCDF's attributes say mean missing ones, as bytes of the array.
func (h *hdfFile) gaps(name string, number *hdf.Type) (list [][]byte, err error) {
	filled := false
	for _, attribute := range []string{"_FillValue", "missing_value"} {
		a, err := h.heads[name].Attr(attribute)
		if err != nil {
			return nil, err
		}
		if a == nil {
			continue
		}
		filled = filled || attribute == "_FillValue"
		from, why := a.Type.Number()
		if why != "" || a.Count > mostGaps {
			continue
		}
		r, _, err := a.Open()
		if err != nil {
			return nil, err
		}
		raw := make([]byte, from.Size)
		for range a.Count {
			if _, err := io.ReadFull(r, raw); err != nil {
				return nil, input.Early(err)
			}
			if gap := asType(number, from, raw); gap != nil {
				list = append(list, gap)
			}
		}
	}
	if !filled && h.netCDF {
		if gap := unwritten(number); gap != nil {
			list = append(list, gap)
		}
	}
	return list, nil
}

// unwritten returns the bytes of the number that netCDF has where none was written and no attribute
// names another (NC_FILL_FLOAT and its like); nil for bytes, all of whose values may be meant.
func unwritten(number *hdf.Type) []byte {
	const fill = 0x1.ep+122
	out := make([]byte, number.Size)
	switch {
	case number.Class == hdf.Float && number.Size == 8:
		number.Order.PutUint64(out, math.Float64bits(fill))
	case number.Class == hdf.Float && number.Size == 4:
		number.Order.PutUint32(out, math.Float32bits(fill))
	case number.Class == hdf.Float || number.Size == 1:
		return nil
	case number.Signed:
		most := int64(1)<<(8*number.Size-1) - 1
		if number.Size == 8 {
			most--
		}
		return asInteger(number, -most, true)
	case number.Size == 8:
		return asInteger(number, -2, true)
	default:
		return asInteger(number, -1, true)
	}
	return out
}

// scaling is what the numbers of an array are multiplied by, and what is added then.
type scaling struct{ factor, offset float64 }

// scaling returns how the attributes of netCDF's conventions say that the numbers of an array are
// packed, or why they are not unpacked here.
func (h *hdfFile) scaling(name string) (s scaling, packed bool, why string, err error) {
	s.factor = 1
	for _, of := range []struct {
		name string
		to   *float64
	}{{"scale_factor", &s.factor}, {"add_offset", &s.offset}} {
		a, err := h.heads[name].Attr(of.name)
		if err != nil {
			return s, false, "", err
		}
		if a == nil {
			continue
		}
		number, problem := a.Type.Number()
		if problem != "" || a.Count != 1 {
			return s, false, "packed by " + of.name + ", which is no number", nil
		}
		r, _, err := a.Open()
		if err != nil {
			return s, false, "", err
		}
		raw := make([]byte, number.Size)
		if err := input.ReadFull(r, raw); err != nil {
			return s, false, "", err
		}
		var v [1]float64
		kindOf(number).floats(v[:], raw, number.Order)
		*of.to, packed = v[0], true
	}
	return s, packed, "", nil
}

// asType returns the bytes of a number in another type; nil if that has no such number.
func asType(to, from *hdf.Type, raw []byte) []byte {
	out := make([]byte, to.Size)
	switch toFloat, fromFloat := to.Class == hdf.Float, from.Class == hdf.Float; {
	case toFloat && fromFloat && to.Size == from.Size:
		copy(out, raw)
		if to.Order != from.Order {
			slices.Reverse(out)
		}
		return out
	case toFloat || fromFloat:
		var v [1]float64
		kindOf(from).floats(v[:], raw, from.Order)
		if !toFloat {
			return asInteger(to, int64(v[0]), v[0] == math.Trunc(v[0]) && math.Abs(v[0]) < 1<<53)
		}
		switch to.Size {
		case 8:
			to.Order.PutUint64(out, math.Float64bits(v[0]))
		case 4:
			to.Order.PutUint32(out, math.Float32bits(float32(v[0])))
		default:
			return nil
		}
		return out
	}
	v := from.Int(raw)
	return asInteger(to, v, true)
}

// asInteger returns the bytes of an integer of a type; nil if it does not fit or is none.
func asInteger(to *hdf.Type, v int64, is bool) []byte {
	var wide [8]byte
	binary.LittleEndian.PutUint64(wide[:], uint64(v))
	out := wide[:to.Size]
	if rest := v >> (8*to.Size - 1); !is || to.Size < 8 && rest != 0 && rest != -1 && rest != 1 {
		return nil
	}
	if to.Order == binary.BigEndian {
		slices.Reverse(out)
	}
	return out
}

// mark makes the array one of floats that are unpacked, in which NaN stands for some numbers.
func (m *arrayMember) mark(gaps [][]byte, s scaling, open func() (io.Reader, int64, error)) {
	g := gapReader{gaps: gaps, kind: m.kind, order: m.order, scaling: s}
	if scaled := s != (scaling{factor: 1}); scaled || m.kind.isInteger() {
		g.wide = 8
		if !scaled && m.kind.size() <= 2 {
			g.wide = 4
		}
		m.kind, m.order, m.width = map[int]numKind{4: kindFloat32, 8: kindFloat64}[g.wide], binary.LittleEndian, int64(g.wide)
	}
	g.nan = nanOf(m.kind, m.order)
	m.start = func() (io.Reader, int64, error) {
		again := g
		r, backed, err := open()
		if again.r = r; g.wide > 0 {
			backed = backed / int64(g.kind.size()) * int64(g.wide)
		}
		return &again, backed, err
	}
}

// nanOf returns the bytes of NaN in a kind of floats.
func nanOf(k numKind, o binary.ByteOrder) []byte {
	b := make([]byte, k.size())
	switch k {
	case kindFloat32:
		o.PutUint32(b, math.Float32bits(float32(math.NaN())))
	case kindFloat64:
		o.PutUint64(b, math.Float64bits(math.NaN()))
	default:
		o.PutUint16(b, 0x7fff)
	}
	return b
}

// gapReader unpacks numbers, and puts NaN in place of those that mark missing ones.
type gapReader struct {
	scaling
	r     io.Reader
	gaps  [][]byte
	kind  numKind
	order binary.ByteOrder
	nan   []byte
	wide  int // bytes of the floats that integers and packed numbers become; 0: the numbers are floats

	left, buf, out []byte
	values         []float64
}

// Read implements [io.Reader].
func (g *gapReader) Read(p []byte) (int, error) {
	if len(g.left) == 0 {
		if g.buf == nil {
			g.buf = make([]byte, 1<<16)
		}
		size := g.kind.size()
		n, err := io.ReadAtLeast(g.r, g.buf, size)
		if err != nil {
			return 0, err
		}
		if rest := n % size; rest > 0 {
			if _, err := io.ReadFull(g.r, g.buf[n:n+size-rest]); err != nil {
				return 0, err
			}
			n += size - rest
		}
		g.left = g.marked(g.buf[:n])
	}
	n := copy(p, g.left)
	g.left = g.left[n:]
	return n, nil
}

// marked returns numbers as floats, with NaN for the missing ones.
func (g *gapReader) marked(part []byte) []byte {
	size := g.kind.size()
	out, width := part, size
	if g.wide > 0 {
		n := len(part) / size
		width = g.wide
		g.values = slices.Grow(g.values[:0], n)[:n]
		g.kind.floats(g.values, part, g.order)
		out = g.out[:0]
		for _, v := range g.values {
			v = v*g.factor + g.offset
			if width == 4 {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
			} else {
				out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
			}
		}
		g.out = out
	}
	for k := 0; k*size < len(part); k++ {
		for _, gap := range g.gaps {
			if string(part[k*size:(k+1)*size]) == string(gap) {
				copy(out[k*width:], g.nan)
				break
			}
		}
	}
	return out
}
