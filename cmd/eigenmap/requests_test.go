package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// mat73 is the head of a MATLAB 7.3 file, which is HDF5 in disguise.
func mat73() string {
	head := "MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024 HDF5 schema 1.00 ."
	return head + strings.Repeat(" ", 116-len(head)) + strings.Repeat("\x00", 8) + "\x00\x02IM" +
		strings.Repeat("\x00", 384) + "\x89HDF\r\n\x1a\n" + strings.Repeat("\x00", 64)
}

// matHead is the head of a level 5 file whose first element promises more than the file has.
func matHead() string {
	head := "MATLAB 5.0 MAT-file, Platform: GLNXA64"
	return head + strings.Repeat(" ", 116-len(head)) + strings.Repeat("\x00", 8) + "\x00\x01IM" +
		"\x0e\x00\x00\x00\x00\x10\x00\x00" + "\x06\x00\x00\x00\x08\x00\x00\x00"
}

// TestWrongRequests: whatever is wrong with a request or its files ends in one sentence and status
// 2.
func TestWrongRequests(t *testing.T) {
	dir := t.TempDir()
	good := texts(t, dir, 20)
	mtx := func(name, body string) string {
		return write(t, dir, name, "%%MatrixMarket matrix coordinate real general\n"+body)
	}
	square := mtx("square.mtx", "3 3 3\n1 2 1\n2 1 1\n3 1 1\n")
	cluster := func(file string, more ...string) []string {
		return append([]string{"cluster", file, "--method", "kmeans", "-k", "2"}, more...)
	}
	method := func(name string, more ...string) []string {
		return append([]string{"cluster", good, "--method", name}, more...)
	}
	labels := write(t, dir, "labels.csv", "id,label\ndoc-0-0,topic0\ndoc-1-0,topic1\ndoc-2-0,topic2\n")
	links := write(t, dir, "links.csv", "doc-0-0,doc-0-1,must\ndoc-0-0,doc-1-0,cannot\n")
	pair := mtx("pair.mtx", "2 2 3\n1 1 1\n1 2 1\n2 2 1\n")
	marked := write(t, dir, "marked.csv", "id,weight,size,class\nd1,1,2,a\nd2,2,1,a\nd3,8,9,b\nd4,9,-1,b\nd5,7,9,b\n")
	long := write(t, dir, "long.csv", "1,2\n2,1\n1e200,3\n")
	dense := write(t, dir, "dense.csv", "1,2\n2,1\n8,9\n9,8\n7,9\n")
	aFile := write(t, dir, "a-file", "")
	for _, c := range []struct {
		name string
		args []string
		says string // part of the sentence
	}{
		{"missing file", cluster(filepath.Join(dir, "none.mat")), "none.mat"},
		{"empty folder", cluster(t.TempDir()), ""},
		{"directory instead of a file", []string{"eval", dir, dir}, "folder"},
		{"truncated mat", cluster(write(t, dir, "cut.mat", matHead())), "cut.mat"},
		{"damaged mat 7.3", cluster(write(t, dir, "new.mat", mat73())), "new.mat"},
		{"NaN entry", cluster(mtx("nan.mtx", "2 2 2\n1 1 nan\n2 2 1\n")), "nan.mtx"},
		{"infinite entry", cluster(mtx("inf.mtx", "2 2 2\n1 1 inf\n2 2 1\n")), "inf.mtx"},
		{"negative counts", cluster(mtx("neg.mtx", "2 2 3\n1 1 -1\n1 2 2\n2 2 1\n"), "--weighting", "tfidf"), "neg.mtx"},
		{"labels of another length", cluster(square, "--truth", write(t, dir, "two.txt", "a\nb\n")), "labels"},
		{"labels of unknown documents", cluster(good, "--truth", write(t, dir, "other.csv", "id,label\nnobody,x\n")), "nobody"},
		{"k = 0", []string{"cluster", good, "--method", "le", "-k", "0"}, "at least 1"},
		{"k negative", []string{"cluster", good, "--method", "le", "-k", "-3"}, "at least 1"},
		{"k > n", []string{"cluster", good, "--method", "le", "-k", "61"}, "more than its 60 documents"},
		{"seed negative", cluster(good, "--seed", "-1"), "whole number"},
		{"share above 1", cluster(good, "--max-df", "2"), "--max-df"},
		{"config: yes", cluster(good, "--config", write(t, dir, "yes.yaml", "transpose: yes\n")), "true or false"},
		{"model instead of a corpus", cluster(modelOf(t, good)), "not a corpus"},
		{"corpus instead of a model", []string{"predict", good, good}, "not a model"},
		{"no such model", []string{"predict", filepath.Join(dir, "none.npz"), good}, "none.npz"},
		{"folder instead of a model", []string{"predict", dir, good}, "a folder without a model"},
		{"predict without a corpus", []string{"predict", good}, "MODEL and FILE"},
		{"other columns", []string{"predict", modelOf(t, good), square}, "columns"},
		{"k unknown", []string{"cluster", square, "--method", "kmeans"}, "give -k"},
		{"no method", []string{"embed", good}, "give --method with one of le, semi-le, cle"},
		{"nearly a method", []string{"cluster", good, "--method", "gm"}, "(did you mean gmm?): the methods are le"},
		{"nearly a command", []string{"clutser", good}, "(did you mean cluster?)"},
		{"nearly a command with a flag", []string{"clsuter", good, "-k", "3"}, `there is no command "clsuter" (did you mean cluster?): eigenmap --help`},
		{"nearly a command with a long flag", []string{"--json", "clsuter", good, "--neighbors", "3"}, `there is no command "clsuter" (did you mean cluster?)`},
		{"a flag before any command", []string{"--neighbors", "3", good}, "unknown flag: --neighbors"},
		{"empty folder of results", cluster(good, "--out", ""), "--out\" flag: it is empty"},
		{"empty file of labels", cluster(good, "--truth", ""), "it is empty"},
		{"config: empty folder of results", cluster(good, "--config", write(t, dir, "out.yaml", "out: \"\"\n")), "line 1"},
		{"no such configuration", cluster(good, "--config", filepath.Join(dir, "none.yaml")), "check the path"},
		{"more components than columns", []string{"cluster", dense, "--method", "pca", "-k", "3"}, "at most 2 dimensions, not 3: give -d 2"},
		{"more components by --pca", []string{"cluster", dense, "--method", "pca", "-k", "2", "--pca", "9"}, "not 9: give --pca 2"},
		{"more components of a mixture", []string{"cluster", dense, "--method", "gmm", "-k", "2", "--pca", "3"}, "not 3: give --pca 2"},
		{"more components before discriminants", []string{"cluster", marked, "--method", "semi-ldc", "--soft-labels", "hard", "--labeled-fraction", "0.5", "--pca", "3"}, "not 3: give --pca 2"},
		{"negative entry", []string{"cluster", marked, "--method", "nmf", "-k", "2", "--classes", "b"}, "the entry in document d4, size is -1:"},
		{"row too long", []string{"graph", long}, "document 3 is too long"},
		{"more topics than columns", []string{"cluster", dense, "--method", "nmf", "-k", "3"}, "not 3: give -k 2"},
		{"more coordinates than columns", []string{"embed", dense, "--method", "nmf", "-d", "3"}, "not 3: give -d 2"},
		{"unknown method", []string{"cluster", good, "--method", "magic"}, "le, semi-le, cle"},
		{"method without an embedding", []string{"embed", good, "--method", "kmeans", "-d", "2"}, "no embedding"},
		{"flag of another method", cluster(good, "--neighbors", "5"), "--neighbors"},
		{"unknown flag", cluster(good, "--bogus"), "--bogus"},
		{"flag spelled wrong", cluster(good, "--neighbours", "5"), "--neighbours (did you mean --neighbors?)"},
		{"unknown command", []string{"clutser", good}, "clutser"},
		{"command of another name", []string{"evaluate", good, good}, "(did you mean eval?)"},
		{"command of scikit-learn", []string{"fit", good}, "(did you mean cluster?)"},
		{"command of git", []string{"show", good}, "(did you mean explore?)"},
		{"a method as command", []string{"kmeans", good, "-k", "3"}, "but a method: eigenmap cluster FILE --method kmeans"},
		{"a file as command", []string{good, "-k", "3"}, "is a file or folder and no command: eigenmap info"},
		{"flag of scikit-learn", cluster(good, "--random_state", "1"), "(did you mean --seed?)"},
		{"method of another name", []string{"cluster", good, "--method", "louvain"}, "(did you mean leiden?)"},
		{"flag of another name", cluster(good, "--output", dir), "--output (did you mean --out?)"},
		{"names behind the file", []string{"explain", dir, good, "d1", "d 2"}, "too many: name documents by --id, as in --id 'd1,d 2'"},
		{"no file", []string{"info"}, "FILE"},
		{"an empty name", []string{"info", ""}, "FILE is empty"},
		{"too many files", []string{"info", good, good}, "is one argument too many"},
		{"several files", cluster(good, good), "several files are one corpus in a folder or in an archive"},
		{"standard output for files", cluster(good, "--out", "-"), "--out -: results are files"},
		{"a file for pieces", cluster(good, "--work", aFile), "--work needs a folder: choose another"},
		{"empty file", cluster(write(t, dir, "empty.jsonl", "")), "empty.jsonl"},
		{"empty corpus", cluster(mtx("zero.mtx", "0 0 0\n")), "zero.mtx"},
		{"one document, k-means", []string{"cluster", mtx("one.mtx", "1 3 2\n1 1 1\n1 2 1\n"), "--method", "kmeans", "-k", "1"}, "one.mtx"},
		{"one document, le", []string{"cluster", mtx("one2.mtx", "1 3 2\n1 1 1\n1 2 1\n"), "--method", "le", "-k", "1"}, "one2.mtx"},
		{"no two documents share a term", []string{"cluster", mtx("apart.mtx", "3 3 3\n1 1 1\n2 2 1\n3 3 1\n"), "--method", "le", "-k", "2"}, ""},
		{"index out of range", cluster(mtx("range.mtx", "2 2 2\n1 1 1\n3 1 1\n")), "range.mtx"},
		{"two values for one entry", cluster(mtx("twice.mtx", "2 2 3\n1 1 1\n1 1 2\n2 2 1\n")), "twice.mtx"},
		{"affinity not symmetric", []string{"cluster", square, "--precomputed", "--method", "le", "-k", "2"}, "square.mtx"},
		{"affinity and weights", []string{"cluster", square, "--precomputed", "--method", "le", "-k", "2", "--weighting", "tf"}, "--weighting"},
		{"affinity and k-means", cluster(square, "--precomputed"), "--precomputed"},
		{"landmarks of a graph", []string{"cluster", square, "--precomputed", "--method", "le", "-k", "2", "--landmarks", "2"}, "--landmarks has no effect beside --precomputed"},
		{"landmarks of a graph that is given", method("cle", "--labeled-fraction", "0.2", "--graph", square, "--landmarks", "20"), "--landmarks has no effect beside --graph, because the graph is already there"},
		{"landmarks of a complete graph", method("semi-le", "--labeled-fraction", "0.2", "--graph-kind", "complete", "--landmarks", "20"), "--landmarks has no effect beside --graph-kind complete"},
		{"more landmarks of le than documents", method("le", "--landmarks", "61"), "--landmarks 61 is more than its 60 documents"},
		{"fewer landmarks than labels", method("cle", "--labeled-fraction", "0.5", "--landmarks", "20"), "fewer than the 30 documents with labels"},
		{"unknown class", cluster(good, "--classes", "topic9"), "topic9"},
		{"classes without labels", cluster(square, "--classes", "1"), "labels"},
		{"too many random classes", cluster(good, "--random-classes", "7"), "3 classes"},
		{"classes twice over", cluster(good, "--random-classes", "2", "--classes", "topic1"), "--random-classes"},
		{"too many neighbours", []string{"cluster", good, "--method", "le", "--neighbors", "60"}, ""},
		{"two kinds of graph", []string{"cluster", good, "--method", "le", "--neighbors", "5", "--epsilon", "1"}, "--epsilon"},
		{"heat width without heat", []string{"cluster", good, "--method", "le", "--heat-width", "1"}, "--edge-weight heat"},
		{"drop twice", []string{"cluster", good, "--method", "le", "--drop-first", "--drop-zeros"}, "--drop-zeros"},
		{"bad choice", []string{"cluster", good, "--method", "le", "--solver", "magic"}, "lanczos"},
		{"bad number", []string{"cluster", good, "--method", "le", "--tol", "NaN"}, "above 0"},
		{"no threads", []string{"info", good, "--threads", "0"}, "at least 1"},
		{"file as folder", cluster(good, "--out", aFile), "the results need a folder"},
		{"file on the way", cluster(good, "--out", filepath.Join(aFile, "sub")), "the results need a folder"},
		{"config missing", []string{"cluster", "--config", filepath.Join(dir, "none.yaml")}, "none.yaml"},
		{"config: unknown key", []string{"cluster", good, "--config", write(t, dir, "key.yaml", "method: le\nneighbours: 5\n")}, "line 2: there is no setting \"neighbours\" for this command (did you mean neighbors?)"},
		{"config: bad value", []string{"cluster", good, "--config", write(t, dir, "value.yaml", "method: le\nclusters: 0\n")}, "line 2"},
		{"config: not YAML", []string{"cluster", good, "--config", write(t, dir, "not.yaml", "a: [1\nb: }\n")}, "not.yaml"},
		{"config: list", []string{"cluster", good, "--config", write(t, dir, "list.yaml", "- a\n- b\n")}, "list.yaml"},
		{"config: nested", []string{"cluster", good, "--config", write(t, dir, "nest.yaml", "method:\n  name: le\n")}, "line 1"},
		{"config: two files", []string{"cluster", "--config", write(t, dir, "files.yaml", "method: le\nfile: [a, b]\n")}, "files.yaml line 2: file takes one value"},
		{"config: flag of another method", cluster(good, "--config", write(t, dir, "other.yaml", "# mine\nlabeled-fraction: 0.1\n")), "tsvm, logistic, kernel-ridge, graph-ssl, committee (--labeled-fraction is set in " + filepath.Join(dir, "other.yaml") + " line 2)"},
		{"config: flag of another format", cluster(good, "--config", write(t, dir, "format.yaml", "label-header: List-Id\n")), "(--label-header is set in " + filepath.Join(dir, "format.yaml") + " line 1)"},
		{"config: flag beside another", cluster(good, "--vocabulary", aFile, "--config", write(t, dir, "beside.yaml", "min-df: 3\n")), "(--min-df is set in " + filepath.Join(dir, "beside.yaml") + " line 1)"},
		{"config: two flags", []string{"cluster", good, "--method", "le", "--epsilon", "1", "--config", write(t, dir, "two.yaml", "neighbors: 3\n")}, "--neighbors has no effect beside --epsilon: leave it out (--neighbors is set in " + filepath.Join(dir, "two.yaml") + " line 1)"},
		{"config: short flag", []string{"cluster", good, "--method", "le", "--config", write(t, dir, "short.yaml", "clusters: 61\n")}, "give at most 60 (--clusters is set in " + filepath.Join(dir, "short.yaml") + " line 1)"},
		{"semi-le without labels", []string{"cluster", good, "--method", "semi-le"}, "--labels FILE"},
		{"cle without labels and links", []string{"cluster", good, "--method", "cle"}, "--constraints FILE"},
		{"labels twice over", method("cle", "--labels", labels, "--labeled-fraction", "0.1"), "--labeled-fraction"},
		{"labels and links", method("cle", "--labels", labels, "--constraints", links), "--constraints"},
		{"a share and links", method("cle", "--labeled-fraction", "0.1", "--constraints", links), "--constraints"},
		{"labels for le", method("le", "--labels", labels), "no use for --labels"},
		{"a share for k-means", cluster(good, "--labeled-fraction", "0.1"), "no use for --labeled-fraction"},
		{"spg by labels without any", method("spg", "--responses", "classes"), "--responses classes needs labels"},
		{"spg of neighbours with labels", method("spg", "--responses", "neighbors", "--labels", labels), "--responses neighbors does not look at labels"},
		{"option of an option without effect", method("le", "--edge-weight", "poly", "--local-neighbor", "3", "--heat-rule", "local"), "--local-neighbor has no effect without --edge-weight heat"},
		{"tolerance of 2", method("le", "--tol", "2"), `"2" for "--tol" flag: it is a number above 0 and below 1`},
		{"a huge ridge", method("gmm", "--ridge", "1e7"), "--ridge is 1e+07"},
		{"a weighting of counts", []string{"cluster", mtx("below.mtx", "2 2 3\n1 1 -1\n1 2 2\n2 2 1\n"), "--method", "kmeans", "-k", "2", "--weighting", "binary"}, "--weighting binary needs counts: give --weighting tf"},
		{"weights beyond all numbers", method("diffusion", "--edge-weight", "poly", "--poly-degree", "100000"), "the weight of an edge of document doc-0-0 overflows: divide the data by a constant, or give another --edge-weight"},
		{"more neighbours than documents", method("le", "--neighbors", "60"), "--neighbors 60 is more than the 59 others of each of 60 documents: give at most 59"},
		{"more neighbours than distinct texts", []string{"cluster", write(t, dir, "copies.jsonl", strings.Repeat("{\"text\": \"ships sail\"}\n{\"text\": \"sea sail\"}\n{\"text\": \"ships sea\"}\n", 9)), "--method", "le", "-k", "2", "--neighbors", "5"}, "of 3 documents: give at most 2; 24 of the 27 documents equal an earlier one and count once with it, unless --duplicates is keep"},
		{"more singular vectors than terms", []string{"cluster", mtx("wide.mtx", "3 2 4\n1 1 1\n2 2 2\n3 1 1\n3 2 5\n"), "--method", "co-clustering", "-k", "2", "-d", "2"}, "3 documents of 2 terms have at most 1 singular vector after the first, not 2: give -d 1"},
		{"directions of a plane", []string{"cluster", write(t, dir, "plane.csv", "1,2,3\n2,3,5\n5,1,6\n7,9,16\n3,8,11\n"), "--method", "spca", "-k", "2", "-d", "3"}, "-d 3 is more than the 2 directions in which the documents vary: give -d 2"},
		{"dimensions of few neighbours", method("spg", "-d", "60"), "give -d 59"},
		{"methods that all fail", []string{"compare", dense, "--methods", "kmeans,pca", "-k", "9"}, "-k 9 is more than its 5 documents"},
		{"a graph that is not there, for two methods", []string{"compare", dense, "--methods", "kmeans,le", "-k", "2", "--graph", "none.npz"}, "none.npz: there is no such file or folder"},
		{"directions of equal rows", []string{"cluster", write(t, dir, "equal.csv", "1,2\n1,2\n1,2\n"), "--method", "spca", "-k", "1"}, "documents are all equal"},
		{"no labels to compare", []string{"eval", square, square}, "it has no labels to compare: give a file that has"},
		{"terms of a ridge", method("spg", "--penalty", "ridge", "--cardinality", "5"), "--cardinality has no effect beside --penalty ridge"},
		{"ridge of a lasso", method("spg", "--alpha", "3"), "--alpha has no effect beside --penalty lasso"},
		{"unknown responses", method("spg", "--responses", "none"), "neighbors"},
		{"lda without labels", method("lda"), "--labels FILE"},
		{"lda in too many dimensions", method("lda", "--labels", labels, "-d", "7"), "-d"},
		{"links for spg", method("spg", "--constraints", links), "--constraints"},
		{"solver of a mixture of the data", []string{"cluster", dense, "--method", "gmm", "-k", "2", "--solver", "lanczos"}, "--solver has no effect without --pca"},
		{"tolerance of a mixture of the data", []string{"cluster", dense, "--method", "lapgmm", "-k", "2", "--tol", "1e-3"}, "--tol has no effect without --pca"},
		{"penalty of no graph", cluster(good, "--lambda", "3"), "--lambda"},
		{"lapgmm of a graph", []string{"cluster", square, "--precomputed", "--method", "lapgmm", "-k", "2"}, "--precomputed"},
		{"starts from labels without any", cluster(good, "--init", "labels"), "--init labels"},
		{"starts from labels, more clusters", method("cle", "--labels", labels, "--init", "labels", "-k", "4"), "--init labels makes a cluster of each"},
		{"starts from labels, restarts", method("cle", "--labels", labels, "--init", "labels", "--restarts", "4"), "--restarts"},
		{"links for semi-le", method("semi-le", "--labels", labels, "--constraints", links), "no use for --constraints"},
		{"labels for the graph", []string{"graph", good, "--labels", labels}, "--labels"},
		{"share of nothing", method("cle", "--labeled-fraction", "0"), "--labeled-fraction"},
		{"share above 1", method("cle", "--labeled-fraction", "1.5"), "--labeled-fraction"},
		{"share without labels", []string{"cluster", square, "--method", "cle", "--labeled-fraction", "0.5"}, "--truth FILE"},
		{"no file of labels", method("cle", "--labels", filepath.Join(dir, "none.csv")), "none.csv"},
		{"labels of unknown ids", method("cle", "--labels", write(t, dir, "l1.csv", "id,label\ndoc-0-0,topic0\nnobody,topic1\n")), "line 3: there is no document nobody"},
		{"two labels of one document", method("cle", "--labels", write(t, dir, "l2.csv", "doc-0-0,topic0\ndoc-0-0,topic1\n")), "line 2: doc-0-0 is topic1, but topic0 by line 1"},
		{"labels of unknown classes", method("cle", "--labels", write(t, dir, "l3.csv", "doc-0-0,topic0\ndoc-1-0,topik1\n")), "line 2: the corpus has no class topik1"},
		{"labels of one class", method("semi-le", "--labels", write(t, dir, "l4.csv", "doc-0-0,topic0\ndoc-0-1,topic0\n")), "one class, topic0"},
		{"labels of other documents", method("cle", "--labels", labels, "--classes", "topic0"), "one class, topic0"},
		{"labels of none at work", method("cle", "--labels", write(t, dir, "l5.csv", "doc-0-0,topic0\ndoc-1-0,topic1\n"), "--classes", "topic2"), "none of the documents"},
		{"empty labels", method("cle", "--labels", write(t, dir, "l6.csv", "doc-0-0,\n")), "empty"},
		{"labels that are no table", method("cle", "--labels", write(t, dir, "l7.csv", "a,b,c\n")), "line 1"},
		{"dimensions of cle", method("cle", "--labels", labels, "-d", "5"), "leave -d out"},
		{"cle and --drop-first", method("cle", "--labels", labels, "--drop-first"), "--drop-first"},
		{"links of unknown ids", method("cle", "--constraints", write(t, dir, "c1.csv", "doc-0-0,nobody,must\n")), "line 1: there is no document nobody"},
		{"links of another kind", method("cle", "--constraints", write(t, dir, "c2.csv", "doc-0-0,doc-0-1,should\n")), "line 1: should is neither"},
		{"links of two fields", method("cle", "--constraints", write(t, dir, "c3.csv", "doc-0-0,doc-0-1\n")), "2 fields"},
		{"links that contradict", method("cle", "-k", "2", "--constraints", write(t, dir, "c4.csv", "doc-0-0,doc-0-1,must\ndoc-0-1,doc-0-2,must\ndoc-0-2,doc-0-0,cannot\ndoc-1-0,doc-1-0,cannot\n")),
			"line 3 says that doc-0-2 and doc-0-0 cannot be together, but they must: doc-0-1 and doc-0-2 must (line 2), doc-0-0 and doc-0-1 must (line 1): remove one of these; line 4"},
		{"an odd ring of links", method("cle", "-k", "2", "--constraints", write(t, dir, "c5.csv", "doc-0-0,doc-0-1,cannot\ndoc-0-1,doc-0-2,cannot\ndoc-0-2,doc-0-0,cannot\n")), "with two clusters they must"},
		{"cannot-links and three clusters", method("cle", "-k", "3", "--constraints", links), "give -k 2"},
		{"links of none at work", method("cle", "-k", "2", "--constraints", links, "--classes", "topic2"), "no constraint joins"},
		{"labels for a first clustering by k-means", method("le-cas", "--labels", labels, "--first-clustering", "k-means"), "--first-clustering k-means does not use labels"},
		{"first clustering by labels without any", method("le-cas", "--first-clustering", "labels"), "--labeled-fraction 1"},
		{"number of labels", method("le-cas", "--labels", labels, "--first-clusters", "3"), "--first-clusters has no effect beside --first-clustering labels"},
		{"kernel of k-means", method("le-cas", "--first-clustering", "k-means", "--kernel", "linear"), "--kernel has no effect without --first-clustering kernel-k-means"},
		{"unknown first clustering", method("le-cas", "--first-clustering", "magic"), "kernel-k-means"},
		{"unknown denominator", method("le-cas", "--denominator", "tau"), "sigma^2"},
		{"first clusters negative", method("le-cas", "--first-clusters", "-1"), "at least 0"},
		{"more first clusters than documents", method("le-cas", "--first-clusters", "61"), "--first-clusters 61 is more than its 60 documents"},
		{"first clusters of le", method("le", "--first-clusters", "3"), "no use for --first-clusters"},
		{"sigma of le", method("le", "--sigma", "1"), "no use for --sigma"},
		{"sigma of nothing", method("le-cas", "--sigma", "0"), "above 0"},
		{"sigma of a linear kernel", method("kernel-kmeans", "--kernel", "linear", "--sigma", "1"), "--sigma has no effect without --kernel gaussian"},
		{"degree of a Gaussian kernel", method("kernel-kmeans", "--poly-degree", "3"), "--kernel polynomial"},
		{"degree in le", method("le", "--poly-degree", "3"), "without --edge-weight poly (it is dot): leave it out"},
		{"degree in le-cas", method("le-cas", "--poly-degree", "3"), "without --edge-weight poly and without --kernel polynomial"},
		{"kernel of a graph", []string{"cluster", square, "--precomputed", "--method", "kernel-kmeans", "-k", "2", "--kernel", "linear"}, "--kernel has no effect beside --precomputed"},
		{"neighbours of kernel-kmeans", method("kernel-kmeans", "--neighbors", "3"), "--neighbors"},
		{"no embedding of kernel-kmeans", []string{"embed", good, "--method", "kernel-kmeans", "-d", "2"}, "no embedding"},
		{"kernel k-means from labels", method("kernel-kmeans", "--init", "labels"), "--init labels"},
		{"le-cas of a graph", []string{"cluster", square, "--precomputed", "--method", "le-cas", "-k", "2"}, "--precomputed"},
		{"semi-ldc without labels", method("semi-ldc"), "--labels FILE"},
		{"tsvm without labels", method("tsvm"), "--labels FILE"},
		{"more classes than labels name", method("label-propagation", "--labels", labels, "-k", "4"), "leave -k 4 out"},
		{"more classes than semi-ldc has", method("semi-ldc", "--labels", labels, "-k", "2"), "here 3: leave -k 2 out"},
		{"fewer clusters than classes", method("ckmeans", "--labels", labels, "-k", "2"), "a cluster of each of the 3 classes"},
		{"fewer topics than classes", []string{"embed", good, "--method", "plsa", "--labels", labels, "-d", "2"}, "-d 2 is fewer than the 3 classes"},
		{"topics of negative entries", []string{"cluster", mtx("neg3.mtx", "2 2 3\n1 1 2\n1 2 2\n2 2 -1\n"), "--method", "plsa", "-k", "2"}, "document 2 has -1 of term 2"},
		{"semi-ldc of negative entries", []string{"cluster", mtx("neg4.mtx", "3 2 3\n1 1 2\n2 2 2\n3 2 -1\n"), "--method", "semi-ldc", "--soft-labels", "plsa", "--labels", write(t, dir, "ab.csv", "1,a\n2,b\n"), "--ids-from", "1"}, "--soft-labels propagation or hard"},
		{"a graph without propagation", method("semi-ldc", "--labels", labels, "--neighbors", "5"), "--neighbors has no effect without --soft-labels propagation"},
		{"a form without propagation", method("semi-ldc", "--labels", labels, "--soft-labels", "hard", "--form", "zhu"), "--form has no effect without --soft-labels propagation"},
		{"topics without plsa", method("semi-ldc", "--labels", labels, "--soft-labels", "hard", "--smoothing", "1"), "--smoothing has no effect without --soft-labels plsa"},
		{"components of no reduction", method("semi-ldc", "--labels", labels, "--reduction", "none", "--pca", "5"), "--pca has no effect beside --reduction none"},
		{"soft labels of another kind", method("semi-ldc", "--labels", labels, "--soft-labels", "guess"), "propagation"},
		{"spread of harmonic functions", method("label-propagation", "--labels", labels, "--form", "zhu", "--spread", "0.5"), "--spread has no effect without --form nie or zhou"},
		{"spread of labels in zhou", method("label-propagation", "--labels", labels, "--form", "zhou", "--spread-of-labeled", "0.5"), "--spread-of-labeled has no effect without --form nie"},
		{"spread of all", method("label-propagation", "--labels", labels, "--spread", "1.5"), "at most 1"},
		{"topics of a graph", []string{"cluster", square, "--precomputed", "--method", "plsa", "-k", "2"}, "--precomputed"},
		{"no embedding of tsvm", []string{"embed", good, "--method", "tsvm"}, "no embedding"},
		{"sigma of a linear machine", method("tsvm", "--labels", labels, "--sigma", "2"), "--sigma has no effect without --kernel gaussian"},
		{"cost of nothing", method("tsvm", "--labels", labels, "--c", "0"), "above 0"},
		{"C* of graph-ssl", method("graph-ssl", "--labels", labels, "--c-star", "2"), "no use for --c-star"},
		{"polynomial edges of graph-ssl", method("graph-ssl", "--labels", labels, "--edge-weight", "poly"), "--edge-weight poly"},
		{"several starts from labels", method("ckmeans", "--labels", labels, "--restarts", "5"), "--restarts has no effect if the known labels start every cluster of ckmeans"},
		{"several starts of topics of classes", method("plsa", "--labels", labels, "--restarts", "5"), "or give larger -k"},
		{"starts of constrained k-means", method("ckmeans", "--labels", labels, "--init", "random"), "no use for --init"},
		{"kind of topics", method("plsa", "--kind", "words"), "aspect"},
		{"mu of plsa", method("plsa", "--mu", "1"), "no use for --mu"},
		{"no ridge of an elastic net", method("spg", "--penalty", "elastic-net", "--alpha", "0"), "--penalty lasso"},
		{"ridge below zero", method("lpp", "--alpha", "-1"), "at least 0"},
		{"starts of a first clustering by labels", method("le-cas", "--labels", labels, "--first-starts", "3"), "--first-starts has no effect beside --first-clustering labels"},
		{"silhouettes of no search", method("le-cas", "--simplified", "--first-clusters", "3"), "--simplified has no effect"},
		{"landmarks picked from all", method("isomap", "--landmark-pick", "maxmin"), "--landmark-pick has no effect"},
		{"neighbours of no landmarks", method("lle", "--landmark-neighbors", "4"), "--landmark-neighbors has no effect"},
		{"more landmarks than documents", method("isomap", "--landmarks", "61"), "--landmarks 61 is more than its 60 documents"},
		{"more landmarks of lle than documents", method("lle", "--landmarks", "61"), "--landmarks 61 is more than its 60 documents"},
		{"more neighbours than landmarks", method("lle", "--landmarks", "20", "--landmark-neighbors", "21"), "--landmark-neighbors 21 is more than the 20 landmarks"},
		{"a reach beyond all", method("ggle", "--reach", "60"), "give at most 59"},
		{"a square without end", method("le-cas", "--sigma", "1e300", "--denominator", "sigma^2"), "--sigma"},
		{"a square of nothing", method("le-cas", "--sigma", "1e-300", "--denominator", "sigma^2"), "--sigma"},
		{"two documents, isomap", []string{"cluster", pair, "--method", "isomap", "-k", "2"}, "2 documents give at most 1 dimension, not 2: give -d 1"},
		{"two documents, lle", []string{"cluster", pair, "--method", "lle", "-k", "2"}, "give -d 1"},
		{"two documents, le-cas", []string{"cluster", pair, "--method", "le-cas", "--paper", "-k", "2"}, "give -d 1"},
		{"dimensions of a graph", method("le", "--drop-zeros", "-d", "58"), "give at most 57 dimensions, not 58: give -d 57"},
		{"scple of one label a class", method("scple", "--labels", labels), "topic0, topic1, topic2 have one each"},
		{"starts from labels of kernel k-means", method("kernel-kmeans", "--init", "labels"), "--init labels"},
		{"starts from labels of le-cas without any", method("le-cas", "--init", "labels"), "give --labels FILE"},
		{"local scale of dot products", method("le", "--heat-rule", "local"), "--edge-weight heat"},
		{"heat width of lapgmm", method("lapgmm", "--heat-width", "1"), "--edge-weight heat"},
		{"silhouettes of labels", method("le-cas", "--labels", labels, "--simplified"), "--simplified has no effect"},
		{"Reuters preset of other texts", cluster(good, "--reuters-preset", "single-topic"), "--reuters-preset has no effect on the format jsonl"},
		{"unknown Reuters preset", cluster(good, "--reuters-preset", "all"), "single-topic"},
		{"stripping nothing and more", cluster(good, "--strip", "none,quotes"), "none strips nothing, and stands alone"},
		{"stripping something else", cluster(good, "--strip", "headers,smileys"), "headers, quotes, footers"},
		{"part of a file", cluster(good, "--split", "train"), "only on folder, reuters"},
		{"header of no mail", cluster(good, "--label-header", "List-Id"), "--label-header has no effect"},
		{"encoding of JSON", cluster(good, "--encoding", "latin1"), "--encoding has no effect"},
		{"unknown encoding", []string{"info", dir, "--encoding", "klingon"}, "klingon"},
		{"runs of no words", cluster(good, "--ngrams", "0"), "at least 1"},
		{"runs of too many words", cluster(good, "--ngrams", "4"), "3"},
		{"share of no documents", cluster(good, "--min-df", "0.0"), "share of them above 0"},
		{"vocabulary missing", cluster(good, "--vocabulary", filepath.Join(dir, "none.txt")), "none.txt"},
		{"limits beside a vocabulary", cluster(good, "--vocabulary", aFile, "--min-df", "3"), "--min-df has no effect beside --vocabulary"},
		{"words of a matrix", cluster(square, "--ngrams", "2"), "--ngrams has no effect on the format mtx"},
		{"rule of a width without heat", method("le", "--heat-rule", "median"), "--edge-weight heat"},
		{"two widths", method("le", "--edge-weight", "heat", "--heat-rule", "median", "--heat-width", "2"), "--heat-rule has no effect beside --heat-width unless it is local: leave it out"},
		{"unknown rule of a width", method("le-cas", "--heat-rule", "mode"), "median"},
		{"neighbour of no scale", method("le-cas", "--local-neighbor", "3"), "--heat-rule local"},
		{"ggle of dot products", method("ggle", "--edge-weight", "dot"), "no use for --edge-weight"},
		{"s-le of dot products", method("s-le", "--edge-weight", "dot"), "heat or binary in place of dot"},
		{"s-le within a distance", method("s-le", "--epsilon", "1"), "no use for --epsilon"},
		{"s-le of too small neighbourhoods", method("s-le", "--neighbors", "4", "--min-neighbors", "5"), "--min-neighbors 5 is more than the 4"},
		{"paths shorter than straight", method("s-le", "--ratio", "0.5"), "at least 1"},
		{"scple without labels", method("scple"), "--labels FILE"},
		{"scple with all weight between classes", method("scple", "--labels", labels, "--gamma", "1"), "below 1"},
		{"isomap of all parts", method("isomap", "--parts", "all"), "--parts all: with the method isomap it is one of join, largest"},
		{"lle of joined parts", method("lle", "--parts", "join"), "--parts join: with the method lle it is one of largest, all"},
		{"too few landmarks", method("isomap", "--landmarks", "2", "-d", "3"), "give at least 4"},
		{"landmarks of pca", method("pca", "--landmarks", "20"), "no use for --landmarks"},
		{"lle within a distance", method("lle", "--epsilon", "1"), "no use for --epsilon"},
		{"more dimensions than the largest part", method("isomap", "--parts", "largest", "-d", "30"), "give -d 19, or more --neighbors"},
		{"solver of nmf", method("nmf", "--nmf-solver", "magic"), "multiplicative"},
		{"dimensions of nmf", method("nmf", "-k", "3", "-d", "2"), "leave -d out"},
		{"neighbours of nmf", method("nmf", "--neighbors", "3"), "--neighbors"},
		{"nmf of negative entries", []string{"cluster", mtx("neg2.mtx", "2 2 3\n1 1 -1\n1 2 2\n2 2 1\n"), "--method", "nmf", "-k", "2"}, "neg2.mtx"},
		{"no embedding of gmm", []string{"embed", good, "--method", "gmm", "-d", "2"}, "no embedding"},
		{"dimensions of gmm", method("gmm", "-d", "2"), "no use for -d"},
		{"covariance of another kind", method("gmm", "--covariance", "round"), "spherical"},
		{"gmm of a graph", []string{"cluster", square, "--precomputed", "--method", "gmm", "-k", "2"}, "--precomputed"},
		{"components and dimensions", method("pca", "--pca", "0.9", "-d", "2"), "--pca"},
		{"components of nothing", method("pca", "--pca", "0"), "--pca"},
		{"share above all", method("pca", "--pca", "1.5"), "--pca"},
		{"lsi of a graph", []string{"cluster", square, "--precomputed", "--method", "lsi", "-k", "2"}, "--precomputed"},
		{"more dimensions than terms", method("lsi", "-d", "50"), "at most"},
		{"k-means in an embedding", []string{"embed", good, "--method", "le", "-d", "2", "--restarts", "3"}, "--restarts"},
		{"eval: lengths", []string{"eval", write(t, dir, "t3.txt", "a\nb\na\n"), write(t, dir, "p2.txt", "1\n2\n")}, "p2.txt"},
		{"eval: unknown id", []string{"eval", write(t, dir, "t.csv", "id,label\na,x\nb,y\n"), write(t, dir, "p.csv", "id,cluster\na,0\nc,1\n")}, `"c"`},
		{"eval: no labels", []string{"eval", square, square}, "square.mtx"},
		{"model of another program", []string{"info", write(t, dir, "other.json", "{\"format\":\"x\"}")}, "other.json"},
		{"convert to a format that is not written", []string{"convert", good, filepath.Join(dir, "out.mat")}, "out.mat"},
		{"convert onto itself", []string{"convert", good, good}, "same file"},
		{"convert into no folder", []string{"convert", good, filepath.Join(dir, "no", "out.mtx")}, "out.mtx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := call(c.args...)
			if r.status != exitRequest {
				t.Errorf("status %d, want %d", r.status, exitRequest)
			}
			checkSentence(t, r, c.says)
			if r.stdout != "" {
				t.Errorf("standard output holds %q", r.stdout)
			}
		})
	}
	if left := leftovers(t, dir); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// checkSentence wants exactly one line on standard error that is the program's and says something.
