package request

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// The values of Options.Duplicates.
const (
	DuplicatesOnce = "once"
	DuplicatesKeep = "keep"
	DuplicatesDrop = "drop"
)

// The methods of a clustering for which none was named. docs/which-method.md has the figures.
const (
	// DefaultMethod clusters without labels.
	DefaultMethod = "diffusion"
	// DefaultMethodLabels learns from labels of a part of the documents where these do not choose a
	// method (package choosing): the number of clusters is to be chosen too, with an option that
	// DefaultMethod does not take.
	DefaultMethodLabels = "semi-le"
	// DefaultMethodConstraints learns from must-links, and with two clusters from cannot-links.
	DefaultMethodConstraints = "cle"
	// DefaultMethodApart keeps cannot-links with any number of clusters.
	DefaultMethodApart = "pckmeans"
	// DefaultMethodColumns clusters the rows of a table by its columns of numbers and of words
	// (Vectors.Views is columns alone).
	DefaultMethodColumns = "kmeans"
)

// Options are all choices of a run. The zero value of every field but Method is its default.
//
// Every option has one name, its tag `flag`: the command line's flags, configuration files and
// [Options.Set] use it. The options of the methods are not fields: they are set by name, or given
// whole in Config.
type Options struct {
	// Method is the name of the method, one of [Methods]; "" = for a clustering [DefaultMethod],
	// with known labels the method that they choose (package choosing), with constraints
	// [DefaultMethodConstraints] or [DefaultMethodApart], and by the columns of a table alone
	// [DefaultMethodColumns], if that takes the other options.
	Method string `flag:"method" short:"m" unset:"diffusion; with known labels the votes of several methods, or one that places them plainly better; cle with constraints, pckmeans if cannot-links are among them and clusters are not 2; kmeans with ‹views› columns alone; none for embed" help:"method; eigenmap methods lists them" group:"method"`
	// Clusters is k; 0 = the number of classes of the known labels, else of the corpus.
	Clusters int `flag:"clusters" short:"k" range:">=1" span:"ClusterRange" unset:"the number of classes of the known labels, or of the file" help:"number of clusters; auto, or a range such as 2-40, chooses it" group:"method"`
	// ClusterRange, if it is set, is the range of which the run chooses Clusters by KBy.
	ClusterRange option.Span
	// KBy is the rule of that choice; "" = auto.
	KBy string `flag:"k-by" choices:"auto|modularity|eigengap|silhouette|stability|bic" default:"auto" when:"clusters=auto" help:"how -k auto or a range chooses; auto: modularity, by the communities of the neighbour graph" group:"method"`
	// Paper takes the options of the method's paper where its defaults are others.
	Paper bool `flag:"paper" default:"false" help:"take the settings of the method's paper where the defaults differ" group:"method"`
	// Seed decides every random choice.
	Seed uint64 `flag:"seed" default:"0" help:"seed of every random choice" group:"method"`

	// Reject leaves documents with a lower confidence in no cluster: their label is -1. 0 = none.
	Reject float64 `flag:"reject" range:"0<=x<1" default:"0" orauto:"RejectAuto" help:"leave documents whose confidence is below this in no cluster (-1); auto, of new documents: those that are of none of the model's clusters" group:"method"`
	// RejectAuto leaves new documents in no cluster that are more unlike the model's than 19 in 20 of
	// these are unlike each other: by their distance to the mean of their cluster, and by the number
	// of their terms that the model does not know.
	RejectAuto bool
	// RejectShare leaves this share of the documents, the least confident ones, in no cluster, and
	// makes the confidence where that ends the Reject of predictions with the model. 0 = none.
	RejectShare float64 `flag:"reject-share" range:"0<=x<1" default:"0" help:"leave this share of the documents, such as 0.1, the least confident ones, in no cluster (-1)" group:"method"`
	// Confidence says what a confidence is: "calibrated" (the default), the share of documents like
	// this one that get their class while their known label is hidden, or without enough labels the
	// same cluster again from other documents and a part of the terms; "raw", the method's own
	// score.
	Confidence string `flag:"confidence" choices:"calibrated|raw" default:"calibrated" help:"calibrated: the share of documents like this one that get their class while their known label is hidden, or without enough labels the same cluster again from other documents and a part of the terms; raw: the method's own score, which eigenmap methods NAME defines" group:"method"`
	// LazyConfidence leaves the second looks of calibrated confidences, two fits of parts of the
	// documents or five with hidden labels, to the first use: Run.Calibrate, Model.Confidence,
	// and what writes the run or its model. Until then Run.Confidence has the method's own scores.
	// The run keeps copies of the rows that the looks need, at most 8,000 documents and one of each
	// class. It has no effect with Reject, RejectShare, vectors and ranks, and where known labels
	// chose the method.
	LazyConfidence bool

	// Labels is a file of labels that the method learns from: id,label.
	Labels string `flag:"labels" path:"true" help:"file of labels that the method learns from, for a part of the documents: id,label" group:"labels"`
	// LabeledFraction is the share of the true labels of each class that the method learns from,
	// drawn by Seed; 0 = none.
	LabeledFraction float64 `flag:"labeled-fraction" range:"0<x<=1" help:"learn from this share of the true labels of each class, drawn by the seed" group:"labels"`
	// Constraints is a file of must-links and cannot-links: id,id,must or id,id,cannot.
	Constraints string `flag:"constraints" path:"true" help:"file of constraints: id,id,must or id,id,cannot" group:"labels"`

	// Graph is a file with the affinity graph of the documents: what a run of graph saved, or a
	// symmetric matrix; "" = the method builds its own.
	Graph string `flag:"graph" path:"true" when:"precomputed!=true" help:"file of the documents' affinity graph: affinity.npz of eigenmap graph, or a symmetric matrix (.mtx, .npz)" group:"graph"`
	// Known are labels in memory that the method learns from, in place of the file Labels: one for
	// each document that is read, negative for none.
	Known *corpus.Given
	// Links are constraints in memory, in place of the file Constraints: A and B are numbers of
	// documents, and Line names a constraint in messages.
	Links []corpus.Constraint

	// Source chooses what of the file is read.
	Source Source `flags:"*" group:"input"`
	// Text says how raw text becomes terms.
	Text Text `flags:"*" group:"text"`
	// Vectors are vectors of the documents, by which they are compared in place of their terms.
	Vectors Vectors `flags:"*" group:"vectors"`
	// Weighting and Normalize turn counts into weights.
	Weighting string `flag:"weighting" choices:"tf|tfidf|hellinger|binary|standard" unset:"hellinger or tfidf for texts and counts, by the method, standard for tables of unlike columns, tf otherwise" help:"how counts become weights; standard: each column over its standard deviation" when:"precomputed!=true; vectors= | views" group:"input"`
	Normalize string `flag:"normalize" choices:"l2|none" unset:"l2 for sparse data and ‹vectors›, none for other dense data" help:"length of a document's row" when:"precomputed!=true" group:"input"`
	// Precision is that in which the values of the documents are stored, "single" or "double"; "" =
	// double, and dense numbers of a file that single precision holds as they are in single precision,
	// where the method reads them so, with the results of double ([corpus.ReadOptions].AsStored), and
	// so 700,000 or more counts of terms where a method reads them for its graph. All
	// arithmetic is in double precision. See [corpus.ReadOptions].Single for what single precision
	// rounds.
	Precision string `flag:"precision" choices:"double|single" default:"double" help:"how the values of the documents are stored: single rounds each to 24 bits, which keeps counts, and takes half of the memory or less; all arithmetic is in double" when:"precomputed!=true; graph-kind!=complete" group:"input"`

	// Duplicates says what becomes of documents that have the terms of an earlier one, each as
	// often. "once" fits the first of them, and gives the others its place, cluster and numbers.
	// "drop" leaves the others out of the result. Groups of near-copies then also count as one node
	// each of a neighbour graph. "keep" takes each document as it is. "" = once for texts and
	// counts, keep for other numbers, with Paper and with a Graph. Documents without terms are no
	// copies.
	Duplicates string `flag:"duplicates" choices:"once|drop|keep" unset:"once for texts and counts, and for rows of a table of which fewer than half differ if the method is one of the neighbour graph; keep otherwise and with ‹paper›" help:"documents equal to an earlier one: count once with it, all with one result; are left out; or each counts for itself" when:"precomputed!=true; graph=" group:"input"`

	// KMeans is the k-means on the coordinates of a method that finds no clusters itself.
	KMeans KMeans `flags:"*" group:"k-means"`

	// Map makes Run.Map of a clustering, a map of the documents in the plane; nil: where the
	// results are saved with their report.
	Map *bool `flag:"map" unset:"true where report.html is written" help:"a map of the documents in the plane for the report and embedding2d.npy; --map=false leaves it out" group:"output"`

	// Levels are further numbers of clusters, or "all": the clustering at each, nested in each
	// other (Run.Levels).
	Levels []string `flag:"levels" help:"the same clusters merged and divided: all, or numbers of clusters such as 3,12,40; levels.csv has the cluster of each document at each" group:"output"`

	// Snippets is the most characters of each text that a clustering keeps in the corpus, for the
	// report and, of a few typical documents of each cluster, for the model; nil = 160.
	Snippets *int `flag:"snippets" default:"160" help:"characters of each text that are kept for the report, and of a few typical ones for the model; 0 for none" formats:"TEXT" group:"output"`

	// PageColumns are the columns of a table, or the fields of JSON and Parquet, beside the texts by
	// which the page of a clustering colours and filters the documents; nil = all that hold short
	// values, "none" = none of them.
	PageColumns []string `flag:"page-columns" unset:"all that hold short values" help:"columns or fields beside the texts, headers of mail and columns of numbers by which report.html colours and filters the documents, or none" formats:"TABLES|mbox" group:"output"`

	// TimeColumn is the column of a table, the field of JSON and Parquet or the header of messages
	// with the times of the documents, by which Run.OverTime counts the
	// clusters; "" = none. TimePeriod is the length of a period, "day" to "year"; "" = auto, the
	// shortest by which there are at most 60.
	TimeColumn string `flag:"time-column" help:"column or field that holds the times of the documents, of mail a header such as Date: counts the clusters over time" formats:"TABLES|mbox|folder" group:"input"`
	TimePeriod string `flag:"time-period" choices:"auto|day|week|month|quarter|year" default:"auto" when:"time-column" help:"length of the periods of time; auto: the shortest by which there are at most 60" group:"input"`

	// Config, if not nil, holds the method's own options, a pointer to a struct of its package, in
	// place of those set by name.
	Config method.Options

	// Work is a folder for finished stages, made if it is missing: the same run goes on where a
	// kill left it. "" = none.
	Work string

	// MaxBytes bounds the memory of the arrays of every stage of the method, in bytes; 0 = what the
	// machine, the container and ulimit -v leave.
	MaxBytes int64
	// Observer receives progress. It is called from one goroutine at a time.
	Observer progress.Observer

	set []setting // by name, in order
}

