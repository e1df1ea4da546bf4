package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Report is one run of the program.
type Report struct {
	Machine  Machine    `json:"machine"`
	Seed     uint64     `json:"seed"`
	Quick    bool       `json:"quick,omitempty"`
	Peers    string     `json:"peers"` // versions, or why there are none and how to get them
	Load     [2]float64 `json:"load"`  // of the machine, the smallest and the largest between sections
	Sections []Section  `json:"sections"`
	Seconds  float64    `json:"seconds"`
}

// Section is one subject.
type Section struct {
	Name   string  `json:"name"`
	Groups []Group `json:"groups"`
}

// Group is one task on one input with all its contestants.
type Group struct {
	Title string   `json:"title"`
	Rows  []Row    `json:"rows"`
	Notes []string `json:"notes,omitempty"`
}

// Row is one contestant of a group. Times are in seconds.
type Row struct {
	Name    string          `json:"name"`
	Side    Side            `json:"side"`
	Runs    int             `json:"runs"`
	Median  float64         `json:"median_s"`
	Min     float64         `json:"min_s"`
	Max     float64         `json:"max_s"`
	CPU     float64         `json:"cpu_s,omitempty"`    // median of the processor time over all threads; 0: not measured
	PeakMB  float64         `json:"peak_mb,omitempty"`  // of a whole process, the largest; 0: not measured
	Against map[Side]*Ratio `json:"against,omitempty"`  // by the side compared with, never its own
	LessCPU map[Side]*Ratio `json:"less_cpu,omitempty"` // the same of processor time
	Note    string          `json:"note,omitempty"`
	Failed  string          `json:"failed,omitempty"`
}

// Ratio is how many times faster a row is than Base: the ratio of medians, and the smallest and
// largest ratio within a round.
type Ratio struct {
	Base  string  `json:"base"`
	Value float64 `json:"value"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

func (r *Ratio) String() string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%.3g× (%.3g-%.3g)", r.Value, r.Min, r.Max)
}

func seconds(s float64) string {
	switch {
	case s >= 100:
		return fmt.Sprintf("%.0f s", s)
	case s >= 1:
		return fmt.Sprintf("%.2f s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.3g ms", s*1e3)
	default:
		return fmt.Sprintf("%.3g µs", s*1e6)
	}
}

var header = []string{"", "median", "min - max", "runs", "faster than Go", "faster than gonum", "faster than peer", "CPU", "CPU of peer / ours", "memory", ""}

func (r Row) cells() []string {
	if r.Runs == 0 {
		return []string{r.Name, "failed", "", "", "", "", "", "", "", "", r.Failed}
	}
	note := r.Note
	if r.Failed != "" {
		note = strings.TrimSpace(note + " later failed: " + r.Failed)
	}
	cpu, memory := "", ""
	if r.CPU > 0 {
		cpu = seconds(r.CPU)
	}
	if r.PeakMB > 0 {
		memory = fmt.Sprintf("%.0f MB", r.PeakMB)
	}
	return []string{r.Name, seconds(r.Median), seconds(r.Min) + " - " + seconds(r.Max), fmt.Sprint(r.Runs),
		r.Against[Go].String(), r.Against[Gonum].String(), r.Against[Peer].String(), cpu, r.LessCPU[Peer].String(), memory, note}
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteText writes the report as aligned tables for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, line := range r.head() {
		fmt.Fprintln(&b, line)
	}
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			fmt.Fprintf(&b, "\n%s: %s\n", s.Name, g.Title)
			g.writeAligned(&b)
			for _, n := range g.Notes {
				fmt.Fprintf(&b, "  %s\n", n)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (g Group) writeAligned(b *strings.Builder) {
	if len(g.Rows) == 0 {
		return
	}
	lines := [][]string{header}
	for _, r := range g.Rows {
		lines = append(lines, r.cells())
	}
	width := make([]int, len(header))
	for _, line := range lines {
		for i, cell := range line {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	// A column without an entry in this group is left out.
	for i := 1; i < len(header); i++ {
		empty := true
		for _, line := range lines[1:] {
			empty = empty && line[i] == ""
		}
		if empty {
			width[i] = 0
		}
	}
	for _, line := range lines {
		var text strings.Builder
		text.WriteString(" ")
		for i, cell := range line {
			if width[i] > 0 || i == 0 {
				fmt.Fprintf(&text, " %s%s ", cell, strings.Repeat(" ", width[i]-len([]rune(cell))))
			}
		}
		fmt.Fprintln(b, strings.TrimRight(text.String(), " "))
	}
}

// WriteMarkdown writes the report as Markdown tables, for the documentation.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	for _, line := range r.head() {
		fmt.Fprintf(&b, "%s  \n", line)
	}
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "\n### %s\n", s.Name)
		for _, g := range s.Groups {
			fmt.Fprintf(&b, "\n**%s**\n\n", g.Title)
			if len(g.Rows) > 0 {
				fmt.Fprintf(&b, "|%s|\n|%s\n", strings.Join(header, "|"), strings.Repeat("---|", len(header)))
			}
			for _, row := range g.Rows {
				fmt.Fprintf(&b, "|%s|\n", strings.ReplaceAll(strings.Join(row.cells(), "|"), "\n", " "))
			}
			if len(g.Notes) > 0 {
				fmt.Fprintln(&b)
			}
			for _, n := range g.Notes {
				fmt.Fprintf(&b, "%s  \n", n)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) head() []string {
	lines := append(r.Machine.Lines(), fmt.Sprintf("seed %d; peers: %s; load %.1f to %.1f; %.0f s altogether", r.Seed, r.Peers, r.Load[0], r.Load[1], r.Seconds))
	if r.Quick {
		lines = append(lines, "quick: smaller inputs than the ones that the documentation quotes")
	}
	return lines
}
