package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// Rows of title above the header, and rows of explanation below it, are no documents.
func TestKindTitlesAndSurveys(t *testing.T) {
	rows := func(format string) string {
		var out strings.Builder
		for i := range 12 {
			fmt.Fprintln(&out, strings.NewReplacer("#", fmt.Sprint(i), "TEXT", []string{"the engine of a car", "a cake in the oven"}[i%2]).Replace(format))
		}
		return out.String()
	}
	const qualtrics = "StartDate,ResponseId,Q1\nStart Date,Response ID,What do you think?\n"
	imported := `"{""ImportId"":""startDate"",""timeZone"":""Z""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1_TEXT""}"` + "\n"
	answers := rows("2026-01-02 10:00:00,R_#,TEXT and more of it")
	checkKinds(t, []kind{
		{name: "a.csv", content: qualtrics + imported + answers, rows: 12, note: "2 lines below the header"},
		{name: "a.csv", content: qualtrics + imported + answers, opt: ReadOptions{Header: "yes"}, rows: 12},
		{name: "a.csv", content: qualtrics + imported + answers, opt: ReadOptions{Header: "no", TextColumn: []string{"3"}}, rows: 15},
		{name: "a.csv", content: "Respondent ID,Collector ID,Comments\n,,Open-Ended Response\n" + rows("#77,5,TEXT and more of it"), rows: 12, note: "1 line below the header"},
		{name: "a.csv", content: "id,kind,text\n" + rows("#,Response,TEXT"), rows: 12, ids: true},
		{name: "a.csv", content: "Comments of a year,,\n,,\nid,text,label\n" + rows("d#,TEXT,p"), rows: 12, ids: true, classes: 1, note: "2 lines above the header"},
		{name: "a.csv", content: "Sales,,,\nname,jan,feb,mar\n" + rows("s#,#.5,3.25,1#"), rows: 12, cols: 3, ids: true, note: "1 line above the header"},
		{name: "a.csv", content: "Comments of a year,,\nid,text,label\n" + rows("d#,TEXT,p"), opt: ReadOptions{Header: "no", TextColumn: []string{"2"}}, rows: 14, classes: 0},
		{name: "a.csv", content: "Sales of a year\ncreated by,Bob\n\nname,jan,feb,mar\n" + rows("s#,#.5,3.25,1#"), rows: 12, cols: 3, ids: true, note: "2 lines above the header, of a title or remarks, passed over (first: Sales of a year)"},
		{name: "a.csv", content: "name,jan,feb\ns1,2,3\ns2,2,3,4\ns3,1,2\n", refused: "correct the line"},
		{name: "a.csv", content: ",,id,text\n" + rows(",,d#,TEXT"), rows: 12, ids: true},
		{name: "a.csv", content: ",text\n" + rows("d#,TEXT"), rows: 12, ids: true},
	})
}

// Numbers with signs of percent or of money are numbers.
func TestKindSignedNumbers(t *testing.T) {
	rows := func(sep string, fields ...string) string {
		var out strings.Builder
		for i := range 12 {
			fmt.Fprintln(&out, strings.ReplaceAll(fmt.Sprintf("r%d%s", i, sep)+strings.Join(fields, sep), "#", fmt.Sprint(i*i%10)))
		}
		return out.String()
	}
	const noted = "Signs of percent or money are left out"
	checkKinds(t, []kind{
		{name: "a.csv", content: "name,a,b\n" + rows(",", "1#.5%", "#%"), rows: 12, cols: 2, ids: true, note: noted + " of numbers such as 10.5%"},
		{name: "a.csv", content: "name,a,b\n" + rows(",", "$1#.50", "-$#"), rows: 12, cols: 2, ids: true, note: noted},
		{name: "a.csv", content: "name,a,b\n" + rows(",", "€ 1#", "# €"), rows: 12, cols: 2, ids: true, note: noted},
		{name: "a.csv", content: "name,a,b\n" + rows(",", `"$1,23#.50"`, "#"), rows: 12, cols: 2, ids: true, note: noted},
		{name: "a.csv", content: "name;a;b\n" + rows(";", "1#,5 %", "#,25"), rows: 12, cols: 2, ids: true, note: noted},
		{name: "a.csv", content: "name;a;b\n" + rows(";", "1.23#,5 €", "#"), rows: 12, cols: 2, ids: true, note: noted},
		{name: "a.tsv", content: "name\ta\tb\n" + rows("\t", "1#.5‰", "#"), rows: 12, cols: 2, ids: true, note: noted},
		{name: "a.csv", content: "name,a,b,c\n" + rows(",", "1#%", "", "3") + "z,2%,5,3\n", refused: "column 3 (b), is empty"},
		{name: "a.csv", content: "id,text\n" + rows(",", "#0% of the cars and a cake"), rows: 12, ids: true},
		{name: "a.csv", content: "id,text,share\n" + rows(",", "the car and a cake #", "1#%"), rows: 12, ids: true, classes: 6, note: noted},
		{name: "a.csv", content: "name,a,b\n" + rows(",", "1#.5%", "#"), opt: ReadOptions{Decimal: "point"}, rows: 12, cols: 1, ids: true, note: "Column 2 (a) holds words and is no term"},
	})
	c := readNamed(t, "a.csv", "name,a,b\np,12.5%,-$3\nq,$1,5 %\nr,3%,$-4.25\n", ReadOptions{})
	for i, want := range [][]float64{{12.5, -3}, {1, 5}, {3, -4.25}} {
		for j, v := range want {
			if c.X.At(i, j) != v {
				t.Errorf("entry %d, %d is %v, not %v", i, j, c.X.At(i, j), v)
			}
		}
	}
}