// setting is an option set by name.
type setting struct{ name, value string }

// Source chooses what of a file is read, and how.
type Source struct {
	Format        string   `flag:"input-format" choices:"FORMATS" unset:"by content and name" help:"format of FILE"`
	Var           string   `flag:"var" help:"what to read of a file that holds several: variable of .mat and .npz, array of HDF5 and safetensors, object of R, data set of SAS, sheet of a spreadsheet, table of a page" formats:"mat|npz|hdf5|safetensors|rds|xlsx|ods|xls|xpt|html|table"`
	LabelVar      string   `flag:"label-var" help:"variable of a .mat or .npz file, or array of HDF5, that holds the labels" formats:"mat|npz|hdf5"`
	TextColumn    []string `flag:"text-column" unset:"by names and values" help:"columns of a table, or fields of JSON and Parquet (a.b inside another), that hold the texts, joined if there are several: names, or numbers from 1; none: the table holds numbers" formats:"TABLES"`
	IDColumn      string   `flag:"id-column" unset:"by names and values" help:"column or field, or attribute of the nodes of a graph, that holds the names of the documents, or none" formats:"TABLES|NETWORKS|word2vec"`
	LabelColumn   string   `flag:"label-column" unset:"by names and values" help:"column or field that holds the labels: its name, or its number from 1 (-1 is the last), or none; of the nodes of a graph the attribute; of AnnData the column of obs; of a .svm or fastText file with several labels a document which of them" formats:"TABLES|NETWORKS|svm|fasttext|hdf5"`
	Decimal       string   `flag:"decimal" choices:"point|comma" unset:"by the numbers" help:"what a table writes before the fraction of a number" formats:"csv|tsv|xlsx|ods|xls|html|xml"`
	Missing       string   `flag:"missing" choices:"median|mean|drop-rows|drop-columns" unset:"missing numbers are refused, and counted" help:"what becomes of missing numbers (empty, NA, NaN and their like): median or mean fills them by that of their column, and those of later documents by that of the model; drop-rows, drop-columns leave out" formats:"csv|tsv|xlsx|ods|xls|html|rds|sav|dta|xpt|sas7bdat|arff|arrow|xml|parquet|npy|npz|hdf5|safetensors|word2vec|mat|mtx|svm"`
	Header        string   `flag:"header" choices:"yes|no|auto" unset:"auto" help:"whether the first row of a table names its columns; auto: by the first rows" formats:"csv|tsv|table|xlsx|ods|xls|html"`
	EdgeList      bool     `flag:"edge-list" default:"false" help:"FILE is a list of edges: source, target and perhaps a weight in each line; the graph is taken as it is" formats:"edges"`
	Transpose     bool     `flag:"transpose" default:"false" when:"precomputed!=true" help:"columns of the file are the documents (otherwise the length of the labels decides)" formats:"mat|mtx|svm|npy|npz|hdf5|safetensors|word2vec|csv|tsv|xlsx|ods|xls|html|rds|sav|dta|xpt|sas7bdat|arff|cluto|triplets|idx"`
	Precomputed   bool     `flag:"precomputed" default:"false" help:"FILE is a symmetric affinity matrix (.mtx, .npz), not a corpus"`
	Truth         string   `flag:"truth" path:"true" help:"file of true labels to compare with: id,label or one label per line"`
	IDsFrom       string   `flag:"ids-from" choices:"0|1" unset:"the one that fits" help:"number of the first document in the files of labels and constraints, if the documents of FILE have no ids"`
	Classes       []string `flag:"classes" when:"precomputed!=true" help:"keep the documents of these classes only, by name or number"`
	RandomClasses int      `flag:"random-classes" range:">=1" when:"precomputed!=true" help:"keep the documents of this many classes, drawn by the seed"`

	Split            []string `flag:"split" help:"parts to read of a folder divided into train, test, ... or of Reuters-21578 (train, test, not-used)" formats:"folder|reuters"`
	ClassFolder      string   `flag:"class-folder" choices:"first|last|none" unset:"first" help:"which folder above a text is its class" formats:"folder"`
	LabelHeader      string   `flag:"label-header" help:"header of messages, in a mailbox or a folder, that holds their class, such as Newsgroups" formats:"mbox|folder"`
	Encoding         string   `flag:"encoding" unset:"utf-8 for folders, latin1 for Reuters-21578, what each message declares for mail, auto for tables and lines" help:"encoding of texts, such as latin1 or shift_jis, or auto" formats:"folder|mbox|reuters|table|csv|tsv|html|sav|dta|xpt|sas7bdat|lines|fasttext|arff|xml|NETWORKS"`
	Strip            []string `flag:"strip" choices:"headers|quotes|footers|auto|none" unset:"auto" help:"parts of messages to leave out; auto: of mail, and of texts that begin with headers of mail, all headers but the subject, the signature, and lines such as X writes:" formats:"TEXT"`
	ReutersPreset    string   `flag:"reuters-preset" choices:"PRESETS" help:"documents of Reuters-21578 that papers take" formats:"reuters"`
	ReutersMarked    string   `flag:"reuters-marked" choices:"yes|no|bypass|any" help:"the TOPICS attribute that documents of Reuters-21578 must have" formats:"reuters"`
	ReutersTopics    string   `flag:"reuters-topics" choices:"any|one|some|each" help:"how many topics documents of Reuters-21578 must have; each: one or more, and the document occurs once for each" formats:"reuters"`
	ReutersTopicList []string `flag:"reuters-topic-list" help:"the topics of Reuters-21578 that count" formats:"reuters"`
	ReutersBody      string   `flag:"reuters-body" choices:"any|filled" help:"documents of Reuters-21578 without a body: any keeps them, filled leaves them out" formats:"reuters"`
	ReutersText      string   `flag:"reuters-text" choices:"title+body|title|body" unset:"title+body" help:"what of documents of Reuters-21578 is counted" formats:"reuters"`
}

