package report

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// maxColors is the most colours of a picture, which then has a byte for each dot.
const maxColors = 256

// shade is the pixels whose colours agree in the five highest bits of red, green and blue.
type shade struct {
	bin   uint16
	count int
	sum   [3]int // of the colours
}

// palette is the colours by which pictures are packed: white, and the means of groups of alike
// colours, found by median cut.
type palette struct {
	colors color.Palette
	index  [1 << 15]uint8 // of each bin
}

func binOf(p []uint8) uint16 { return uint16(p[0]>>3)<<10 | uint16(p[1]>>3)<<5 | uint16(p[2]>>3) }

// isWhite reports whether a pixel is white, as most are.
func isWhite(p []uint8) bool { return p[0]&p[1]&p[2] == 0xff }

// paletteOf is the palette of a picture without transparency. Cost: O(pixels), one pass.
func paletteOf(img *image.RGBA) *palette {
	all := make([]shade, 1<<15)
	for pix := img.Pix; len(pix) >= 4; pix = pix[4:] {
		if isWhite(pix) {
			continue
		}
		s := &all[binOf(pix)]
		s.count++
		for k := range s.sum {
			s.sum[k] += int(pix[k])
		}
	}
	for k := range all {
		all[k].bin = uint16(k)
	}
	p := &palette{colors: color.Palette{color.RGBA{255, 255, 255, 255}}}
	for _, group := range cut(slices.DeleteFunc(all, func(s shade) bool { return s.count == 0 }), maxColors-1) {
		n, sum := 0, [3]int{}
		for _, s := range group {
			p.index[s.bin] = uint8(len(p.colors))
			n += s.count
			for k, v := range s.sum {
				sum[k] += v
			}
		}
		mean := func(k int) uint8 { return uint8((sum[k] + n/2) / n) }
		p.colors = append(p.colors, color.RGBA{mean(0), mean(1), mean(2), 255})
	}
	return p
}

// cut divides shades into at most that many groups: again and again the group of the largest square
// error, across the channel in which that is largest, at the mean.
func cut(shades []shade, most int) [][]shade {
	if len(shades) == 0 {
		return nil
	}
	groups := [][]shade{shades}
	spread := []spreadOf{measure(shades)}
	for len(groups) < most {
		at := 0
		for g, s := range spread {
			if s.error > spread[at].error {
				at = g
			}
		}
		if spread[at].error == 0 {
			break
		}
		group, channel, middle := groups[at], spread[at].channel, spread[at].mean
		slices.SortFunc(group, func(a, b shade) int {
			return cmp.Or(cmp.Compare(a.level(channel), b.level(channel)), cmp.Compare(a.bin, b.bin))
		})
		split := 1
		for split < len(group)-1 && group[split].level(channel) <= middle {
			split++
		}
		groups[at] = group[:split]
		groups = append(groups, group[split:])
		spread[at] = measure(groups[at])
		spread = append(spread, measure(group[split:]))
	}
	return groups
}

// level is the mean of a shade in a channel.
func (s *shade) level(channel int) float64 { return float64(s.sum[channel]) / float64(s.count) }

// spreadOf is the channel of the largest square error of a group, that error, and the mean in it.
type spreadOf struct {
	channel     int
	error, mean float64
}

func measure(group []shade) (most spreadOf) {
	if len(group) < 2 {
		return spreadOf{}
	}
	for channel := range 3 {
		n, sum, squares := 0.0, 0.0, 0.0
		for _, s := range group {
			level := s.level(channel)
			n += float64(s.count)
			sum += float64(s.sum[channel])
			squares += float64(s.count) * level * level
		}
		if e := squares - sum*sum/n; e > most.error {
			most = spreadOf{channel, e, sum / n}
		}
	}
	return most
}

// paint is a picture in the colours of the palette. A shade that is not in it becomes white.
func (p *palette) paint(img *image.RGBA) *image.Paletted {
	out := image.NewPaletted(img.Rect, p.colors)
	for i := range out.Pix {
		if pixel := img.Pix[4*i : 4*i+3 : 4*i+3]; !isWhite(pixel) {
			out.Pix[i] = p.index[binOf(pixel)]
		}
	}
	return out
}
