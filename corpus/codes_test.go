package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// tableOf writes a header and n rows that format and values make.
func tableOf(header, format string, n int, values func(i int) []any) string {
	out := header + "\n"
	for i := range n {
		out += fmt.Sprintf(format, values(i)...) + "\n"
	}
	return out
}

// Columns of numbers that name things are left out of the terms, with the way back: by their names,
// by equal steps, and by digits.
func TestCodesLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 11))
	const two = "%v,%.3f,%.3f"
	for name, c := range map[string]struct {
		header string
		value  func(i int) any
		out    bool // the first column is no term
		ids    bool // it is the names
	}{
		"shared customers":   {"CustomerID,a,b", func(int) any { return 100 + r.IntN(9) }, true, false},
		"zip codes":          {"zip,a,b", func(int) any { return 10000 + r.IntN(80000) }, true, false},
		"German zip codes":   {"PLZ,a,b", func(int) any { return 10000 + r.IntN(80000) }, true, false},
		"numbers of orders":  {"order_no,a,b", func(i int) any { return 5000 + i*37%101 }, true, false},
		"counts by no":       {"smoking_yes_cancer_no,a,b", func(int) any { return r.IntN(5) }, false, false},
		"lines of code":      {"lines of code,a,b", func(int) any { return r.IntN(90000) }, false, false},
		"numbers of codes":   {"num_codes,a,b", func(int) any { return r.IntN(90) }, false, false},
		"ids counted":        {"id_count,a,b", func(int) any { return r.IntN(90) }, false, false},
		"ids by kind":        {"id_cliente,a,b", func(int) any { return r.IntN(90) }, true, false},
		"numbers of rooms":   {"number of rooms,a,b", func(int) any { return r.IntN(9) }, false, false},
		"calls by phone":     {"phone,a,b", func(int) any { return r.IntN(30) }, false, false},
		"prices as code":     {"code,a,b", func(i int) any { return 3 + i*i*7 }, false, false},
		"codes of countries": {"code,a,b", func(i int) any { return 100 + i*37%800 }, true, false},
		"few codes":          {"code,a,b", func(int) any { return r.IntN(12) }, true, false},
		"codes of products":  {"product_code,a,b", func(i int) any { return 3 + i*i*7 }, true, false},
		"few digits":         {"population,a,b", func(i int) any { return 56000000 + 110000*i + i*i }, false, false},
		"places in steps":    {"x,a,b", func(i int) any { return 100 + i }, false, false},
		"phone numbers":      {"call,a,b", func(i int) any { return 4930123000 + i*i }, true, false},
		"dates":              {"when,a,b", func(i int) any { return 20240101 + 7*i%28 + 100*(i/28) }, true, false},
		"times in steps":     {"when,a,b", func(i int) any { return 1700000000 + 3600*i }, true, true},
		"wavelengths":        {"nm,a,b", func(i int) any { return 1100.5 - 0.5*float64(i) }, true, true},
		"years in steps":     {"year,a,b", func(i int) any { return 1950 + i }, true, true},
		"years again":        {"year,a,b", func(i int) any { return 2010 + i%10 }, false, false},
		"incomes":            {"income,a,b", func(int) any { return 10000 + r.IntN(80000) }, false, false},
		"measured wide":      {"width,a,b", func(int) any { return float64(r.IntN(900)) / 7 }, false, false},
		"fractions named id": {"id ratio code,a,b", func(int) any { return r.NormFloat64() }, false, false},
	} {
		content := tableOf(c.header, two, 60, func(i int) []any { return []any{c.value(i), r.NormFloat64(), r.NormFloat64()} })
		got := readNamed(t, "a.csv", content, ReadOptions{})
		first, _, _ := strings.Cut(c.header, ",")
		if slices.Contains(got.Terms, first) == c.out || (got.IDs != nil) != c.ids {
			t.Errorf("%s: terms %q, ids %v; notes %q", name, got.Terms, got.IDs != nil, got.Notes)
		}
		if c.out {
			wantNote(t, got, "‹id-column› none")
		}
		back := readNamed(t, "a.csv", content, ReadOptions{IDColumn: "none"})
		if !slices.Contains(back.Terms, first) {
			t.Errorf("%s: the way back gives the terms %q", name, back.Terms)
		}
		later := readNamed(t, "a.csv", content, ReadOptions{Filling: &Filling{Columns: 3, Terms: []string{first, "a", "b"}}})
		if !slices.Contains(later.Terms, first) && !c.ids {
			t.Errorf("%s: a later table has the terms %q", name, later.Terms)
		}
	}
}