// Text says what a term of raw text is.
type Text struct {
	Language     string        `flag:"language" default:"auto" when:"precomputed!=true" help:"language of raw text, for stemming and stop words: auto, arabic (ar), catalan (ca), czech (cs), danish (da), dutch (nl), english (en), finnish (fi), french (fr), german (de), greek (el), hungarian (hu), indonesian (id), italian (it), norwegian (no), polish (pl), portuguese (pt), romanian (ro), russian (ru), spanish (es), swedish (sv), turkish (tr), ukrainian (uk) or none; of catalan, czech, greek, indonesian, polish and ukrainian there are stop words alone; auto: each document's own, English unless its words are plainly of another (with ‹vocabulary› English); german,english: each document's own of these" formats:"TEXT"`
	StopWords    string        `flag:"stop-words" path:"true" when:"precomputed!=true" unset:"the list of the language, English for none" help:"stop words left out of raw text: languages as for ‹language›, none or a file with one per line" formats:"TEXT"`
	MinDF        method.Amount `flag:"min-df" range:"documents" default:"2" when:"precomputed!=true; vocabulary=" help:"leave out terms that fewer documents hold: their number, or their share such as 0.01" formats:"TEXT"`
	MaxDF        method.Amount `flag:"max-df" range:"most documents" default:"1.0" when:"precomputed!=true; vocabulary=" help:"leave out terms that more documents hold: their share such as 0.5 (1 is all), or their number" formats:"TEXT"`
	NGrams       int           `flag:"ngrams" range:">=1" default:"1" when:"precomputed!=true" help:"most words of a term: 1, 2 or 3" formats:"TEXT"`
	Collocations bool          `flag:"collocations" when:"precomputed!=true; ngrams!=1; vocabulary=" help:"of runs of words take those alone whose words belong together, by the documents that hold them" formats:"TEXT"`
	MinLength    int           `flag:"min-length" range:">=1" default:"2" when:"precomputed!=true" help:"least number of characters of a word" formats:"TEXT"`
	Markup       string        `flag:"markup" choices:"auto|keep" default:"auto" when:"precomputed!=true" help:"HTML in a text: auto leaves out its tags, comments and scripts and reads entities such as &amp;; keep takes all as words" formats:"TEXT"`
	Vocabulary   string        `flag:"vocabulary" path:"true" when:"precomputed!=true" help:"file of the terms to count in raw text, one per line, or a corpus whose terms have names" formats:"TEXT"`
}

