package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// readings are rows of measurements in three groups, in turn, from a number on: a time, a code, two
// measurements and a class.
func readings(first, n int) (rows [][]string) {
	rng := rand.New(rand.NewPCG(7, uint64(first)))
	for i := range n {
		k := (first + i) % 3
		rows = append(rows, []string{fmt.Sprintf("2024-01-%02d %02d:00", 1+(first+i)/24, (first+i)%24), fmt.Sprintf("S-%04d", first+i),
			fmt.Sprintf("%.2f", []float64{20, 35, 5}[k]+rng.Float64()), fmt.Sprintf("%.2f", []float64{40, 60, 80}[k]+rng.Float64()), "abc"[k : k+1]})
	}
	return rows
}

// tableOf writes the given columns of rows, with their names unless header is false.
func tableOf(t *testing.T, rows [][]string, separator string, header bool, columns ...int) string {
	t.Helper()
	names := []string{"time", "sensor", "temp", "hum", "sort"}
	if header {
		rows = append([][]string{names}, rows...)
	}
	text := ""
	for _, row := range rows {
		var line []string
		for _, j := range columns {
			field := row[j]
			if separator == ";" && (j == 2 || j == 3) {
				field = strings.ReplaceAll(field, ".", ",")
			}
			line = append(line, field)
		}
		text += strings.Join(line, separator) + "\n"
	}
	return write(t, t.TempDir(), "rows.csv", text)
}

// A single row is read with the columns that the model's table had, whatever its own look says: its
// times are no classes, and its codes are its name, also in another order of columns, with others
// beside, with decimal commas and without a header.
func TestOneRowOfATable(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	mustCall(t, "cluster", tableOf(t, readings(0, 90), ",", true, 0, 1, 2, 3), "-k", "3", "--out", made)
	for _, n := range []int{1, 2, 6} {
		rows := readings(90, n)
		var first map[string]string
		for _, file := range []string{tableOf(t, rows, ",", true, 0, 1, 2, 3), tableOf(t, rows, ",", true, 3, 1, 0, 2), tableOf(t, rows, ";", true, 0, 1, 2, 3),
			tableOf(t, rows, "\t", true, 0, 1, 2, 3), tableOf(t, rows, ",", false, 0, 1, 2, 3), tableOf(t, rows, ",", true, 1, 2, 3)} {
			out := filepath.Join(t.TempDir(), "placed")
			said := mustCall(t, "predict", made, file, "--out", out).stdout
			placed := clustersOf(t, out)
			if first == nil {
				first = placed
			}
			if !maps.Equal(placed, first) || placed["S-0090"] == "" || strings.Contains(said, "accuracy") || !strings.Contains(said, "names of the documents") {
				t.Errorf("%d rows: %v and %v:\n%s", n, placed, first, said)
			}
		}
	}
	short := tableOf(t, readings(90, 1), ",", true, 0, 1, 2)
	if r := call("predict", made, short); r.status != exitRequest || !strings.Contains(r.stderr, "these columns of the model's measurements are missing: hum; write them") {
		t.Errorf("a column that is missing is 0: %d, %s", r.status, r.stderr)
	}
	updated := filepath.Join(t.TempDir(), "updated")
	mustCall(t, "update", made, tableOf(t, readings(90, 1), ",", true, 0, 1, 2, 3), "--out", updated)
	if said := mustCall(t, "predict", updated, tableOf(t, readings(91, 1), ",", true, 0, 1, 2, 3)).stdout; strings.Contains(said, "accuracy") {
		t.Errorf("the model that was updated forgot the columns:\n%s", said)
	}
}

// Words that the model's table did not have are no texts and no names; if they recur they are the
// classes.
func TestNewColumnsOfWords(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	mustCall(t, "cluster", tableOf(t, readings(0, 90), ",", true, 1, 2, 3), "-k", "3", "--out", made)
	const text = "sensor,temp,hum,remark\nS-1,20.5,40.5,a fine day with little wind and a long talk about it\n"
	if said := mustCall(t, "predict", made, write(t, t.TempDir(), "a.csv", text)).stdout; !strings.Contains(said, "Column 4 (remark) holds words, was not in the model's table and is left out") {
		t.Errorf("a remark:\n%s", said)
	}
	if said := mustCall(t, "predict", made, tableOf(t, readings(90, 9), ",", true, 1, 2, 3, 4)).stdout; !strings.Contains(said, "The classes are column 4 (sort)") || !strings.Contains(said, "accuracy") {
		t.Errorf("classes:\n%s", said)
	}
}