// An index behind the first column that does not number the rows is a measurement.
func TestInnerIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	for name, c := range map[string]struct {
		value func(i int) int
		out   bool
	}{
		"an index of prices":      {func(i int) int { return 9800 + i*i*3 - 40*i }, false},
		"numbers in some order":   {func(i int) int { return i * 37 % 60 }, true},
		"numbers of half of them": {func(i int) int { return 1000 + i*37%60*2 - i%2 }, true},
	} {
		content := tableOf("a,index,b", "%.3f,%d,%.3f", 60, func(i int) []any { return []any{r.NormFloat64(), c.value(i), r.NormFloat64()} })
		got := readNamed(t, "a.csv", content, ReadOptions{})
		if slices.Contains(got.Terms, "index") == c.out {
			t.Errorf("%s: terms %q; notes %q", name, got.Terms, got.Notes)
		}
		if !c.out {
			wantNote(t, got, "Column 2 (index) has a name of codes or row numbers")
		}
	}
}

// A column code that is compared is named: its numbers may be codes of several lengths after all.
func TestCodesNoted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 18))
	c := readNamed(t, "a.csv", tableOf("a,code", "%.3f,%d", 60, func(i int) []any { return []any{r.NormFloat64(), 1 + i*i*7} }), ReadOptions{})
	if !slices.Contains(c.Terms, "code") {
		t.Errorf("terms %q", c.Terms)
	}
	wantNote(t, c, "Column 2 (code) has a name of codes or row numbers")
}

// Columns that look like codes are compared where there are no others, and a note says so.
func TestCodesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 16))
	c := readNamed(t, "a.csv", tableOf("zip,customer_id", "%d,%d", 60, func(int) []any { return []any{10000 + r.IntN(80000), r.IntN(50)} }), ReadOptions{})
	if !slices.Equal(c.Terms, []string{"zip", "customer_id"}) {
		t.Errorf("terms %q", c.Terms)
	}
	wantNote(t, c, "Columns 1 (zip), 2 (customer_id) hold numbers that look like ids, codes or times, whose sizes mean nothing, and are compared, as there are no others")
}

// Years that are compared are named, with the option that takes them for times.
func TestYearsNoted(t *testing.T) {
	content := tableOf("name,year,a,b", "n%d,%d,%d,%d", 40, func(i int) []any { return []any{i, 2010 + i%10, i * 7 % 11, i * 5 % 13} })
	c := readNamed(t, "a.csv", content, ReadOptions{})
	wantNote(t, c, "(year) holds years and is compared as a number; ‹time-column› year")
	for _, name := range []string{"year", "name", "a"} {
		if c := readNamed(t, "a.csv", content, ReadOptions{TimeColumn: name}); slices.Contains(c.Terms, name) {
			t.Errorf("times in %s: terms %q", name, c.Terms)
		}
	}
}

