package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// read reads a file of a name and a content, and checks what holds for every corpus.
func readNamed(t *testing.T, name, content string, opt ReadOptions) *Corpus {
	t.Helper()
	c, err := Read(context.Background(), writeFile(t, t.TempDir(), name, []byte(content)), opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	checkInvariants(t, c)
	return c
}

// numbered are n rows of two numbers and a class, each made of its number.
func numbered(n int, row func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// The number of a row is a name and no term, however a program writes it.
func TestTableIndex(t *testing.T) {
	const n = 12
	values := func(i int) string { return fmt.Sprintf("%d.5,%d.25,%c", i*i%7, i*3%5, 'p'+i%2) }
	for name, content := range map[string]string{
		"pandas":          ",a,b,label\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d,%s", i, values(i)) }),
		"unnamed":         "Unnamed: 0,a,b,label\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d,%s", i, values(i)) }),
		"index":           "index,a,b,label\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d,%s", i, values(i)) }),
		"filtered":        ",a,b,label\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d,%s", 3*i+i%2, values(i)) }),
		"R":               "\"\",\"a\",\"b\",\"label\"\n" + numbered(n, func(i int) string { return fmt.Sprintf("\"%d\",%s", i+1, values(i)) }),
		"R, short header": "\"a\" \"b\" \"label\"\n" + numbered(n, func(i int) string { return fmt.Sprintf("\"%d\" %s", i+1, strings.ReplaceAll(values(i), ",", " ")) }),
		"no header":       numbered(n, func(i int) string { return fmt.Sprintf("%d,%s", i, values(i)) }),
		"tabs":            "\ta\tb\tlabel\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d\t%s", i, strings.ReplaceAll(values(i), ",", "\t")) }),
		"named, from one": "row,a,b,label\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d,%s", i+1, values(i)) }),
		"an empty column": ",a,b,label,\n" + numbered(n, func(i int) string { return fmt.Sprintf("%d,%s,", i, values(i)) }),
		"semicolons": ";a;b;label\n" + numbered(n, func(i int) string {
			return fmt.Sprintf("%d;%s", i, strings.ReplaceAll(strings.ReplaceAll(values(i), ",", ";"), ".", ","))
		}),
		"names of samples": ",a,b,label\n" + numbered(n, func(i int) string { return fmt.Sprintf("CELL%d,%s", i, values(i)) }),
	} {
		t.Run(name, func(t *testing.T) {
			c := readNamed(t, "a.csv", content, ReadOptions{})
			if _, terms := c.X.Dims(); c.Len() != n || terms != 2 || len(c.IDs) != n || len(c.ClassNames) != 2 {
				t.Fatalf("%d documents, %d terms, ids %q, classes %q; notes %q", c.Len(), terms, c.IDs, c.ClassNames, c.Notes)
			}
			for i := range n {
				if c.X.At(i, 0) != float64(i*i%7)+.5 || c.X.At(i, 1) != float64(i*3%5)+.25 {
					t.Fatalf("row %d is %v, %v", i, c.X.At(i, 0), c.X.At(i, 1))
				}
			}
			wantNote(t, c, "names of the documents")
			other, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(content)), ReadOptions{IDColumn: "none"})
			if strings.Contains(name, "samples") {
				return // words cannot be a term
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, terms := other.X.Dims(); other.IDs != nil || terms != 3 {
				t.Errorf("with ‹id-column› none: %d terms, ids %q", terms, other.IDs)
			}
		})
	}
}

// A first column that does not count the rows stays a term.
func TestTableFirstTerm(t *testing.T) {
	for name, content := range map[string]string{
		"counts with a gap": numbered(9, func(i int) string { return fmt.Sprintf("%d,%d.5", i+i/8, i%3) }),
		"few rows":          "1,2\n2,4\n3,5\n",
		"measured":          "time,a\n" + numbered(9, func(i int) string { return fmt.Sprintf("%d.5,%d", i, i%3) }),
		"years":             "year,a\n" + numbered(9, func(i int) string { return fmt.Sprintf("%d,%d", 1990+i, i%3) }),
	} {
		if c := readNamed(t, "a.csv", content, ReadOptions{}); c.IDs != nil {
			t.Errorf("%s: ids %q", name, c.IDs)
		}
	}
}

