package corpus

import (
	"strings"
	"testing"
)

// Tables as people and programs join and export them: a header that comes again, years as names of
// columns, and sums above the rows that they sum.
func TestJoinedTables(t *testing.T) {
	said := "id,text,label\n1,the engine of a car,p\n2,a cake in the oven,q\n"
	more := "3,an engine and a wheel,p\n4,sugar in a cake,q\n"
	accounts := "Rent,310.5,280.25\nTravel,91,77.5\nPower,18,22\nWater,7.5,6\n"
	again := func(n int) string {
		return "a,b,c\n" + strings.Repeat("1,2.5,3\n4,5.5,7\n", n) + "a,b,c\n" + strings.Repeat("2,2.5,4\n5,6.5,8\n", n)
	}
	group := func(name string, a, b string) string {
		return name + ",10,20,6\n" + a + ",4,12,1\n" + b + ",6,8,5\n"
	}
	const sums = "the sums of"
	checkKinds(t, []kind{
		{name: "a.csv", content: said + "id,text,label\n" + more, rows: 4, classes: 2, ids: true, note: "1 line is the header again and left out (first: line 4)"},
		{name: "a.csv", content: said + "id, text ,label\r\n" + more + "id,text,label\n", rows: 4, classes: 2, ids: true, note: "2 lines are the header again"},
		{name: "a.csv", content: "0,1,2\n" + strings.Repeat("1,1,2\n0,1,2\n2,0,0\n", 4), rows: 12, cols: 3},
		{name: "a.csv", content: again(3), rows: 12, cols: 3, note: "1 line is the header again"},
		{name: "a.csv", content: again(2000), rows: 8000, cols: 3, note: "1 line is the header again and left out (first: line 4002)"},
		{name: "a.tsv", content: "a\tb\n1\tx\n" + strings.Repeat("2.5\ty\n3\tx\n", 900) + "a\tb\n7\ty\n", rows: 1802, cols: 1, classes: 2, note: "header again"},
		{name: "a.csv", content: "text\nthe engine\ntext\na cake\n", rows: 4},
		{name: "a.csv", content: said + more, rows: 4, classes: 2, ids: true},
		{name: "a.csv", content: "Account,2022,2023\n" + accounts, rows: 4, cols: 2, ids: true, note: "The first line is a header"},
		{name: "a.csv", content: "Account,2023,2022\n" + accounts, rows: 4, cols: 2, ids: true, note: "The first line is a header"},
		{name: "a.csv", content: "Country,Code,2010,2015,2020\nNorth,no,1.5,2.5,3\nSouth,so,3,2.25,4\nEast,ea,7,7.5,1\n", opt: ReadOptions{TextColumn: []string{"none"}, IDColumn: "Country"}, rows: 3, cols: 3, classes: 3, ids: true},
		{name: "a.csv", content: "Widget,1950,2000\nGadget,150,200\nGizmo,1250,90\n", rows: 3, cols: 2, ids: true, note: "There is no header"},
		{name: "a.csv", content: "Region,1950,1975,2000,2025\nNorth,4,7,8,9\nSouth,5,3,2,6\nEast,5,6,7,8\n", rows: 3, cols: 4, ids: true, note: "The first line is a header"},
		{name: "a.csv", content: "Widget,2001,2002\nGadget,1999,2003\nGizmo,1987,1999\n", rows: 3, cols: 2, ids: true, note: "There is no header"},
		{name: "a.csv", content: "Item,Q1,Q2,Q3\n" + group("Rent", "Flat", "Garage") + group("Travel", "Rail", "Road") + group("Power", "Gas", "Light"), rows: 6, cols: 3, ids: true, note: "3 lines (first: line 2, \"Rent\") left out: in all columns of numbers " + sums},
		{name: "a.csv", content: "Item,Q1,Q2,Q3\n" + group("Total Rent", "Flat", "Garage") + group("Total Travel", "Rail", "Road"), rows: 4, cols: 3, ids: true, note: sums + " those below"},
		{name: "a.csv", content: "Item,Q1,Q2,Q3\n" + group("Rent", "Flat", "Garage") + group("Travel", "Rail", "Road") + "Power,3,4,5\n", rows: 7, cols: 3, ids: true},
		{name: "a.csv", content: "Sample,,Blood,,Urine\nID,Site,Na,K,pH\n,,mmol/L,mmol/L,\ns1,p,140,4.5,6\ns2,q,139,4,7\ns3,p,142,5,6.5\ns4,q,141,4.25,5\n", opt: ReadOptions{LabelColumn: "Site"}, rows: 4, cols: 3, classes: 2, ids: true, note: "are one header"},
		{name: "a.csv", content: "Item,Q1,Q2,Q3\n" + group("Rent", "Flat", "Garage"), rows: 3, cols: 3, ids: true},
	})
}

// A copy of a sheet counts once; sheets of other rows are joined.
func TestSheetCopies(t *testing.T) {
	rows := "Number|Comment\n1|the engine of a car\n2|a cake in the oven\n3|a wheel of a car\n"
	other := strings.Replace(rows, "wheel of a", "wheel of x", 1)
	for name, c := range map[string]struct {
		sheets    []string
		documents int
		note      string
	}{
		"a copy":       {[]string{"Data", rows, "Data (2)", rows}, 3, "The sheet Data is read; Data (2) has the same rows as another sheet"},
		"two copies":   {[]string{"Data", rows, "Copy", rows, "Backup", rows}, 3, "Copy, Backup have the same rows"},
		"one of three": {[]string{"Data", rows, "Copy", rows, "More", other}, 6, "2 sheets with the same columns are read, Data, More; Copy has the same rows"},
		"other rows":   {[]string{"Data", rows, "More", other}, 6, "2 sheets with the same columns are read, Data, More;"},
	} {
		for kind, content := range map[string]string{"a.xlsx": bookOf(c.sheets...), "a.ods": odsBook(c.sheets...)} {
			got, err := Read(t.Context(), writeFile(t, t.TempDir(), kind, []byte(content)), ReadOptions{Text: TextOptions{MinDF: 1}})
			if err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
				continue
			}
			if notes := strings.Join(got.Notes, " "); got.Len() != c.documents || !strings.Contains(notes, c.note) {
				t.Errorf("%s, %s: %d documents, notes %q", name, kind, got.Len(), got.Notes)
			}
		}
	}
}
