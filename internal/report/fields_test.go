package report

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestNewField: numbers are numbers, dates times, and words groups with the commonest first; what
// tells no documents apart is no field.
func TestNewField(t *testing.T) {
	many := func(n int, word func(i int) string) (list []string) {
		for i := range n {
			list = append(list, word(i))
		}
		return list
	}
	for name, c := range map[string]struct {
		list []string
		kind string
	}{
		"numbers":      {[]string{"1", "2.5", "-3e2", ""}, NumberField},
		"a few words":  {many(100, func(i int) string { return map[bool]string{true: "none yet", false: fmt.Sprint(i)}[i%20 == 0] }), NumberField},
		"years":        {[]string{"1999", "2003", "2001"}, NumberField},
		"days":         {[]string{"2020-01-02", "2020-01-03", ""}, TimeField},
		"mail":         {[]string{"Fri, 3 Apr 2020 10:11:12 +0200", "Sat, 4 Apr 2020 10:11:12 +0200"}, TimeField},
		"either way":   {[]string{"3/4/2020", "5/6/2020"}, WordField}, // day or month first
		"words":        {[]string{"a", "b", "a", ""}, WordField},
		"truth":        {[]string{"true", "false", "true"}, WordField},
		"names":        {many(100, func(i int) string { return fmt.Sprint("name ", i) }), ""},
		"one":          {[]string{"a", "a", "a"}, ""},
		"one or none":  {[]string{"a", "", "a"}, WordField},
		"nothing":      {[]string{"", ""}, ""},
		"hexadecimal":  {[]string{"0x1p4", "0x2", "0x2", "0x1p4"}, WordField},
		"postal codes": {[]string{"10115", "01067", "10115", "01067"}, WordField},
		"long codes":   {[]string{"12345678901234567890", "12345678901234567891", "12345678901234567890", "12345678901234567891"}, WordField},
		"fractions":    {[]string{"0.5", "0", "0.12345678901234567"}, NumberField},
		"not a number": {[]string{"NaN", "Inf", "NaN", "Inf"}, WordField},
	} {
		f := fieldFrom(name, c.list)
		kind := ""
		if f != nil {
			kind = f.Kind
		}
		if kind != c.kind {
			t.Errorf("%s: %q, not %q", name, kind, c.kind)
		}
	}
	f := fieldFrom("many", slices.Concat(many(600, func(i int) string { return fmt.Sprint(i%250, "x") }), slices.Repeat([]string{"common"}, 300), []string{"", "other"}))
	if len(f.Names) != maxNames+1 || f.Names[0] != "common" || !f.Other || f.Names[maxNames] != "other" || f.Of[700] != 0 || f.Of[900] != -1 || f.Of[901] != maxNames {
		t.Errorf("%d names, %q: %v", len(f.Names), f.Names[:3], f.Of[890:])
	}
	// Words that are one on a short line count together.
	long := string(make([]rune, 0)) + fmt.Sprintf("%080d", 1)
	f = fieldFrom("cut", append(slices.Repeat([]string{"b"}, 3), "q"+long+"1", "q"+long+"2", "q"+long+"3", "q"+long+"4"))
	if len(f.Names) != 2 || f.Names[1] != "b" || f.Of[3] != 0 || f.Of[6] != 0 {
		t.Errorf("%q, %v", f.Names, f.Of)
	}
}

// TestTimesField: the page shows the day on which a document was written, where it was written.
func TestTimesField(t *testing.T) {
	east := time.FixedZone("", 10*3600)
	f := TimesField("when", []time.Time{time.Date(2020, 5, 1, 3, 0, 0, 0, east), {}})
	if got := time.Unix(int64(f.Values[0]), 0).UTC().Format(time.DateTime); got != "2020-05-01 03:00:00" || !math.IsNaN(f.Values[1]) {
		t.Errorf("%s, %v", got, f.Values[1])
	}
}

// TestFieldsComeBack: the script finds every value as it was: whole numbers, decimals and days to
// the last digit, other numbers to a part in 10⁹ of their range.
func TestFieldsComeBack(t *testing.T) {
	p := withFields(generated(400, 5))
	page := written(t, p)
	var data struct {
		Columns []column    `json:"columns"`
		Fields  []pageField `json:"fields"`
	}
	must.Do(t, json.Unmarshal([]byte(element(t, page, "data")), &data))
	numbers := inflated(t, page, "numbers")
	if len(data.Fields) != 7 || data.Fields[0].Name != "day" || !data.Fields[0].Main {
		t.Fatalf("the fields are %+v", data.Fields)
	}
	for k, shown := range data.Fields {
		at := slices.IndexFunc(data.Columns, func(c column) bool { return c.Name == fieldKey(k) })
		f := p.Documents.Fields[slices.IndexFunc(p.Documents.Fields, func(f *Field) bool { return f.Name == shown.Name })]
		c := data.Columns[at]
		missing := uint32(1)<<c.Bits - 1
		for i := range p.Documents.Cluster {
			from := c.At + i*c.Bits/8
			got := binary.LittleEndian.Uint32(append(slices.Clone(numbers[from:from+c.Bits/8]), 0, 0, 0, 0))
			if f.Of != nil {
				if !c.Words || got != uint32(f.Of[i]) {
					t.Fatalf("%s of document %d is %d, want %d", f.Name, i, got, f.Of[i])
				}
				continue
			}
			if math.IsNaN(f.Values[i]) != (got == missing) {
				t.Fatalf("%s of document %d is missing: %v", f.Name, i, got == missing)
			}
			if got == missing {
				continue
			}
			v, slack := c.Low+float64(got)/float64(missing-1)*(c.High-c.Low), 1e-9*(c.High-c.Low)
			if c.Decimals >= 0 { // as readColumn of data.js
				digits := math.Pow10(c.Decimals)
				v, slack = math.Round(v*digits)/digits, 0
			}
			if math.Abs(v-f.Values[i]) > slack {
				t.Fatalf("%s of document %d is %v, want %v", f.Name, i, v, f.Values[i])
			}
		}
		if want := map[string]int{"day": 16, "section": 8, "author": 8, "year": 8, "price": 16, "score": 32, "sent at": 32}[f.Name]; c.Bits != want {
			t.Errorf("%s takes %d bits", f.Name, c.Bits)
		}
	}
	// The documents of a tile have the same fields.
	part := p.Documents.at([]int{5, 9})
	if fields, left := part.fitting(); len(fields) != 7 || left != 0 || fields[0].Name != "day" || len(fields[0].Values) != 2 {
		t.Errorf("a part has %d fields", len(fields))
	}
}