// A column of words that are all different names the documents, also where only the last rows show
// that it does not.
func TestTableWords(t *testing.T) {
	const n = 1500 // more than the rows that are looked at first
	rows := func(word func(i int) string) string {
		return "gene,a,b\n" + numbered(n, func(i int) string { return fmt.Sprintf("%s,%d,%d", word(i), i%7+1, i%5) })
	}
	c := readNamed(t, "a.csv", rows(func(i int) string { return fmt.Sprintf("g%d", i) }), ReadOptions{})
	if len(c.IDs) != n || c.Labels != nil || c.IDs[7] != "g7" {
		t.Errorf("all different: %d ids, labels %v", len(c.IDs), c.Labels != nil)
	}
	c = readNamed(t, "a.csv", rows(func(i int) string { return fmt.Sprintf("g%d", i%1200) }), ReadOptions{})
	if c.IDs != nil || c.Labels != nil {
		t.Errorf("nearly all different: ids %v, labels %v", c.IDs != nil, c.Labels != nil)
	}
	wantNote(t, c, "1200 different words in 1500 rows")
	c = readNamed(t, "a.csv", rows(func(i int) string { return fmt.Sprintf("g%d", i%4) }), ReadOptions{})
	if c.IDs != nil || c.Labels != nil {
		t.Errorf("four words: ids %v, classes %q", c.IDs != nil, c.ClassNames)
	}
	wantNote(t, c, "Column 1 (gene) holds words and is no term; ‹label-column› gene makes it the classes")
	c = readNamed(t, "a.csv", strings.Replace(rows(func(i int) string { return fmt.Sprintf("g%d", i%4) }), "gene", "type", 1), ReadOptions{})
	if c.IDs != nil || len(c.ClassNames) != 4 {
		t.Errorf("four types: ids %v, classes %q", c.IDs != nil, c.ClassNames)
	}
	if c = readNamed(t, "a.csv", rows(func(i int) string { return fmt.Sprintf("g%d", i) }), ReadOptions{LabelColumn: "gene"}); c.IDs != nil || len(c.ClassNames) != n {
		t.Error("the user's word does not count")
	}
}

// Numbers are read as people of many countries write them, and a note says so.
func TestTableNumbers(t *testing.T) {
	want := [][]float64{{1.5, 2.5}, {1234.5, -4.25}, {0.5, 1}}
	for name, content := range map[string]string{
		"decimal comma":           "x1;x2\n1,5;2,5\n1234,5;-4,25\n0,5;1,0\n",
		"no header":               "1,5;2,5\n1234,5;-4,25\n0,5;1\n",
		"points between groups":   "x1;x2\n1,5;2,5\n1.234,5;-4,25\n0,5;1\n",
		"blanks between groups":   "x1;x2\n1,5;2,5\n1 234,5;-4,25\n0,5;1\n",
		"no-break blanks":         "x1;x2\n1,5;2,5\n1\u00a0234,5;-4,25\n0,5;1\n",
		"commas between groups":   "x1,x2\n1.5,2.5\n\"1,234.5\",-4.25\n0.5,1\n",
		"quoted decimal commas":   "x1,x2\n\"1,5\",\"2,5\"\n\"1234,5\",\"-4,25\"\n\"0,5\",1\n",
		"sep line":                "sep=;\r\nx1;x2\r\n1,5;2,5\r\n1234,5;-4,25\r\n0,5;1\r\n",
		"tabs and decimal commas": "x1\tx2\n1,5\t2,5\n1234,5\t-4,25\n0,5\t1\n",
		"blanks and a header":     "x1 x2\n1.5 2.5\n1234.5 -4.25\n0.5 1\n",
		"runs of blanks":          "  x1       x2\n  1.5    2.5\n1234.5  -4.25\n   0.5   1.0\n",
		"bars":                    "x1|x2\n1.5|2.5\n1234.5|-4.25\n0.5|1\n",
		"NumPy's header":          "# made by savetxt\n1.5 2.5\n1234.5 -4.25\n0.5 1\n",
		"UTF-16":                  "\xff\xfe" + wide("x1\tx2\n1.5\t2.5\n1234.5\t-4.25\n0.5\t1\n"),
		"a column of nothing":     "x1,x2,\n1.5,2.5,\n1234.5,-4.25,\n0.5,1,\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := readNamed(t, "a.csv", content, ReadOptions{})
			checkMatrix(t, c.X, want)
			if strings.Contains(name, "omma") {
				if !strings.Contains(strings.Join(c.Notes, " "), "Numbers are written") {
					t.Errorf("notes %q", c.Notes)
				}
			}
		})
	}
	if c := readNamed(t, "a.csv", "x;y\n1,234;2,345\n3,456;1,250\n", ReadOptions{}); c.X.At(0, 0) != 1.234 {
		t.Errorf("1,234 between semicolons is %v", c.X.At(0, 0))
	}
	if c := readNamed(t, "a.csv", "x,y\n\"1,234\",\"2,345\"\n\"3,456\",\"1,250\"\n", ReadOptions{}); c.X.At(0, 0) != 1234 {
		t.Errorf("\"1,234\" between commas is %v", c.X.At(0, 0))
	}
	if c := readNamed(t, "a.csv", "x,y\n\"1,234\",\"2,345\"\n\"3,456\",\"1,250\"\n", ReadOptions{Decimal: "comma"}); c.X.At(0, 0) != 1.234 {
		t.Errorf("with ‹decimal› comma: %v", c.X.At(0, 0))
	}
}