// A single document in a wrong cluster is wrong, by the match of the model's labels. Classes of
// which these say nothing are matched anew, which is said.
func TestScoresOfFewDocuments(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	mustCall(t, "cluster", tableOf(t, readings(0, 90), ",", true, 2, 3, 4), "-k", "3", "--out", made)
	row := readings(90, 1)
	for class, want := range map[string]struct {
		accuracy float64
		by, note string
	}{
		"a": {1, "model", "go by the classes of the model's clusters"},
		"b": {0, "model", "go by the classes of the model's clusters"},
		"z": {1, "match", "None of these classes is one of the model's: accuracy and macro-F1 match the clusters with the classes of this document anew"},
	} {
		row[0][4] = class
		var found struct {
			Metrics    struct{ Accuracy float64 }
			AccuracyBy string `json:"accuracy_by"`
			Notes      []string
		}
		must.Do(t, json.Unmarshal([]byte(mustCall(t, "predict", made, tableOf(t, row, ",", true, 2, 3, 4), "--json").stdout), &found))
		if found.Metrics.Accuracy != want.accuracy || found.AccuracyBy != want.by || !strings.Contains(strings.Join(found.Notes, "\n"), want.note) {
			t.Errorf("class %s: %+v", class, found)
		}
	}
}

// A predicted class that no other document of the comparison has is wrong if TRUTH has the class at
// all, or the run says that it is one; a match of a single document is said to be by chance.
func TestEvalOfFewDocuments(t *testing.T) {
	dir := t.TempDir()
	all, one := write(t, dir, "all.csv", "id,label\n1,b\n2,a\n"), write(t, dir, "one.csv", "id,label\n1,b\n")
	list := write(t, dir, "list.csv", "id,label\n1,a\n")
	if said := mustCall(t, "eval", all, list).stdout; !strings.Contains(said, "by the names of the labels\n\naccuracy  NMI     ARI     FMI     purity  F       macro-F1\n0.0000") {
		t.Errorf("a class of another document:\n%s", said)
	}
	said := mustCall(t, "eval", one, list).stdout
	if !strings.Contains(said, "by the best match") || !strings.Contains(said, "with the classes of 1 document, and of so few a match is right by chance") {
		t.Errorf("a match of one document:\n%s", said)
	}
}

// Columns of a new table are found in capital and small letters alike, also where values are
// missing.
func TestColumnsInOtherCase(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	mustCall(t, "cluster", tableOf(t, readings(0, 90), ",", true, 1, 2, 3, 4), "-k", "3", "--missing", "median", "--out", made)
	rows := readings(90, 6)
	rows[2][3] = ""
	table := tableOf(t, rows, ",", true, 4, 3, 1, 2)
	text := must.Get(os.ReadFile(table))(t)
	var said [2]string
	for i, header := range []string{"sort,hum,sensor,temp", "SORT,Hum,Sensor,TEMP"} {
		other := write(t, t.TempDir(), "rows.csv", strings.Replace(string(text), "sort,hum,sensor,temp", header, 1))
		out := filepath.Join(t.TempDir(), "placed")
		mustCall(t, "predict", made, other, "--missing", "median", "--out", out)
		placed := must.Get(os.ReadFile(filepath.Join(out, "clusters.csv")))(t)
		said[i] = string(placed)
	}
	if said[0] != said[1] {
		t.Errorf("places\n%sand in other letters\n%s", said[0], said[1])
	}
}