// A column of dates among few numbers is no class and no reason to refuse the table.
func TestDatesLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 12))
	for name, c := range map[string]struct {
		header  string
		row     func(i int) string // without the last column
		ids     bool
		classes int
	}{
		"names and dates":  {"name,date,a,b", func(i int) string { return fmt.Sprintf("n%d,2024-%02d-%02d,%.3f", i, 1+i%5, 1+i%12, r.NormFloat64()) }, true, 0},
		"dates in slashes": {"name,date,a,b", func(i int) string { return fmt.Sprintf("n%d,%d/%d/2024,%.3f", i, 1+i%5, 1+i%12, r.NormFloat64()) }, true, 0},
		"dates again":      {"a,date,b", func(i int) string { return fmt.Sprintf("%.3f,%d.01.2024", r.NormFloat64(), 1+i%5) }, false, 0},
		"classes, dates":   {"kind,date,a", func(i int) string { return fmt.Sprintf("s%d,2024-%02d-%02d", i%5, 1+i%5, 1+i%12) }, false, 5},
	} {
		content := c.header + "\n"
		for i := range 60 {
			content += fmt.Sprintf("%s,%.3f\n", c.row(i), r.NormFloat64())
		}
		got := readNamed(t, "a.csv", content, ReadOptions{})
		wantNote(t, got, "(date) holds dates and is left out; ‹time-column› date")
		if (got.IDs != nil) != c.ids || len(got.ClassNames) != c.classes {
			t.Errorf("%s: ids %v, classes %q; notes %q", name, got.IDs != nil, got.ClassNames, got.Notes)
		}
	}
}

// Numbers of many values are measurements, also where fewer than half of them differ, and answers
// that recur are no texts.
func TestMeasuredTargetAndAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 13))
	c := readNamed(t, "a.csv", tableOf("a,b,target", "%.3f,%.3f,%d", 440, func(int) []any { return []any{r.NormFloat64(), r.NormFloat64(), r.IntN(240)} }), ReadOptions{})
	if c.Labels != nil || !slices.Contains(c.Terms, "target") {
		t.Errorf("terms %q, classes %q", c.Terms, c.ClassNames)
	}
	answers := []string{"Very satisfied", "Satisfied", "Rather dissatisfied"}
	content := tableOf("How satisfied are you?,Age", "%s,%s", 80, func(i int) []any { return []any{answers[i*i%3], []string{"18-24", "25-34"}[i*i*i%2]} })
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(content)), ReadOptions{})
	wantFault(t, err, "‹views› columns")
	for _, name := range []string{"answer", "comments"} { // usual names of texts do not make texts of them
		c = readNamed(t, "a.csv", tableOf(name+",score", "%s,%d", 80, func(i int) []any { return []any{answers[i*i%3], 1 + i%9} }), ReadOptions{})
		if !slices.Equal(c.Terms, []string{"score"}) || c.Labels != nil {
			t.Errorf("%s: terms %q, classes %q", name, c.Terms, c.ClassNames)
		}
	}
	c = readNamed(t, "a.csv", content, ReadOptions{Categories: true, TextColumn: []string{"none"}})
	if c.Len() != 80 || len(c.Terms) > 5 {
		t.Errorf("%d rows, terms %q", c.Len(), c.Terms)
	}
}

// Lines of the header: numbers in equal steps name columns, a row of units is passed over, and what
// cannot be settled is refused with a command.
func TestHeadersOfTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	row := func(int) []any {
		return []any{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	const five = "s%.5f,%.3f,%.3f,%.3f,%.3f"
	const wide = "s%.5f,%.3f,%.3f,%.3f,%.3f,0.5"
	c := readNamed(t, "a.csv", tableOf("sample,1100,1104,1108,1112,1116", wide, 30, row), ReadOptions{})
	if c.Len() != 30 || !slices.Equal(c.Terms, []string{"1100", "1104", "1108", "1112", "1116"}) {
		t.Errorf("wavelengths: %d rows, terms %q", c.Len(), c.Terms)
	}
	c = readNamed(t, "a.csv", tableOf("sample,length,mass,temp,depth\n,mm,kg,°C,m", five, 30, row), ReadOptions{})
	if c.Len() != 30 || !slices.Equal(c.Terms, []string{"length", "mass", "temp", "depth"}) {
		t.Errorf("units: %d rows, terms %q", c.Len(), c.Terms)
	}
	wantNote(t, c, "as units are, passed over")
	for _, head := range []string{",2022,,2023,\nRegion,Sales,Cost,Sales,Cost", ",A,A,B,B\n,x,y,x,y"} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(tableOf(head, five, 30, row))), ReadOptions{})
		wantFault(t, err, "tail -n +2 FILE > table.csv")
	}
	foot := tableOf("sample,a,b,c,d", five, 30, row) + "\nSource: somewhere\n"
	c = readNamed(t, "a.csv", foot, ReadOptions{})
	if c.Len() != 30 {
		t.Errorf("a remark: %d rows", c.Len())
	}
	wantNote(t, c, "1 line below the table, of which the first field alone is filled, left out")
	top := "\"Data Source\",\"Indicators\",\n\n\"Name\",\"1960\",\"1961\",\"1962\",\n" + tableOf("", "n%.5f,%.3f,%.3f,%.3f,", 30, func(int) []any { return row(0)[:4] })[1:]
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(top)), ReadOptions{})
	wantFault(t, err, "tail -n +3 FILE > table.csv")
}