// wide is ASCII in UTF-16.
func wide(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(s[i])
		b.WriteByte(0)
	}
	return b.String()
}

// A table of texts is one, whatever its columns are called, and one of numbers is none.
func TestTableTexts(t *testing.T) {
	texts := []string{"the engine of the car and its wheels", "apples, oranges and a \"sweet\" banana", "the car has a new engine and wheels", "a banana is sweet as oranges are\nand apples"}
	kinds := []string{"car", "fruit", "car", "fruit"}
	quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	row := func(fields ...string) string { return strings.Join(fields, ",") + "\n" }
	build := func(header string, of func(i int) string) string {
		for i := range texts {
			header += of(i)
		}
		return header
	}
	for name, c := range map[string]struct {
		content  string
		opt      ReadOptions
		ids      bool
		unlabels bool
	}{
		"usual names": {content: build("id,text,label\n", func(i int) string { return row(fmt.Sprint("d", i), quote(texts[i]), kinds[i]) }), ids: true},
		"pandas":      {content: build(",review,sentiment\n", func(i int) string { return row(fmt.Sprint(i), quote(texts[i]), kinds[i]) }), ids: true},
		"other names": {content: build("v1,v2\n", func(i int) string { return row(kinds[i], quote(texts[i])) })},
		"no header":   {content: build("", func(i int) string { return row(kinds[i], quote(texts[i])) })},
		"numbers too": {content: build("when,stars,body,category\n", func(i int) string { return row(fmt.Sprint(2000+i), fmt.Sprint(i%3), quote(texts[i]), kinds[i]) })},
		"two texts": {content: build("title,story,kind\n", func(i int) string { return row("News of "+fmt.Sprint(i), quote(texts[i]), kinds[i]) }),
			opt: ReadOptions{TextColumn: []string{"title", "story"}, LabelColumn: "kind"}},
		"by number": {content: build("", func(i int) string { return row("x", quote(texts[i]), "y", kinds[i]) }), opt: ReadOptions{TextColumn: []string{"2"}, LabelColumn: "-1"}},
		"no labels": {content: build("id,text,label\n", func(i int) string { return row(fmt.Sprint("d", i), quote(texts[i]), kinds[i]) }),
			opt: ReadOptions{LabelColumn: "none"}, ids: true, unlabels: true},
		"no ids": {content: build("id,text,label\n", func(i int) string { return row(fmt.Sprint("d", i), quote(texts[i]), kinds[i]) }), opt: ReadOptions{IDColumn: "none"}},
		"an id column": {content: build("text,key,label\n", func(i int) string { return row(quote(texts[i]), fmt.Sprint("k", i), kinds[i]) }),
			opt: ReadOptions{IDColumn: "key"}, ids: true},
		"semicolons": {content: build("id;text;label\n", func(i int) string {
			return strings.Join([]string{fmt.Sprint("d", i), quote(texts[i]), kinds[i]}, ";") + "\n"
		}), ids: true},
		"tabs": {content: build("id\ttext\tlabel\n", func(i int) string {
			return strings.Join([]string{fmt.Sprint("d", i), quote(texts[i]), kinds[i]}, "\t") + "\n"
		}), ids: true},
		"tabs, bare quotes": {content: build("", func(i int) string {
			return kinds[i] + "\t\"" + strings.ReplaceAll(texts[i], "\n", " ") + "\n"
		})},
		"Windows-1252": {content: build("id,text,label\n", func(i int) string { return row(fmt.Sprint("d", i), quote(texts[i]+" caf\xe9"), kinds[i]) }), ids: true},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Text.MinDF = 1
			got := readNamed(t, "a.csv", c.content, c.opt)
			if got.Format != "table" || got.Len() != len(texts) || !slices.Contains(got.Terms, "engine") || !slices.Contains(got.Terms, "sweet") {
				t.Fatalf("%s, %d documents, terms %q", got.Format, got.Len(), got.Terms)
			}
			if (got.IDs != nil) != c.ids {
				t.Errorf("ids %q", got.IDs)
			}
			if c.unlabels != (got.Labels == nil) || !c.unlabels && (!slices.Equal(got.ClassNames, []string{"car", "fruit"}) || !slices.Equal(got.Labels, []int{0, 1, 0, 1})) {
				t.Errorf("labels %v of %q; notes %q", got.Labels, got.ClassNames, got.Notes)
			}
			for i := range texts {
				if name != "two texts" && (got.X.At(i, slices.Index(got.Terms, "engine")) > 0) != (i%2 == 0) {
					t.Errorf("document %d: engine", i)
				}
			}
		})
	}
}

