package plain

import (
	"strings"
	"testing"
)

// Of subtitles what is spoken is left.
func TestSubtitleText(t *testing.T) {
	for of, want := range map[string]string{
		"1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Good morning.</i>\r\nAll of you.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n{\\an8}1984\r\n":                                 "Good morning.\nAll of you.\n1984\n",
		"WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE by me\nand you\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>Good <00:01.500>morning\n": "Good morning\n",
		"00:01.000 --> 00:02.000\none two\n\n00:02.000 --> 00:03.000\none two\nthree\n":                                                                                          "one two\nthree\n",
		"Words alone\nwithout times\n": "Words alone\nwithout times\n",
		"":                             "",
	} {
		if got := Subtitles("a.srt", of); got != want {
			t.Errorf("%q is %q, not %q", of, got, want)
		}
	}
}

// Subtitles in other forms, and lyrics with times, have what is spoken or sung.
func TestOtherSubtitles(t *testing.T) {
	for _, c := range []struct{ name, of, want string }{
		{"a.ass", "[Script Info]\r\nTitle: x\r\n\r\n[V4+ Styles]\r\nStyle: Default,Arial\r\n\r\n[Events]\r\nFormat: Layer, Start\r\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Good{\\i0} morning, all\\Nof you\r\nComment: 0,x\r\n", " Good  morning, all of you\n"},
		{"a.lrc", "[ti:The road]\n[al:Cars]\n[length:03:20]\n[00:12.00]We go [00:13.00]home\n[00:14.00][01:14.00]<00:14.10>and back\n", "The road\n\n\nWe go home\nand back\n"},
		{"a.sub", "{0}{20}{y:i}Good morning|all\n{25}{40}of you\n", "Good morning\nall\nof you\n"},
		{"a.sbv", "0:00:01.000,0:00:02.000\nGood morning\n", "\nGood morning\n"},
		{"a.sub", "[INFORMATION]\r\n[TITLE]Road\r\n00:00:01.00,00:00:02.00\r\nGood morning[br]all\r\n", "\n\n\nGood morning\nall\n"},
		{"a.sub", "executable = a\narguments = {b: c} | d\n", "executable = a\narguments = {b: c} | d\n"},
		{"a.ass", "mov a, b\n", "mov a, b\n"},
	} {
		if got := Subtitles(c.name, c.of); got != c.want {
			t.Errorf("%s, %q is %q, not %q", c.name, c.of, got, c.want)
		}
	}
}

// Of a document of XML the text outside of its tags is left, without what a TEI header and the
// pictures of a book hold; words in attributes alone, and HTML, are others' work.
func TestXMLText(t *testing.T) {
	const words = "one two three four five six seven eight nine ten"
	for of, want := range map[string]string{
		`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y>z">]><TEI><teiHeader><title>Head</title></teiHeader><u who="#Ann"><seg>` + words + `</seg></u></TEI>`:                     words,
		`<?xml version="1.0"?><FictionBook><description><genre>g</genre><book-title>Road</book-title></description><p>` + words + `</p><binary id="c">AAAA</binary></FictionBook>`: "Road " + words,
		`<?xml version="1.0"?><a><!-- no > --><b x="1 > 0"><![CDATA[` + words + ` <i>]]></b>4 < 5</a>`:                                                                             words + " <i> 4 < 5",
		`<?xml version="1.0"?><alto><Layout>` + strings.Repeat(`<String HPOS="1" CONTENT="word"/><SP/>`, 10) + `</Layout></alto>`:                                                  strings.TrimSpace(strings.Repeat("word ", 10)),
		`<?xml version="1.0"?><settings name="` + words + `"/>`:                                                                                                                    "",
		`<?xml version="1.0"?><html><body>` + words + `</body></html>`:                                                                                                             "",
		`<?xml version="1.0"?><s>` + words + strings.Repeat(`<t word="road" lemma="road" pos="noun"/>`, 100) + `</s>`:                                                              "",
		`<?xml version="1.0"?><a><p>He said: un<b>happy</b>ly, H<sub>2</sub>O and ` + words + `</p><a>left</a><b>right</b></a>`:                                                    "He said: unhappyly, H2O and " + words + " left right",
		`<?xml version="1.0"?><a>` + words + ` <!-- no end <b>` + words + `</b></a>`:                                                                                               "",
		words + " <TEI>": "",
	} {
		text, ok := xmlText(of)
		if got := strings.Join(strings.Fields(text), " "); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %v; want %q", of, got, ok, want)
		}
	}
}

// Books of Project Gutenberg are read without their licence.
func TestLicence(t *testing.T) {
	const book = "Title\n*** START OF THE PROJECT GUTENBERG EBOOK A ROAD ***\nwords of it\n*** END OF THE PROJECT GUTENBERG EBOOK A ROAD ***\nlicence\n"
	for of, want := range map[string]string{book: "words of it\n", book + book: "words of it\nwords of it\n", "words\n" + book[strings.Index(book, "*** END"):]: "words\n", "words": "words"} {
		if got, found := WithoutLicence(of, []string{StripAuto}); got != want || found != (of != "words") {
			t.Errorf("%q: %q, %v, want %q", of, got, found, want)
		}
		if got, found := WithoutLicence(of, []string{StripNone}); got != of || found {
			t.Errorf("%q is cut", of)
		}
	}
}