// The classes of a run are names, be they numbers or words: swapped ones are wrong, unless TRUTH
// has none of them.
func TestEvalOfClassesOfRun(t *testing.T) {
	for _, names := range [][2]string{{"1", "2"}, {"law", "art"}} {
		dir := t.TempDir()
		list := func(first, second string) string {
			text := "id,label\n"
			for i := range 40 {
				text += fmt.Sprintf("%d,%s\n", i+1, []string{first, second}[i%2])
			}
			return write(t, t.TempDir(), "list.csv", text)
		}
		var rows strings.Builder
		for i := range 40 {
			fmt.Fprintf(&rows, "%d,%d\n", 10*(i%2)+i%5, 10*(i%2)+i%7)
		}
		made := filepath.Join(dir, "made")
		mustCall(t, "cluster", write(t, dir, "rows.csv", "x,y\n"+rows.String()), "--label-column", "none", "--labels", list(names[0], names[1]), "--method", "logistic", "--out", made)
		for _, c := range []struct {
			first, second string
			accuracy      float64
			byName        bool
		}{{names[0], names[1], 1, true}, {names[1], names[0], 0, true}, {names[0], "other", .5, true}, {"other", "another", 1, false}} {
			var found struct {
				Metrics struct{ Accuracy float64 }
				ByName  bool `json:"by_name"`
				Notes   []string
			}
			must.Do(t, json.Unmarshal([]byte(mustCall(t, "eval", list(c.first, c.second), made, "--column", "class", "--json").stdout), &found))
			noted := strings.Contains(strings.Join(found.Notes, "\n"), "has none of the classes of the run: ")
			if found.Metrics.Accuracy != c.accuracy || found.ByName != c.byName || noted == c.byName {
				t.Errorf("classes %v: %+v: %+v", names, c, found)
			}
		}
	}
}

// The columns that speak for a cluster have the value of the file and the means of the clusters,
// however the run weighs them; a column with a large mean that is alike everywhere says nothing.
func TestExplainMeasurements(t *testing.T) {
	text := "name,level,flow,none\n"
	for i := range 40 {
		text += fmt.Sprintf("n%d,%g,%g,%g\n", i, 1000+20*float64(i%2)+float64(i%5), 0.5+0.25*float64(i%2)+0.01*float64(i%3), 5000+float64(i%7))
	}
	file := write(t, t.TempDir(), "flows.csv", text)
	for _, weighting := range []string{"standard", "tf"} {
		made := filepath.Join(t.TempDir(), "made")
		mustCall(t, "cluster", file, "-k", "2", "--weighting", weighting, "--out", made)
		var found struct {
			Explanations []struct {
				Columns []struct {
					Column            string
					Value, Mean, Next float64
				}
			}
		}
		must.Do(t, json.Unmarshal([]byte(mustCall(t, "explain", made, "n1", "--json").stdout), &found))
		at := map[string][3]float64{}
		for _, c := range found.Explanations[0].Columns {
			at[c.Column] = [3]float64{c.Value, c.Mean, c.Next}
		}
		if at["level"] != [3]float64{1021, 1022, 1002} || at["flow"][0] != 0.76 || found.Explanations[0].Columns[0].Column == "none" {
			t.Errorf("%s: %v", weighting, found.Explanations)
		}
		if said := mustCall(t, "explain", made, "n1").stdout; !strings.Contains(said, "level 1021 (") || !strings.Contains(said, "by columns") {
			t.Errorf("%s:\n%s", weighting, said)
		}
	}
}

// aFewTexts are texts of two kinds in turn.
func aFewTexts(n int) (list []string) {
	rng := rand.New(rand.NewPCG(5, 8))
	kinds := [2][]string{strings.Fields("engine car wheel brake motor road gear driver fuel garage"), strings.Fields("flour cake oven sugar butter recipe bake cream egg dough")}
	for i := range n {
		text := ""
		for range 8 {
			text += kinds[i%2][rng.IntN(10)] + " "
		}
		list = append(list, strings.TrimSpace(text))
	}
	return list
}