// A word among the numbers of a column is refused with its cell, and by the option that the message
// names counts as missing, with a note. A column of many words is still refused.
func TestWordsTakenForMissing(t *testing.T) {
	table := func(words ...string) string {
		return tableOf("a,b,c", "%d,%s,%d", 40, func(i int) []any {
			word := fmt.Sprint(i * i % 7)
			if i%40 >= 20 && i-20 < len(words) {
				word = words[i-20]
			}
			return []any{i * 3 % 11, word, i * 5 % 13}
		})
	}
	for _, word := range []string{"12 kg", "$5", "<0.1", "3.4*", "refused", "unknown", "12:30"} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(table(word))), ReadOptions{})
		wantFault(t, err, "line 22, column 2 (b)", fmt.Sprintf("%q is not a number", word), "‹missing› median, mean or drop-rows")
		c := readNamed(t, "a.csv", table(word, "3", word), ReadOptions{Missing: MissingMedian})
		wantNote(t, c, fmt.Sprintf("2 words in columns of numbers, taken for missing: %q in column 2 (b) (line 22) and 1 more.", word))
		if c.X.At(20, 1) != 2 || c.Len() != 40 {
			t.Errorf("%s: %v", word, c.X.At(20, 1))
		}
		if c := readNamed(t, "a.csv", table(word), ReadOptions{Missing: MissingDropRows}); c.Len() != 39 {
			t.Errorf("%s: %d rows", word, c.Len())
		}
		if c := readNamed(t, "a.csv", table(word), ReadOptions{Filling: &Filling{By: MissingMean, Values: []float64{1, 9, 1}, Columns: 3, Terms: []string{"a", "b", "c"}}}); c.X.At(20, 1) != 9 {
			t.Errorf("%s: a later row has %v", word, c.X.At(20, 1))
		}
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(table(slices.Repeat([]string{"low"}, 12)...))), ReadOptions{Missing: MissingMedian})
	wantFault(t, err, `"low" is not a number`)
	for _, mark := range []string{"..", "—", "#NV", "#WERT!", "n.d.", "k. A.", "Not available"} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(table(mark))), ReadOptions{})
		wantFault(t, err, "1 cell is missing")
	}
}

// Numbers far outside that occur again are named, as is a last row of sums; groups of numbers and
// single outliers are not.
func TestCodesOfMissingNumbersNoted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 15))
	for code, c := range map[string]struct {
		every int
		noted bool
	}{"-999": {9, true}, "99": {9, true}, "9999": {9, true}, "-1": {9, true}, "500": {9, false}, "-9": {50, false}, "9": {9, false}} {
		content := tableOf("a,b", "%.2f,%s", 90, func(i int) []any {
			value := fmt.Sprintf("%.2f", 5+r.Float64()/4)
			if i%c.every == 0 {
				value = code
			}
			if code == "9" && i%c.every != 0 {
				value = fmt.Sprintf("%.2f", 12*r.Float64())
			}
			return []any{r.NormFloat64(), value}
		})
		got := readNamed(t, "a.csv", content, ReadOptions{})
		if noted := strings.Contains(strings.Join(got.Notes, "\n"), code+" in column b (10 rows)"); noted != c.noted {
			t.Errorf("%s: notes %q", code, got.Notes)
		}
	}
	for last, want := range map[string]bool{"Togo,45,55": true, "Total,45,55": false, "x,45,54": false, "x,5,5": false} {
		got := readNamed(t, "a.csv", tableOf("name,a,b", "n%d,%d,%d", 10, func(i int) []any { return []any{i, i, 1 + i*7%10} })+last+"\n", ReadOptions{})
		if noted := strings.Contains(strings.Join(got.Notes, "\n"), "The last row is the sum"); noted != want {
			t.Errorf("%s: notes %q", last, got.Notes)
		}
	}
	// A row without a number is counted if it looks like no remark.
	foot := tableOf("name,a,b", "n%d,%d,%d", 10, func(i int) []any { return []any{i, i * i, 1 + i*7%10} }) + "Togo,,\n"
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(foot)), ReadOptions{})
	wantFault(t, err, "1 row has no number in any column")
}

