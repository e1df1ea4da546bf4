package corpus

import (
	"strings"
	"testing"
)

// Counts of the old formats of the field, as people have them.

const fourWords = "alpha\nbeta\ngamma\ndelta\n"

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

func TestKindLDAC(t *testing.T) {
	const counts = "2 0:1 2:2\n2 1:3 3:1\n1 0:2\n3 0:1 1:1 3:4\n"
	from1 := "2 1:1 3:2\n2 2:3 4:1\n1 1:2\n3 1:1 2:1 4:4\n"
	vocabulary := map[string]string{"vocab.txt": fourWords}
	checkKinds(t, []kind{
		{name: "a.ldac", content: crlf(counts), rows: 4, cols: 4},
		{name: "a.ldac", content: strings.TrimSuffix(counts, "\n"), rows: 4, cols: 4},
		{name: "corpus.dat", content: "\n" + strings.ReplaceAll(counts, "\n", "\n\n"), rows: 4, cols: 4, note: "ldac was recognised"},
		{name: "a.ldac", content: strings.ReplaceAll(counts, " ", "\t"), rows: 4, cols: 4},
		{name: "a.ldac", content: "0\n" + counts + "0\n", rows: 6, cols: 4, note: "2 documents have no entries"},
		{name: "a.ldac", content: "1 3:1.5\n2 0:0.25 1:2\n", rows: 2, cols: 4},
		{name: "a.ldac", content: counts, beside: vocabulary, rows: 4, cols: 4, terms: "alpha beta"},
		{name: "a.ldac.gz", content: gzipped(counts), beside: map[string]string{"a.ldac.vocab": crlf(fourWords)}, rows: 4, cols: 4, terms: "alpha beta"},
		{name: "a.ldac", content: counts, beside: map[string]string{"vocab.txt": fourWords + "epsilon\nzeta\n"}, rows: 4, cols: 6, terms: "alpha beta"},
		{name: "a.ldac", content: counts, beside: map[string]string{"vocab.txt": "alpha\nbeta\n"}, rows: 4, cols: 4, note: "passed over"},
		// Terms numbered from 1, which a vocabulary of as many words as the highest number says.
		{name: "a.ldac", content: from1, beside: vocabulary, rows: 4, cols: 4, terms: "alpha beta", note: "numbered from 1"},
		{name: "a.ldac", content: from1, rows: 4, cols: 5},
		{name: "a.ldac", content: "3 0:1 2:2\n", refused: "has 2 pairs, where its first number says 3"},
		{name: "a.ldac", content: "2 0:1 0:2\n", refused: "two counts"},
		{name: "a.ldac", content: "2 0:1 -1:2\n", refused: "line 1"},
		{name: "a.ldac", content: "# of our corpus\n" + counts, refused: "line 1"},
		{name: "a.ldac", content: "2 0:1 x:2\n", refused: "line 1"},
		{name: "a.ldac", content: "\n\n", refused: "no documents"},
		{name: "a.svm", content: "1 0:1\n2 0:2 1:1\n", rows: 2, cols: 2, classes: 2},
	})
}

func TestKindUCI(t *testing.T) {
	const entries = "1 1 3\n1 3 1\n2 2 2\n3 1 1\n3 4 5\n"
	const counts = "3\n4\n5\n" + entries
	vocabulary := map[string]string{"vocab.kos.txt": fourWords}
	checkKinds(t, []kind{
		{name: "docword.kos.txt", content: crlf(counts), beside: vocabulary, rows: 3, cols: 4, terms: "alpha beta gamma delta"},
		{name: "docword.kos.txt", content: strings.TrimSuffix(counts, "\n"), rows: 3, cols: 4},
		{name: "docword.kos.txt", content: "\n" + strings.ReplaceAll(counts, "\n", "\n\n"), rows: 3, cols: 4},
		{name: "docword.kos.txt.gz", content: gzipped(counts), beside: vocabulary, rows: 3, cols: 4, terms: "alpha"},
		{name: "kos.dat", content: strings.ReplaceAll(counts, " ", "\t"), rows: 3, cols: 4, note: "uci was recognised"},
		{name: "docword.kos.txt", content: "5\n6\n5\n" + entries, rows: 5, cols: 6, note: "2 documents have no entries"},
		{name: "docword.kos.txt", content: "3\n4\n5\n3 4 5\n2 2 2\n1 3 1\n3 1 1\n1 1 3\n", rows: 3, cols: 4},
		{name: "docword.kos.txt", content: strings.Replace(counts, "2 2 2", "2 2 2.5", 1), opt: ReadOptions{Format: "uci"}, rows: 3, cols: 4},
		{name: "docword.kos.txt", content: counts, beside: map[string]string{"vocab.kos.txt": "alpha\nbeta\n"}, rows: 3, cols: 4, note: "passed over: it has 2 lines, and there are 4 terms"},
		{name: "docword.kos.txt", content: counts, beside: map[string]string{"vocab.kos.txt": fourWords + "epsilon\n"}, rows: 3, cols: 4, note: "passed over: it has 5 lines, and there are 4 terms"},
		{name: "docword.kos.txt", content: "3\n4\n6\n" + entries, refused: "has 5 entries, where its third line says 6"},
		{name: "docword.kos.txt", content: "3\n4\n5\n0 0 3\n0 2 1\n1 1 2\n2 0 1\n2 3 5\n", opt: ReadOptions{Format: "uci"}, refused: "line 4"},
		{name: "docword.kos.txt", content: "2\n4\n5\n" + entries, opt: ReadOptions{Format: "uci"}, refused: "line 7"},
		{name: "docword.kos.txt", content: strings.Replace(counts, "1 3 1", "1 1 1", 1), refused: "two counts"},
		{name: "docword.kos.txt", content: "# bag\n" + counts, opt: ReadOptions{Format: "uci"}, refused: "line 1"},
		{name: "docword.kos.txt", content: "0\n0\n0\n", opt: ReadOptions{Format: "uci"}, refused: "empty"},
		{name: "docword.kos.txt", content: "3\n4\n", opt: ReadOptions{Format: "uci"}, refused: "line 2"},
	})
}

