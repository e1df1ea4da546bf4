package job

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Timings are seconds by stage, in the order of the stages.
type Timings struct {
	Names   []string
	Seconds map[string]float64
}

// Add adds to the time of a stage.
func (t *Timings) Add(name string, d time.Duration) {
	if t.Seconds == nil {
		t.Seconds = make(map[string]float64)
	}
	if _, ok := t.Seconds[name]; !ok {
		t.Names = append(t.Names, name)
	}
	t.Seconds[name] += d.Seconds()
}

// AddAll adds the stages of another job.
func (t *Timings) AddAll(of Timings) {
	for _, name := range of.Names {
		t.Add(name, time.Duration(of.Seconds[name]*float64(time.Second)))
	}
}

// AddBeforeTotal adds a stage that came after the rest was timed, to the total too.
func (t *Timings) AddBeforeTotal(name string, d time.Duration) {
	t.Add("total", d)
	t.Add(name, d)
	last := len(t.Names) - 1
	for i, n := range t.Names[:last] {
		if n == "total" {
			copy(t.Names[i:], t.Names[i+1:])
			t.Names[last] = n
		}
	}
}

// MarshalJSON keeps milliseconds: more digits would be noise.
func (t Timings) MarshalJSON() ([]byte, error) {
	m := make(map[string]json.Number, len(t.Seconds))
	for k, v := range t.Seconds {
		m[k] = json.Number(strconv.FormatFloat(v, 'f', 3, 64))
	}
	return json.Marshal(m)
}

// String lists the stages with their times.
func (t Timings) String() string {
	parts := make([]string, len(t.Names))
	for i, name := range t.Names {
		parts[i] = fmt.Sprintf("%s %s", name, Seconds(t.Seconds[name]))
	}
	return strings.Join(parts, ", ")
}

// Seconds is a time for a person: "31 ms", "1.2 s", "45 s".
func Seconds(s float64) string {
	switch {
	case s < 0.0995:
		return fmt.Sprintf("%.0f ms", 1000*s)
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}