// A way to fill missing numbers has no effect on texts, and says so; sparse files name the way.
func TestMissingOfTextsAndSparseFiles(t *testing.T) {
	c := readNamed(t, "a.csv", "id,text\n1,some words here\n2,other words there\n", ReadOptions{Missing: MissingMedian, Text: TextOptions{MinDF: 1}})
	wantNote(t, c, "‹missing› median has no effect")
	for name, content := range map[string]string{"a.svm": "1 1:2 2:nan\n0 1:1\n", "a.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 nan\n2 2 1\n"} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{})
		wantFault(t, err, "NaN", "the first, line ", "give ‹missing› median")
	}
}

// Missing numbers of sparse files become what those of a table become: entries that are not stored
// count as zeros.
func TestMissingInSparseFiles(t *testing.T) {
	table := "a,b\n1,\n3,0\n0,2\n5,4\n"
	files := map[string]string{
		"a.svm": "0 1:1 2:nan\n0 1:3\n0 2:2\n0 1:5 2:4\n",
		"a.mtx": "%%MatrixMarket matrix coordinate real general\n4 2 6\n1 1 1\n1 2 NaN\n2 1 3\n3 2 2\n4 1 5\n4 2 4\n",
	}
	for _, by := range []string{MissingMedian, MissingMean, MissingDropRows, MissingDropColumns} {
		want := readNamed(t, "a.csv", table, ReadOptions{Missing: by})
		for name, content := range files {
			got := readNamed(t, name, content, ReadOptions{Missing: by, LabelColumn: "none"})
			if !mat.Equal(got.X, want.X) {
				t.Errorf("%s, %s:\n%v\nnot\n%v", name, by, mat.Formatted(got.X), mat.Formatted(want.X))
			}
			wantNote(t, got, by)
		}
	}
	for name, content := range map[string]string{"a.svm": "1 1:2 2:inf\n0 1:1\n", "a.ldac": "2 0:nan 1:2\n1 0:1\n"} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{Missing: MissingMedian})
		wantFault(t, err, "line 1")
	}
}

// JSON lines of numbers, of which some are null, name what converts them.
func TestNumbersInJSONLines(t *testing.T) {
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.jsonl", []byte(`{"id": "a", "x": 1.5, "y": null}`+"\n"+`{"id": "b", "x": 2.5, "y": 3}`+"\n")), ReadOptions{})
	wantFault(t, err, "numbers are read from a table; convert them: python -c")
}

// A model of numbers asks for no texts of JSON either: that is no field of the name none.
func TestNoTextsOfJSON(t *testing.T) {
	for name, content := range map[string]string{
		"a.jsonl": `{"id": "a", "x": 1.5, "city": "Ulm", "y": 2}` + "\n",
		"a.json":  `[{"id": "a", "x": 1.5, "city": "Ulm", "y": 2}]`,
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{TextColumn: []string{"none"}})
		wantFault(t, err, "of which texts are read and no numbers alone")
		wantFault(t, err, "numbers are read from a table; convert them: python -c")
	}
	c := readNamed(t, "b.jsonl", `{"none": "red apples"}`+"\n"+`{"none": "green apples"}`+"\n", ReadOptions{TextColumn: []string{"none"}})
	if c.X == nil {
		t.Error("a field of that name is not read")
	}
}