func TestKindCLUTO(t *testing.T) {
	const counts = "3 4 5\n1 3 3 1\n2 2\n1 1 4 5\n"
	const graph = "3 4\n2 1 3 2\n1 1\n1 2\n"
	beside := map[string]string{"a.mat.clabel": fourWords, "a.mat.rlabel": "one\ntwo\nthree\n", "a.mat.rclass": "p\nq\np\n"}
	checkKinds(t, []kind{
		{name: "a.mat", content: crlf(counts), rows: 3, cols: 4},
		{name: "a.mat", content: strings.TrimSuffix(counts, "\n"), rows: 3, cols: 4},
		{name: "a.mat", content: counts, beside: beside, rows: 3, cols: 4, classes: 2, ids: true, terms: "alpha beta"},
		{name: "a.mat.gz", content: gzipped(counts), beside: beside, rows: 3, cols: 4, classes: 2, ids: true, terms: "alpha beta"},
		{name: "a.mat", content: crlf(counts), beside: map[string]string{"a.mat.rclass": crlf("p\nq\np\n")}, rows: 3, cols: 4, classes: 2},
		{name: "a.mat", content: "4 4 5\n1 3 3 1\n\n2 2\n1 1 4 5\n", rows: 4, cols: 4, note: "1 document has no entries"},
		{name: "a.mat", content: "3 4 5\n1 0.5 3 1e-2\n2 -2\n1 1 4 5\n", rows: 3, cols: 4},
		{name: "a.mat", content: "2 3\n0.5 1 0\n1 2 3.5\n", rows: 2, cols: 3},
		{name: "a.mat", content: counts + "\n\n", rows: 3, cols: 4},
		{name: "a.mat", content: "3 4 6\n1 3 3 1\n2 2\n1 1 4 5\n", refused: "names 6 entries, and the rows have 5"},
		{name: "a.mat", content: "3 4 5\n0 3 2 1\n1 2\n0 1 3 5\n", refused: "1 to 4"},
		{name: "a.mat", content: "2 4 5\n1 3 3 1\n2 2\n1 1 4 5\n", refused: "more rows than the 2"},
		{name: "a.mat", content: counts, beside: map[string]string{"a.mat.rclass": "p\nq\n"}, refused: "has 2 lines"},
		{name: "a.mat", content: "% a comment\n" + counts, opt: ReadOptions{Format: "cluto"}, refused: "sizes of a matrix of CLUTO"},
		{name: "a.mat", content: "3 4 5\n1 3 3\n2 2\n1 1 4 5\n", refused: "no value"},
		{name: "a.graph", content: graph, rows: 3, cols: 3},
		{name: "a.graph", content: crlf(graph), rows: 3, cols: 3},
		{name: "a.graph.gz", content: gzipped(strings.TrimSuffix(graph, "\n")), rows: 3, cols: 3},
		{name: "a.graph", content: "4 4\n2 1 3 2\n1 1\n1 2\n\n", rows: 4, cols: 4},
		{name: "a.graph", content: "3 4\n1 1 2 2\n0 1\n0 2\n", refused: "node 2: 0 is not the number of a node, from 1 to 3"},
		{name: "a.graph", content: "3 4\n2 1 4 2\n1 5\n1 2\n", refused: "from 1 to 3"},
		{name: "a.metis", content: "% made by us\n3 2\n2 3\n1\n1\n", rows: 3, cols: 3},
		{name: "a.metis", content: "3 3\n2 3\n1\n1\n", refused: "3"},
	})
}

// Documents that are all alike are read as they are.
func TestKindEqualDocuments(t *testing.T) {
	times := strings.Repeat
	array := "[" + strings.TrimSuffix(times("{\"text\": \"test\"},\n", 20), ",\n") + "]"
	checkKinds(t, []kind{
		{name: "a.jsonl", content: times("{\"text\": \"some equal words\"}\n", 20), rows: 20, cols: 2},
		{name: "a.jsonl.gz", content: gzipped(times("{\"text\": \"test\"}\n", 20)), rows: 20, cols: 1},
		{name: "a.json", content: array, rows: 20, cols: 1},
		{name: "a.csv", content: "text\n" + times("some equal words\n", 20), rows: 20, cols: 2},
		{name: "a.csv", content: "text,label\n" + times("some equal words,p\n", 20), rows: 20, cols: 2, classes: 1},
		{name: "a.txt", content: times("some equal words\n", 20), opt: ReadOptions{Format: "lines"}, rows: 20, cols: 2},
		{name: "a.csv", content: "a,b,c\n" + times("1.5,0.5,2.5\n", 20), rows: 20, cols: 3},
		{name: "a.svm", content: times("1 1:2 3:1\n", 20), rows: 20, cols: 3, classes: 1},
		{name: "a.ldac", content: times("2 0:1 2:2\n", 20), rows: 20, cols: 3},
		{name: "a.mat", content: "5 3 10\n" + times("1 2 3 1\n", 5), rows: 5, cols: 3},
		{name: "a.jsonl", content: times("{\"text\": \"\"}\n", 20), refused: "none of its 20 documents has a word left"},
		{name: "a.jsonl", content: times("{\"text\": \"the\"}\n", 20), refused: "none of its 20 documents has a word left"},
		{name: "a.csv", content: "a,b,c\n" + times("0,0,0\n", 20), refused: "all entries are zero"},
	})
}
