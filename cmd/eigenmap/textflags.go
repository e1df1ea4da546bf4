package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/spf13/pflag"
)

// textOptions say which raw texts are read, and what their terms are.
type textOptions struct {
	language, stopWords string
	minDF, maxDF        numberOrShare
	ngrams, minLength   int
	vocabulary          string   // a file
	terms               []string // what it holds

	split, strip             []string
	encoding, classFolder    string
	labelHeader              string
	preset, marked, topics   string // of Reuters-21578
	topicList                []string
	reutersBody, reutersText string
}

var (
	// sourceFlags choose texts of a collection, and what of them is read.
	sourceFlags = []string{"split", "class-folder", "label-header", "encoding", "strip", "reuters-preset", "reuters-marked", "reuters-topics", "reuters-topic-list", "reuters-body", "reuters-text"}
	// textFlags say what a term is.
	textFlags = []string{"language", "stop-words", "min-df", "max-df", "ngrams", "min-length", "vocabulary"}
)

// languages are those with a stemmer.
const languages = "english, french, hungarian, norwegian, russian, spanish, swedish"

// besideVocabulary mean nothing where the terms are given.
var besideVocabulary = []string{"min-df", "max-df"}

// defineText adds a flag of raw text; false where name is none.
func (o *textOptions) defineText(set *pflag.FlagSet, name string) bool {
	choice := func(p *string, usage string, allowed ...string) {
		*p = ""
		set.Var(choiceValue{p, allowed}, name, usage)
	}
	list := func(p *[]string, usage string, allowed ...string) {
		*p = nil
		set.Var(listValue{p, allowed}, name, usage)
	}
	switch name {
	case "language":
		set.StringVar(&o.language, name, "english", "language of raw text, for stemming: "+languages+" or none")
	case "stop-words":
		set.Var(pathValue{&o.stopWords}, name, "stop words left out of raw text: a language, none or a file with one a line (default: those of --language, English for none)")
	case "min-df":
		o.minDF = numberOrShare{number: 2}
		set.Var(documentsValue{&o.minDF, false}, name, "leave out terms of raw text that fewer documents hold: their number, or their share such as 0.01")
	case "max-df":
		o.maxDF = numberOrShare{share: 1}
		set.Var(documentsValue{&o.maxDF, true}, name, "leave out terms of raw text that more documents hold: their share such as 0.5 (1 is all), or their number")
	case "ngrams":
		o.ngrams = 1
		set.Var(intValue{&o.ngrams, 1}, name, "most words of a term of raw text: 1, 2 or 3")
	case "min-length":
		o.minLength = 2
		set.Var(intValue{&o.minLength, 1}, name, "least number of characters of a word of raw text")
	case "vocabulary":
		set.Var(pathValue{&o.vocabulary}, name, "file of the terms to count in raw text, one a line, or a corpus whose terms have names")
	case "split":
		list(&o.split, "parts to read of a folder divided into train, test, ... or of Reuters-21578 (train, test, not-used)")
	case "class-folder":
		choice(&o.classFolder, "which folder above a text is its class: the first, the last, or none (default: the first)", "first", "last", "none")
	case "label-header":
		set.StringVar(&o.labelHeader, name, "", "header of a mailbox' messages that holds their class, such as Newsgroups")
	case "encoding":
		set.StringVar(&o.encoding, name, "", "encoding of texts, such as latin1, or auto (default: utf-8 for folders, latin1 for Reuters-21578, what each message says for mail)")
	case "strip":
		list(&o.strip, "leave out of messages: headers, quotes, footers", corpus.StripHeaders, corpus.StripQuotes, corpus.StripFooters)
	case "reuters-preset":
		choice(&o.preset, "documents of Reuters-21578 that papers take: "+strings.Join(corpus.ReutersPresets(), ", "), corpus.ReutersPresets()...)
	case "reuters-marked":
		choice(&o.marked, "the TOPICS attribute that documents of Reuters-21578 must have", "yes", "no", "bypass", "any")
	case "reuters-topics":
		choice(&o.topics, "how many topics documents of Reuters-21578 must have; each: one or more, and the document stands once for each", "any", "one", "some", "each")
	case "reuters-topic-list":
		list(&o.topicList, "the topics of Reuters-21578 that count")
	case "reuters-body":
		choice(&o.reutersBody, "documents of Reuters-21578 without a body: any keeps them, filled leaves them out", "any", "filled")
	case "reuters-text":
		choice(&o.reutersText, "what of documents of Reuters-21578 is counted (default: title+body)", "title+body", "title", "body")
	default:
		return false
	}
	return true
}

// text is how terms are made.
func (o *textOptions) text() corpus.TextOptions {
	t := corpus.TextOptions{Language: o.language, StopWords: o.stopWords, NGrams: o.ngrams, MinLength: o.minLength, Vocabulary: o.terms,
		MinDF: o.minDF.number, MinDFShare: o.minDF.share, MaxDF: o.maxDF.share, MaxDFCount: o.maxDF.number}
	if t.MinDFShare > 0 {
		t.MinDF = 1
	}
	return t
}

func (o *options) readOptions(obs progress.Observer) corpus.ReadOptions {
	return corpus.ReadOptions{
		Format: o.inputFormat, Var: o.variable, LabelVar: o.labelVar, LabelColumn: o.labelColumn,
		Transpose: o.transpose, Labels: o.truth, Text: o.text(),
		Split: o.split, Strip: o.strip, LabelHeader: o.labelHeader, ClassFolder: o.classFolder, Encoding: o.encoding,
		Reuters:  corpus.ReutersOptions{Preset: o.preset, Marked: o.marked, Topics: o.topics, TopicList: o.topicList, Body: o.reutersBody, Text: o.reutersText},
		Observer: obs,
	}
}

// settleText settles the stop words and reads the vocabulary, before the corpus.
func (j *job) settleText(ctx context.Context) error {
	o := j.opt
	if o.stopWords == "" {
		o.stopWords = "english"
		if o.language != "none" {
			o.stopWords = o.language
		}
	}
	if o.vocabulary == "" {
		return nil
	}
	if err := refuseWith(j.set, "--vocabulary, which says the terms", besideVocabulary); err != nil {
		return err
	}
	var err error
	o.terms, err = corpus.ReadVocabulary(ctx, o.vocabulary)
	return err
}

// uselessForText tells whether a flag means nothing beside the other flags of raw text.
func (o *textOptions) uselessForText(flag string) bool {
	return o.vocabulary != "" && slices.Contains(besideVocabulary, flag)
}

// documentsValue is a number of documents, or their share. As the most of them 1 is all: a term of one document tells nothing.
type documentsValue struct {
	value *numberOrShare
	most  bool
}

func (v documentsValue) Set(s string) error {
	if v.most && s == "1" {
		s = "1.0"
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 1 {
		*v.value = numberOrShare{number: n}
		return nil
	}
	var x float64
	if err := (shareValue{positiveValue{&x}}).Set(s); err != nil {
		return errDocuments
	}
	*v.value = numberOrShare{share: x}
	return nil
}
func (v documentsValue) String() string { return numberOrShareValue{v.value}.String() }
func (v documentsValue) Type() string   { return "N|share" }