// Lists of edges as Gephi, networkx and SNAP write them are named, with what to run.
func TestKindEdgesOfOtherPrograms(t *testing.T) {
	const snap = "# Undirected graph: amazon.txt\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n"
	checkKinds(t, []kind{
		{name: "a.txt", content: snap, refused: "‹edge-list›"},
		{name: "a.txt", content: "# made by us\n# Nodes: 3\nx\tz\n0.5\t1\n1.5\t2\n", rows: 2, cols: 2, note: "2 lines at the start"},
		{name: "a.tsv", content: "# made by us\nx\tz\n0.5\t1\n1.5\t2\n", rows: 2, cols: 2},
		{name: "a.csv", content: "# made by us\nx,z\n0.5,1\n1.5,2\n", rows: 2, cols: 2},
		{name: "a.tsv", content: "#x\tz\n0.5\t1\n1.5\t2\n", rows: 2, cols: 2},
		{name: "a.csv", content: "Source,Target,Type,Id,Label,Weight\n0,1,Undirected,0,,1.5\n1,2,Undirected,1,,2\n", refused: "cut -d, -f1,2,6"},
		{name: "a.csv", content: "Source,Target,Type,Weight\n0,1,2,1\n1,2,2,1\n", opt: ReadOptions{Format: "csv"}, rows: 2, cols: 4},
		{name: "a.edges", content: "Source,Target,Type,Id,Label,Weight\n0,1,Undirected,0,,1.5\n", refused: "leave other columns out"},
		{name: "a.edgelist", content: "0 1 {'weight': 4}\n0 2 {'weight': 5}\n", refused: "write_weighted_edgelist"},
		{name: "a.edgelist", content: "0 1 2.5\n0 2 1\n", rows: 3, cols: 3, ids: true},
	})
}

// Answers of few words to an open question are texts beside numbers, those to a closed one are not.
func TestKindShortAnswers(t *testing.T) {
	answers := []string{"too expensive", "price is high", "slow delivery", "arrived late", "friendly staff", "app crashes", "good"}
	survey := func(header string, answer func(i int) string) string {
		return "ResponseId,Age," + header + "\n" + numbered(120, func(i int) string { return fmt.Sprintf("R_%d,%d,%s", i*7919%997, 18+i*31%60, answer(i)) })
	}
	open := func(i int) string {
		return answers[i%7] + []string{"", " really", "!", " please", " indeed", " always"}[i/7%6]
	}
	closed := func(i int) string { return []string{"very satisfied", "rather satisfied", "not satisfied"}[i%3] }
	texts := func(header string) kind {
		return kind{name: "a.csv", content: survey(header, open), rows: 120, note: "The texts are column 3"}
	}
	checkKinds(t, []kind{
		texts("What could we improve?"), texts("Was könnte besser sein?"), texts("\"What, if anything, could we improve?\""), texts("何を改善できますか？"),
		texts("Comments"), texts("feedback"), texts("Answer"), texts("comment"),
		{name: "a.csv", content: survey("What could we improve", open), rows: 120, ids: true, cols: 1, classes: 42},
		{name: "a.csv", content: survey("How satisfied are you?", closed), rows: 120, ids: true, cols: 1, classes: 3},
		{name: "a.csv", content: survey("model", func(i int) string { return fmt.Sprintf("ford pinto %d", i/3) }), rows: 120, ids: true, cols: 1, classes: 40},
	})
}
