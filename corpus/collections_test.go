package corpus

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// Collections as their makers keep them are read as they mean them, from folders and from archives.
func TestCollections(t *testing.T) {
	texts := func(n int, name string, more ...string) map[string]string {
		files := make(map[string]string)
		for i := range n {
			files[fmt.Sprintf(name, i)] = fmt.Sprintf("the engine of car %c and its wheels", 'a'+i)
			for _, other := range more {
				files[fmt.Sprintf(other, i)] = "T1\tPart 4 10\tengine\n"
			}
		}
		return files
	}
	with := func(files map[string]string, more ...string) map[string]string {
		files = maps.Clone(files)
		for i := 0; i < len(more); i += 2 {
			files[more[i]] = more[i+1]
		}
		return files
	}
	table := func(header string, rows int, row string) string {
		all := header + "\n"
		for i := range rows {
			all += strings.ReplaceAll(row, "#", fmt.Sprint(i)) + "\n"
		}
		return all
	}
	train := table("id,text,label", 12, "#,the engine of the car and wheel #,a") + table("", 12, "9#,a cake in the oven with sugar,b")[1:]
	for name, c := range map[string]struct {
		files              map[string]string
		opt                ReadOptions
		documents, classes int
		note, refused      string
		folder             bool // not from an archive
	}{
		"brat":                 {files: with(texts(8, "%d.txt", "%d.ann"), "annotation.conf", "[entities]\n", "visual.conf", "[labels]\n"), documents: 8, note: "8 files are left out beside a text (.txt) of the same name (first: 0.ann)"},
		"data of texts":        {files: texts(8, "%d.txt", "%d.json"), documents: 8, note: "beside a text"},
		"two forms":            {files: texts(8, "%d.txt", "%d.html", "%d.xml"), documents: 8, note: "16 files are left out beside"},
		"some annotated":       {files: with(texts(8, "a%d.txt", "a%d.ann"), "b1.txt", "words of their own"), documents: 9, note: "beside a text"},
		"few pairs":            {files: with(texts(8, "a%d.txt"), "a1.html", "words", "a2.html", "more words"), documents: 10},
		"notes of two kinds":   {files: with(texts(8, "%d.md"), "1.txt", "words", "2.txt", "words", "3.txt", "words"), documents: 11},
		"every file":           {files: texts(8, "%d.txt", "%d.ann"), opt: ReadOptions{Format: "folder"}, documents: 16},
		"saved pages":          {files: with(texts(8, "p%d.html", "p%d_files/a.js.download", "p%d_files/frame.html", "p%d_files/x/s.css"), "q_files/1.html", "words without a page"), documents: 9, note: "24 files are left out, in folders that browsers save"},
		"a folder each":        {files: texts(12, "user%d/story.md"), documents: 12, note: "hardly two texts are in one folder"},
		"a folder each, asked": {files: texts(12, "user%d/story.md"), opt: ReadOptions{ClassFolder: "first"}, documents: 12, classes: 12},
		"few folders":          {files: texts(8, "user%d/story.md"), documents: 8, classes: 8},
		"one folder":           {files: with(texts(8, "texts/%d.txt"), "more.txt", "words"), documents: 9},
		"a contest":            {files: map[string]string{"train.csv": train, "test.csv": table("id,text", 9, "8#,words on engines"), "sample_submission.csv": table("id,label", 9, "8#,a"), "data_description.txt": "text: what is said"}, documents: 24, classes: 2, note: "train.csv, whose rows have more columns than those of "},
		"a contest, whole":     {files: map[string]string{"train.csv": train, "test.csv": strings.ReplaceAll(strings.ReplaceAll(train, "\n9", "\n79"), "\n1", "\n71")}, documents: 48, classes: 2, note: "2 tables with the same columns"},
		"LDA-C":                {files: map[string]string{"ap.dat": strings.Repeat("2 0:1 2:3\n2 1:1 2:2\n", 6), "vocab.txt": "car\nwheel\nsong\n", "readme.txt": "words"}, documents: 12, note: "The terms are from vocab.txt", folder: true},
		"UCI":                  {files: map[string]string{"wine.data": strings.Repeat("1.5,2.5,a\n2.5,3.5,b\n", 9), "wine.names": "1. Title: wine\n", "Index": "Index of wine\n"}, documents: 18, classes: 2, note: "wine.data, the only file"},
		"shards":               {files: map[string]string{"README.md": "words", "data/test-0.parquet": string(vectorParquet(t, true, 8, 3, 3, 3)), "data/train-0.parquet": string(vectorParquet(t, true, 8, 3, 3, 3, 3))}, documents: 7, classes: 2, note: "The corpus is 2 files", folder: true},
		"shards, beside":       {files: map[string]string{"README.md": "words", "1.parquet": string(vectorParquet(t, true, 8, 3, 3, 3))}, documents: 3, classes: 2, note: "The corpus is the file", folder: true},
		"papers":               {files: papers(6, `{"paper_id": "P%d", "metadata": {"title": "words %d"}, "abstract": [{"text": "the engine %d", "section": "Abstract"}], "body_text": [{"text": "a car with four wheels on a long road to the north", "section": "One"}, {"text": "and a road", "section": "Two"}]}`), documents: 6, note: "The texts are field body_text"},
		"chats":                {files: papers(6, `{"title": "P%d", "participants": [{"name": "Ann"}], "messages": [{"sender": "Ann", "text": "the engine of car %d and its wheels"}, {"sender": "Bob", "text": "words of %d on a cake with sugar"}]}`), documents: 12},
		"lists of rows":        {files: papers(4, `{"version": "%d", "data": [{"text": "the engine of car %d and its wheels", "label": "a"}, {"text": "words of %d on a cake with sugar", "label": "b"}]}`), documents: 8, classes: 2},
		"passages":             {files: papers(4, `{"title": "%d", "passages": [{"text": "the engine of car %d and its wheels", "label": "a"}, {"text": "words of %d on a cake with sugar", "label": "b"}]}`), documents: 8, classes: 2},
		"no contest":           {files: map[string]string{"strain.csv": "id,a,b\n" + strings.Repeat("1,2.5,3\n", 9), "latest.csv": "id,a\n" + strings.Repeat("1,2.5\n", 9)}, refused: "is by its name a table in a folder of texts"},
		"saved data":           {files: map[string]string{"dataset_dict.json": "{}", "train/data-0.arrow": string(arrowFile(t, 12, true)), "train/state.json": "{}", "train/dataset_info.json": "{}", "test/data-0.arrow": string(arrowFile(t, 9, true)), "test/state.json": "{}"}, documents: 21, classes: 2, note: "2 tables"},
		"saved data, alone":    {files: map[string]string{"data-0.arrow": string(arrowFile(t, 12, true)), "state.json": "{}", "dataset_info.json": "{}"}, documents: 12, classes: 2, note: "the only file"},
	} {
		c.opt.Text.MinDF = 1
		ways := map[string]string{"folder": makeFolder(t, c.files)}
		if !c.folder {
			ways["archive"] = writeFile(t, t.TempDir(), "a.zip", archivedZip(c.files))
		}
		for way, path := range ways {
			got, err := Read(t.Context(), path, c.opt)
			if err != nil || c.refused != "" {
				if err == nil || c.refused == "" || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%s, %s: %v", name, way, err)
				}
				continue
			}
			notes := strings.Join(append(got.Notes, got.LabelNote), " ")
			if got.Len() != c.documents || len(got.ClassNames) != c.classes || !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "left out,") {
				t.Errorf("%s, %s: %d documents, classes %v, ids %q, notes %q", name, way, got.Len(), got.ClassNames, got.IDs, notes)
			}
		}
	}
}

// papers are files of JSON with their numbers in them.
func papers(n int, object string) map[string]string {
	files := make(map[string]string)
	for i := range n {
		files[fmt.Sprintf("p%d.json", i)] = fmt.Sprintf(object, i, i, i)
	}
	return files
}

// archivedZip is an archive of files in a folder.
func archivedZip(files map[string]string) []byte {
	var members []string
	for name, content := range files {
		members = append(members, "top/"+name, content)
	}
	return zipped(members...)
}