// What a table holds is said where the user's word does not fit it.
func TestTableRefusals(t *testing.T) {
	texts := "id,text,label\n1,\"a long text of many words\",x\n2,\"another text of many words\",y\n"
	for _, c := range []struct {
		content string
		opt     ReadOptions
		parts   []string
	}{
		{texts, ReadOptions{TextColumn: []string{"body"}}, []string{"‹text-column› body", "id, text, label"}},
		{texts, ReadOptions{TextColumn: []string{"4"}}, []string{"‹text-column› 4", "1 to 3"}},
		{texts, ReadOptions{TextColumn: []string{"text", "2"}}, []string{"twice"}},
		{texts, ReadOptions{TextColumn: []string{"none"}}, []string{"column 2 (text)", "a long text", "‹text-column› text"}},
		{texts, ReadOptions{Format: "csv", TextColumn: []string{"none"}, LabelColumn: "label", IDColumn: "id"}, []string{"column 2 (text)"}},
		{"id,text\n1,one, two, three and four\n", ReadOptions{}, []string{"line 2", "4 fields", "2"}},
		{"a,b\n1,2\n", ReadOptions{Format: "table"}, []string{"no column holds texts", "‹text-column›"}},
		{"id,text\n1,some words here\n1,other words here\n", ReadOptions{}, []string{"line 3", `"1"`, "line 2"}},
		{"source,target,weight\na,b,1\nb,c,2\n", ReadOptions{}, []string{"source and target", "‹edge-list›", "‹input-format› csv"}},
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(c.content)), c.opt)
		wantFault(t, err, c.parts...)
	}
}

