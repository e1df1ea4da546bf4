package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Render writes a page of that size as "png", with dpi dots to the inch, or "svg".
func Render(w io.Writer, format string, width, height vg.Length, dpi int, page func(draw.Canvas)) error {
	var b bytes.Buffer
	switch format {
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
		page(draw.New(c))
		if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&b); err != nil {
			return err
		}
	case "svg":
		c := vgsvg.New(width, height)
		canvas := draw.New(c)
		canvas.SetColor(color.White)
		canvas.Fill(canvas.Rectangle.Path())
		page(canvas)
		if _, err := c.WriteTo(&b); err != nil {
			return err
		}
	default:
		return fmt.Errorf("no picture can be written as %q", format)
	}
	_, err := w.Write(b.Bytes())
	return err
}