// KMeans are the options of the k-means on coordinates.
type KMeans struct {
	Restarts int    `flag:"restarts" range:">=1" default:"10" help:"starts of k-means, of which the best is kept"`
	Init     string `flag:"init" choices:"k-means++|random|labels" unset:"labels for cle, semi-le and lda with a label of every cluster, else k-means++" help:"how k-means starts; labels: at the means of the documents whose labels were given"`
	Nearest  string `flag:"nearest-by" choices:"coordinates|terms" unset:"terms for diffusion of sparse documents, else coordinates" help:"by what a document belongs to a cluster in the end: its coordinates, or those and its terms, of sparse documents"`
	MaxIter  int    `flag:"kmeans-iter" range:">=1" default:"300" help:"most iterations of one start of k-means"`
}

// InitLabels is the KMeans.Init that starts from the known labels.
const InitLabels = "labels"

// NearestByTerms is the KMeans.Nearest that moves documents by their terms.
const NearestByTerms = "terms"

// KMeansOptions are the options of package kmeans for a number of clusters.
func KMeansOptions(k KMeans, clusters int, seed uint64, obs progress.Observer) kmeans.Options {
	return kmeans.Options{K: clusters, Restarts: k.Restarts, MaxIter: k.MaxIter, Init: kmeans.Init(k.Init), Seed: seed, Observer: obs}
}