// In a table of many numbers columns of words are no terms; in one of few they are refused, unless
// the user says that no column holds texts. The first one of different words is the names.
func TestWordsBesideNumbers(t *testing.T) {
	rows := func(numbers int) string {
		head, cells := "name,town,land,since", ""
		for j := range numbers {
			head, cells = fmt.Sprintf("%s,x%d", head, j), cells+",%d.5"
		}
		return head + "\n" + numbered(12, func(i int) string {
			line := fmt.Sprintf("item%d,%c town,%c,2020-01-%02d", i, 'a'+i%3, 'a'+i%2, 1+i)
			return line + strings.ReplaceAll(cells, "%d", fmt.Sprint(i))
		})
	}
	for _, c := range []struct {
		numbers int
		text    []string
		dates   string
	}{{4, nil, ", 4 (since)"}, {2, []string{"none"}, ""}} {
		read := readNamed(t, "a.csv", rows(c.numbers), ReadOptions{TextColumn: c.text})
		if _, terms := read.X.Dims(); terms != c.numbers || read.ID(3) != "item3" || !strings.Contains(strings.Join(read.Notes, "\n"), "Columns 2 (town), 3 (land)"+c.dates+" hold words and are no terms") {
			t.Errorf("%d columns of numbers: %d terms, %s, %q", c.numbers, terms, read.ID(3), read.Notes)
		}
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(rows(3))), ReadOptions{})
	wantFault(t, err, "column 1 (name)", "none to leave them out")
	// A word among numbers is a fault and no column of words.
	_, err = Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(strings.Replace(rows(4), ",3.5", ",3.x", 1))), ReadOptions{})
	wantFault(t, err, `"3.x" is not a number`, "‹missing› median", "‹views› columns ‹view-columns› x0=category")
	_, err = Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(rows(4))), ReadOptions{PageColumns: []string{"twon"}})
	wantFault(t, err, "‹page-columns› twon", "town")
}

// The user's word that no column holds texts leaves out columns of words with numbers among them
// too; without it, those with few numbers are left out in a table of many numbers, and a table of
// words alone is not told to leave them out.
func TestWordsAmongNumbers(t *testing.T) {
	table := func(every int) string {
		return "n,model,maker,a,b,c,d\n" + numbered(40, func(i int) string {
			model := fmt.Sprintf("m%d", i%7)
			if i%every == 0 {
				model = fmt.Sprint(300 + i%7)
			}
			return fmt.Sprintf("%d,%s,k%d,%d.5,%d,%d,%d", i+1, model, i%3, i, i*i, 3*i%7, 5*i%11)
		})
	}
	for _, c := range []struct {
		every int
		opt   ReadOptions
	}{{2, ReadOptions{TextColumn: []string{"none"}}}, {8, ReadOptions{}}} {
		read := readNamed(t, "a.csv", table(c.every), c.opt)
		if strings.Join(read.Terms, "") != "abcd" {
			t.Errorf("terms %q", read.Terms)
		}
		wantNote(t, read, "Columns 2 (model), 3 (maker) hold words and are no terms")
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(table(2))), ReadOptions{})
	wantFault(t, err, "column 2 (model)", "none to leave them out")
	if !errors.Is(err, ErrWordColumns) {
		t.Errorf("%v is no ErrWordColumns", err)
	}
	_, err = Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(",u,v,w\n1,a,b,c\n2,b,b,d\n3,a,c,d\n")), ReadOptions{TextColumn: []string{"none"}})
	wantFault(t, err, "‹views› columns")
	if strings.Contains(err.Error(), "leave them out") {
		t.Errorf("words alone cannot be left out: %v", err)
	}
}

// A last column y is a term and no classes where it holds measurements: whole numbers most of which
// differ, or fractions of many values, however often each is there. Few whole numbers are classes.
func TestMeasuredY(t *testing.T) {
	for name, c := range map[string]struct {
		y       func(i int) string
		classes bool
	}{
		"whole":     {func(i int) string { return fmt.Sprint(4 + i*i) }, false},
		"fractions": {func(i int) string { return fmt.Sprintf("%d.25", i%60) }, false},
		"classes":   {func(i int) string { return fmt.Sprint(i % 9) }, true},
		"ratings":   {func(i int) string { return fmt.Sprintf("%d.5", i%9) }, true},
	} {
		read := readNamed(t, "a.csv", "x,z,y\n"+numbered(180, func(i int) string { return fmt.Sprintf("%d.5,%d,%s", i*i, i*i%17, c.y(i)) }), ReadOptions{})
		if _, cols := read.X.Dims(); (read.Labels != nil) != c.classes || (cols == 2) != c.classes {
			t.Errorf("%s: %d columns, classes %q", name, cols, read.ClassNames)
		}
		if !c.classes {
			wantNote(t, read, "Column 3 (y) holds measurements of many values and is a term")
		}
	}
}