func checkSentence(t *testing.T, r result, says string) {
	t.Helper()
	if strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, "eigenmap: ") || strings.Contains(r.stderr, "defect") {
		t.Errorf("standard error is not one sentence:\n%s", r.stderr)
	}
	if !strings.Contains(r.stderr, says) {
		t.Errorf("%q does not say %q", r.stderr, says)
	}
	if strings.Contains(r.stderr, "panic") || strings.Contains(r.stderr, "goroutine") {
		t.Errorf("it panicked: %s", r.stderr)
	}
	t.Log(strings.TrimSpace(r.stderr))
}

// TestEmptyDocuments: documents without a term stay, are reported, and end in a cluster.
func TestEmptyDocuments(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "rows.mtx", "%%MatrixMarket matrix coordinate real general\n6 4 7\n1 1 2\n1 2 1\n2 1 1\n2 2 2\n4 3 1\n5 3 2\n5 4 1\n")
	for _, method := range []string{"kmeans", "le"} {
		r := mustCall(t, "cluster", file, "--method", method, "-k", "2", "--json", "--out", filepath.Join(dir, method))
		v := r.object(t)
		if n := v["documents"].(float64); n != 6 {
			t.Errorf("%s: %v documents, want 6", method, n)
		}
		sum := 0.0
		for _, s := range v["cluster_sizes"].([]any) {
			sum += s.(float64)
		}
		if sum != 6 {
			t.Errorf("%s: the clusters hold %v documents, want 6", method, sum)
		}
		told := false
		for _, n := range v["notes"].([]any) {
			told = told || strings.Contains(n.(string), "2 ")
		}
		if !told {
			t.Errorf("%s: the two empty documents are not told: %v", method, v["notes"])
		}
	}
}

// TestReadOnlyFolder needs a user whom permissions bind.
func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind the superuser")
	}
	dir := t.TempDir()
	file := texts(t, dir, 10)
	closed := filepath.Join(dir, "closed")
	must.Do(t, os.Mkdir(closed, 0o555))
	r := call("cluster", file, "--method", "kmeans", "--out", filepath.Join(closed, "sub"))
	if r.status != exitRequest {
		t.Errorf("status %d, want %d", r.status, exitRequest)
	}
	checkSentence(t, r, "closed")
}