// Methods are the methods that Options.Method can name.
func Methods() []method.Spec { return slices.Clone(registry.Specs) }

// Documents may have a vector each beside their terms, such as an embedding of their text by a
// language model. The rows of the run are then made of these, and the terms describe the clusters:
// no method knows of it.

// Vectors are a vector for each document, by which the documents are compared.
type Vectors struct {
	// File holds them ([corpus.ReadVectors]); "" = none. If both files have ids of the documents,
	// the ids say which vector belongs to which document, else the order does.
	File string `flag:"vectors" path:"true" when:"precomputed!=true" help:"file of a vector for each document, such as embeddings of the texts: .npy, .npz, .h5, or lists of numbers in .jsonl, .parquet or .csv; the documents are compared by these, and described by their texts"`
	// Views says by what documents are compared: "words", "vectors" and "columns", which are columns
	// of the table beside the texts. Words and vectors count alike, and columns by how far they agree
	// with them. Columns alone are those of a table without texts: numbers, and words that are
	// categories, each divided by its standard deviation. none = vectors if there are any, else
	// words, and columns if ViewColumns names some.
	Views []string `flag:"views" choices:"words|vectors|columns" unset:"vectors with ‹vectors›, words without; and columns with ‹view-columns›" help:"what documents are compared by: words,vectors for both; words,columns for texts and the columns of the table beside them; columns alone for a table without texts, whose columns of words are then categories"`
	// ViewColumns are the columns of a table, the fields of JSON and Parquet or the headers of mail
	// by which documents are compared beside their texts: names, each perhaps with =category, =number
	// or =date behind it; none = all that hold categories, numbers or dates.
	ViewColumns []string `flag:"view-columns" when:"precomputed!=true; graph=" unset:"all that hold categories, numbers or dates" help:"columns or fields beside the texts by which documents are compared too, such as Product,Priority; Code=category, =number or =date behind a name says what it holds" formats:"TABLES|mbox"`
	// Columns are columns in memory that take the place of the file's. Each has a value, or none, for
	// each document that is read.
	Columns []corpus.Column
	// Column is the field, column or variable of the file that holds them; "" = the only one.
	Column string `flag:"vectors-column" when:"vectors" unset:"the only one" help:"field or column of the file of vectors that holds the lists of numbers, or variable of a .npz, .mat or HDF5 file"`
	// Model is a model of static embeddings that makes the vectors of the texts ([corpus.EmbedTexts]),
	// in place of a file: a folder with model.safetensors and tokenizer.json, or a file of word
	// vectors.
	Model string `flag:"vectors-model" path:"true" when:"precomputed!=true" help:"model of static embeddings that makes the vectors of texts, in place of ‹vectors›: a folder with model.safetensors and tokenizer.json, as model2vec writes it, or a file of word vectors of word2vec or GloVe" formats:"TEXT"`
	// Rows are vectors in memory, in place of a file: a row for each document that is read.
	Rows mat.Matrix
}

// vectorOptions are the names of the options of [Vectors].
var vectorOptions = []string{"vectors", "vectors-column", "vectors-model", "views", "view-columns"}