// A list of labels is read as pandas and R write it, and the marks of missing values are none.
func TestLabelListForms(t *testing.T) {
	data := "id,a,b\np,1,0\nq,0,1\nr,1,1\ns,2,1\n"
	for name, content := range map[string]string{
		"pandas":     ",label\np,x\nq,y\nr,x\ns,NaN\n",
		"R":          "\"\",\"label\"\n\"p\",\"x\"\n\"q\",\"y\"\n\"r\",\"x\"\n\"s\",NA\n",
		"semicolons": "id;label\np;x\nq;y\nr;x\ns;N/A\n",
		"sep line":   "sep=;\nid;label\np;x\nq;y\nr;x\ns;null\n",
		"None":       "id,label\np,x\nq,y\nr,x\ns,None\n",
		"tabs":       "id\tlabel\np\tx\nq\ty\nr\tx\ns\tnan\n",
		"in order":   "x\ny\nx\nNone\n",
	} {
		c := readNamed(t, "a.csv", data, ReadOptions{Labels: writeFile(t, t.TempDir(), "l.csv", []byte(content))})
		if !slices.Equal(c.Labels, []int{0, 1, 0, -1}) {
			t.Errorf("%s: labels %v of %q", name, c.Labels, c.ClassNames)
		}
	}
}

// Of several columns of words the texts are those of a usual name, but for a name of short texts
// beside longer ones; what may be classes is named.
func TestWhichTexts(t *testing.T) {
	line := func(cells ...string) string { return strings.Join(cells, ",") + "\n" }
	long := []string{"the engine of my old car is loud and slow", "a cake of flour and sugar from the hot oven"}
	for header, c := range map[string]struct {
		cells func(i int) []string
		note  string
	}{
		"reviewerID,reviewText,summary": {func(i int) []string { return []string{fmt.Sprint("r", i), long[i%2], "quite good"} }, "The texts are column 2 (reviewText)"},
		"n,title,plot":                  {func(i int) []string { return []string{fmt.Sprint(i), "a short name", long[i%2]} }, "The texts are column 3 (plot)"},
		"n,title,venue":                 {func(i int) []string { return []string{fmt.Sprint(i), "a short name", "ICML"} }, "The texts are column 2 (title)"},
		"id,comment_text,toxic,rude":    {func(i int) []string { return []string{fmt.Sprint(i), long[i%2], fmt.Sprint(i % 2), "0"} }, "No column of classes was recognised among 3 (toxic), 4 (rude); ‹label-column› names one"},
		"id,text,a,b":                   {func(i int) []string { return []string{fmt.Sprint(i), long[i%2], "x", "y"} }, "No column of classes was recognised among 3 (a), 4 (b)"},
	} {
		content := header + "\n"
		for i := range 12 {
			content += line(c.cells(i)...)
		}
		got := readNamed(t, "a.csv", content, ReadOptions{Text: TextOptions{MinDF: 1}})
		wantNote(t, got, c.note)
	}
}

// A column of single words or numbers that differ in all rows beside the texts may be the names of
// the documents, under whatever name: a note says so. Dates, titles and values that occur twice are
// none, nor is a table with names or one of which the user said which they are.
func TestMayName(t *testing.T) {
	long := []string{"the engine of my old car is loud and slow", "a cake of flour and sugar from the hot oven"}
	ticket := func(i int) string { return fmt.Sprint("T-", 100+i) }
	for header, c := range map[string]struct {
		cell func(i int) string
		opt  ReadOptions
		note string
	}{
		"Ticket-Nr,text":  {ticket, ReadOptions{}, "Column 1 (Ticket-Nr) differs in all rows looked at; ‹id-column› Ticket-Nr makes it the names of the documents."},
		"Ticket ID,text":  {ticket, ReadOptions{}, "Column 1 (Ticket ID) differs in all rows looked at; ‹id-column› 'Ticket ID' makes it the names of the documents."},
		"one number,text": {func(i int) string { return strings.Replace(ticket(i), "T-107", "2048", 1) }, ReadOptions{}, "Column 1 (one number)"},
		"nr,text":         {func(i int) string { return fmt.Sprint(1000 - 7*i) }, ReadOptions{}, "Column 1 (nr) differs in all rows"},
		"day,text":        {func(i int) string { return fmt.Sprintf("%d.03.2025", 1+i) }, ReadOptions{}, ""},
		"also,text":       {func(i int) string { return ticket(i % 11) }, ReadOptions{}, ""},
		"heading,text":    {func(i int) string { return fmt.Sprint("part ", i) }, ReadOptions{}, ""},
		"id,text":         {ticket, ReadOptions{}, ""},
		"given,text":      {ticket, ReadOptions{IDColumn: "given"}, ""},
		"none,text":       {ticket, ReadOptions{IDColumn: "none"}, ""},
	} {
		content := header + "\n"
		for i := range 12 {
			content += c.cell(i) + "," + long[i%2] + "\n"
		}
		c.opt.Text.MinDF = 1
		got := readNamed(t, "a.csv", content, c.opt)
		if c.note != "" {
			wantNote(t, got, c.note)
		} else if s := strings.Join(got.Notes, "\n"); strings.Contains(s, "differs in all rows") {
			t.Errorf("%s: noted: %s", header, s)
		}
	}
}

