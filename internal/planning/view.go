package planning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Rows are the lines about the file and the sums, with the names of options as the function writes
// them.
func (v *Plan) Rows(name func(string) string) [][]string {
	read := "all of it was read"
	switch {
	case v.Share == 0:
		read = "by its header"
	case v.Share < 1:
		read = fmt.Sprintf("estimated from %.2g %% of it", 100*v.Share)
	}
	of, each := "", ""
	if v.Ranks > 1 {
		of = fmt.Sprintf(" of the largest rank, at most %s of all %d", words.Bytes(memory.Bytes(v.Peak, v.Ranks)), v.Ranks)
		each = " to each rank"
	}
	verdict := "it fits: " + words.Bytes(v.Allowed) + " are allowed" + each
	if !v.Fits {
		verdict = "it does not fit: " + words.Bytes(v.Allowed) + " are allowed" + each + " by the machine or " + name(memory.OptionName)
	} else if v.Allowed == memory.Unknown {
		verdict = "no limit is known"
	}
	least := ""
	if !v.Complete {
		least = "at least "
	}
	time := roughly(v.Seconds)
	if v.Seconds >= 1 {
		time = least + "about " + time
	}
	method := v.Method
	if v.Clusters > 0 {
		method = fmt.Sprintf("%s, %s", v.Method, words.Counted(v.Clusters, "cluster"))
	}
	rows := [][]string{
		{"file", fmt.Sprintf("%s: %s, %s, %s entries (%s)", v.File, words.Counted(v.Documents, "document"), words.Counted(v.Terms, "term"), words.Thousands(v.Entries), read)},
		{"method", method},
		{"memory", least + words.Bytes(v.Peak) + " at the peak" + of + "; " + verdict},
		{"time", time + " (rough)"},
	}
	if helps := v.Helps(); len(helps) > 0 {
		rows = append(rows, []string{"smaller by", strings.Join(helps, ", ")})
	}
	return rows
}

// As is the plan with the names of options as the function writes them.
func (v *Plan) As(name func(string) string) *Plan {
	out := *v
	out.Notes = make([]string, len(v.Notes))
	for i, n := range v.Notes {
		out.Notes[i] = words.Rename(n, name)
	}
	out.Stages = slices.Clone(v.Stages)
	for i, s := range v.Stages {
		out.Stages[i].Helps = make([]string, len(s.Helps))
		for k, h := range s.Helps {
			out.Stages[i].Helps[k] = words.Rename(h, name)
		}
	}
	return &out
}

// StageRows are a table of the stages: of one rank, where ranks divide the documents.
func (v *Plan) StageRows() [][]string {
	rows := [][]string{{"stage", "its arrays", "process", "time"}}
	if v.Divided {
		rows[0] = append(rows[0], "received")
	}
	for _, s := range v.Stages {
		row := []string{s.Name, words.Bytes(s.Bytes), words.Bytes(s.Peak), roughly(s.Seconds)}
		if v.Divided {
			row = append(row, words.Bytes(s.Received))
		}
		rows = append(rows, row)
	}
	return rows
}

// roughly writes a rough time with one or two digits.
func roughly(seconds float64) string {
	switch {
	case seconds < 1:
		return "below 1 s"
	case seconds < 100:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 6000:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}
