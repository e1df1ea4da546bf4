package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// OverTime are the shares of the clusters in the documents of each period.
type OverTime struct {
	Length string      // of a period: "month"
	Starts []string    // first day of each period
	Shares [][]float64 // periods × clusters, 0 to 1
	Note   string      // how many documents have no time; a sentence, or ""
}

// Last is the first day of the last period.
func (o *OverTime) Last() string { return o.Starts[len(o.Starts)-1] }

// timeRow is a cluster over time.
type timeRow struct {
	Cluster
	Plot template.HTML
	Most string // its largest share, and when
}

// timeRows draws each cluster's shares on one scale; nil if there are no times.
func (p *Page) timeRows() []timeRow {
	if p.OverTime == nil || len(p.OverTime.Starts) == 0 {
		return nil
	}
	top := 0.0
	for _, shares := range p.OverTime.Shares {
		top = max(top, slices.Max(shares))
	}
	rows := make([]timeRow, len(p.Clusters))
	for k, c := range p.Clusters {
		own := make([]float64, len(p.OverTime.Shares))
		most := 0
		for t, shares := range p.OverTime.Shares {
			if own[t] = shares[k]; own[t] > own[most] {
				most = t
			}
		}
		says := fmt.Sprintf("%.0f %% in the %s of %s", 100*own[most], p.OverTime.Length, p.OverTime.Starts[most])
		rows[k] = timeRow{c, steps(own, top, k, says), says}
	}
	return rows
}

// steps draws values from 0 to top as a step for each, filled in the colour of group n.
func steps(values []float64, top float64, n int, label string) template.HTML {
	const width, height = 300., 36.
	var path strings.Builder
	fmt.Fprintf(&path, "M0 %g", height)
	for i, v := range values {
		y := height
		if top > 0 {
			y -= (height - 1) * v / top
		}
		fmt.Fprintf(&path, "V%.4gH%.5g", y, width*float64(i+1)/float64(len(values)))
	}
	return template.HTML(fmt.Sprintf(`<svg class="overtime" viewBox="0 0 %g %g" preserveAspectRatio="none" role="img" aria-label="largest share %s"><path d="%sV%gZ" fill="%s"/></svg>`,
		width, height, template.HTMLEscapeString(label), path.String(), height, hex(Color(n))))
}