// A column of words that are all different is no column of classes, whatever stands beside it, and
// a guess names the option that says otherwise.
func TestNoClassPerRow(t *testing.T) {
	price := func(i int) string { return fmt.Sprint("lot ", 10+i) }
	id := func(i int) string { return fmt.Sprint("d", i) }
	rows := func(header string, first, last func(i int) string) string {
		return header + measured(20, ",", first, last)
	}
	for content, want := range map[string]struct {
		ids, classes bool
		note         string
	}{
		rows("id,x,y,z,price\n", id, price):      {true, false, "such as \"lot 10\", and is left out; ‹label-column› price"},
		rows("id,x,y,z,label\n", id, price):      {true, false, "‹label-column› label makes it the classes"},
		rows("x,y,z,label\n", none, price):       {true, false, "‹label-column› makes it the classes"},
		rows("label,x,y,z\n", price, none):       {true, false, "‹label-column› makes it the classes"},
		rows("name,x,y,z,price\n", id, price):    {true, false, "is left out"},
		rows("id,x,y,z,kind\n", id, twoNames):    {true, true, "The classes are column 5 (kind); ‹label-column› names another, or none."},
		rows("x,y,z,kind\n", none, twoNames):     {false, true, "The classes are column 4 (kind); ‹label-column› names another, or none."},
		rows("x,y,z,target\n", none, twoNames):   {false, true, "The classes are column 4 (target); ‹label-column› names another, or none."},
		rows("name,x,y,z,label\n", id, twoNames): {true, true, "The classes are column 5 (label)."},
	} {
		c := readNamed(t, "a.csv", content, ReadOptions{})
		if (c.IDs != nil) != want.ids || (c.Labels != nil) != want.classes {
			t.Errorf("%.30q: ids %v, classes %q", content, c.IDs != nil, c.ClassNames)
		}
		wantNote(t, c, want.note)
	}
	c := readNamed(t, "a.csv", rows("id,x,y,z,price\n", id, price), ReadOptions{LabelColumn: "price"})
	if len(c.ClassNames) != 20 {
		t.Errorf("asked for: classes %q", c.ClassNames)
	}
}

// TestMissingNumbers: a number that is missing is refused with its place and ways out, each of
// which works.
func TestMissingNumbers(t *testing.T) {
	const with = "height,weight,age\n1.71,68,35\n1.80,%s,41\n1.62,55,29\n1.75,81,50\n"
	read := func(text string) error {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.csv", []byte(text)), ReadOptions{})
		return err
	}
	for _, mark := range []string{"NA", "?", "", "nan", "null", "-", "n/a", "#N/A", "#DIV/0!", "NaT", "<NA>"} {
		wantFault(t, read(fmt.Sprintf(with, mark)), "1 cell is missing in 1 of 4 rows and 1 of 3 columns (weight: 1)", "the first, line 3, column 2 (weight), is "+cmp.Or(mark, "empty"), "median", "mean", "drop-rows", "drop-columns")
	}
	wantFault(t, read(fmt.Sprintf(with, "inf")), "line 3", "column 2 (weight)", "is inf")
	for _, text := range []string{fmt.Sprintf(with, "68"), strings.Replace(with, "1.80,%s,41\n", "", 1), "height,age\n1.71,35\n1.80,41\n1.62,29\n1.75,50\n"} {
		if err := read(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