// One text in a file of its own is read in the format of the model's documents, if its name says
// none and its look does not contradict it.
func TestOneTextInItsFormat(t *testing.T) {
	texts := aFewTexts(60)
	mail := func(k int, from string) string {
		return fmt.Sprintf("%sFrom: a@b.c\nSubject: news\nMessage-ID: <m%d@x>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\n%s\n\n", from, k, texts[k%60])
	}
	kinds := map[string]func(k int, text string) string{
		"lines.txt": func(_ int, text string) string { return text + "\n" },
		"chat.txt": func(k int, text string) string {
			return fmt.Sprintf("12/%02d/23, 10:15 - %s: %s\n", k%28+1, []string{"Ann", "Bob"}[k%2], text)
		},
		"labels.txt":   func(k int, text string) string { return fmt.Sprintf("__label__%d %s\n", k%2, text) },
		"mailbox.mbox": func(k int, _ string) string { return mail(k, "From a@b Mon Jan  1 00:00:00 2024\n") },
	}
	single := map[string][2]string{
		"lines.txt":    {"one.txt", "car, engine, and a road"},
		"chat.txt":     {"one.txt", "12/30/23, 10:15 - Ann: car engine road"},
		"labels.txt":   {"one.txt", "car engine road"},
		"mailbox.mbox": {"one.eml", mail(100, "")},
	}
	for name, write1 := range kinds {
		content := ""
		for k, text := range texts {
			content += write1(k, text)
		}
		made := filepath.Join(t.TempDir(), "made")
		args := []string{"cluster", write(t, t.TempDir(), name, content), "-k", "2", "--min-df", "1", "--out", made}
		if name == "lines.txt" {
			args = append(args, "--input-format", "lines")
		}
		mustCall(t, args...)
		one := single[name]
		r := call("predict", made, write(t, t.TempDir(), one[0], one[1]))
		if r.status != 0 || !strings.Contains(r.stdout, ": 1 document, ") {
			t.Errorf("%s: status %d, %s%s", name, r.status, r.stdout, r.stderr)
		}
		// What looks like something else is that.
		r = call("predict", made, write(t, t.TempDir(), "other.jsonl", "{\"id\":\"j\",\"text\":\"car engine road\"}\n"))
		if r.status != 0 || !strings.Contains(r.stdout, "other.jsonl: 1 document, 3 terms") {
			t.Errorf("%s, JSON: status %d, %s%s", name, r.status, r.stdout, r.stderr)
		}
	}
}

// A few texts in a folder are a text each where the model's were, also if a document could stand on
// each of their lines.
func TestFolderInItsFormat(t *testing.T) {
	texts := aFewTexts(60)
	file := func(k int) (content string) {
		for i := range 25 {
			content += strings.Repeat(texts[(k+i*2)%60]+" ", 1+i%4*2) + "\n"
		}
		return content
	}
	dir, later := t.TempDir(), t.TempDir()
	for k := range 20 {
		write(t, dir, fmt.Sprintf("%d.txt", k), file(k))
	}
	write(t, later, "more.txt", file(0))
	write(t, later, "other.txt", file(1))
	made := filepath.Join(t.TempDir(), "made")
	mustCall(t, "cluster", dir, "-k", "2", "--min-df", "1", "--out", made)
	if r := call("predict", made, later); r.status != 0 || !strings.Contains(r.stdout, ": 2 documents, ") {
		t.Errorf("status %d, %s%s", r.status, r.stdout, r.stderr)
	}
	if r := call("info", later); !strings.Contains(r.stdout, "documents   50") {
		t.Errorf("without a model: %s%s", r.stdout, r.stderr)
	}
}

// A single row of words without a header is no header: the columns are those of the model, by their
// numbers.
func TestOneRowOfTexts(t *testing.T) {
	table := "nr,remark,kind\n"
	for k, text := range aFewTexts(60) {
		table += fmt.Sprintf("T%d,%s,%d\n", k, text, k%2)
	}
	made := filepath.Join(t.TempDir(), "made")
	mustCall(t, "cluster", write(t, t.TempDir(), "remarks.csv", table), "-k", "2", "--id-column", "nr", "--out", made)
	for _, row := range []string{"T99,car engine road,x\n", "nr,remark,kind\nT99,car engine road,x\n", "kind,nr,remark\nx,T99,car engine road\n"} {
		out := filepath.Join(t.TempDir(), "placed")
		said := mustCall(t, "predict", made, write(t, t.TempDir(), "row.csv", row), "--out", out).stdout
		if placed := clustersOf(t, out); len(placed) != 1 || placed["T99"] == "" || !strings.Contains(said, "1 document, 3 terms") {
			t.Errorf("%q: %v\n%s", row, placed, said)
		}
	}
}
