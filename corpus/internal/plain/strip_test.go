package plain

import (
	"strings"
	"testing"
)

func TestStripMessage(t *testing.T) {
	post := strings.Join([]string{
		"From: someone@example.org (Some One)", "Subject: Re: Orbits", "Lines: 12", "",
		"In article <1@x> Other writes:", "> quoted line", ">> deeper", "JS> by initials", "| barred", "On Monday somebody wrote:",
		"own words: a > b", "", "second paragraph", "", "-- ", "Some One, Somewhere", "",
	}, "\n")
	for _, tc := range []struct {
		parts      []string
		want, lack string
	}{
		{[]string{StripHeaders}, "quoted own Somewhere", "Subject someone@example.org"},
		{[]string{StripQuotes}, "Subject own second Somewhere", "quoted deeper initials barred Monday article"},
		{[]string{StripFooters}, "Subject quoted own second", "Somewhere"},
		{[]string{StripFooters, StripQuotes, StripHeaders}, "own second", "Subject quoted article Somewhere"},
		{nil, "Subject quoted own Somewhere", "nothing"},
	} {
		got, _ := Strip(post, tc.parts)
		for w := range strings.FieldsSeq(tc.want) {
			if !strings.Contains(got, w) {
				t.Errorf("without %v the word %s is lost: %q", tc.parts, w, got)
			}
		}
		for w := range strings.FieldsSeq(tc.lack) {
			if strings.Contains(got, w) {
				t.Errorf("without %v the word %s is still there: %q", tc.parts, w, got)
			}
		}
	}
	for text, want := range map[string]string{
		"":                             "",
		"one paragraph":                "one paragraph",
		"two lines\nof text":           "two lines\nof text",
		"text\n\nsignature":            "text\n",
		"text\n---------\nsignature\n": "text\n",
		"\n\ntext":                     "\n\ntext",
	} {
		if got := withoutFooter(text); got != want {
			t.Errorf("footer of %q: left %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"No header here\n\nbody": "No header here\n\nbody", "A: b\nC: d": "", "A: b\r\n\r\nbody": "body", "From x Mon\nA: b\n\nbody": "body", "": "",
	} {
		if got := withoutHeaders(text); got != want {
			t.Errorf("headers of %q: left %q", text, got)
		}
	}
}

// Of texts that begin with headers of mail the subject and the body remain by default, without
// signature; other texts stay as they are.
func TestStripAuto(t *testing.T) {
	for text, want := range map[string]bool{
		"From: a@b\nSubject: c\n\nbody": true, "Path: x!y\nX-Other: y\nDate: z\n\n": true, "From a@b Mon\nFrom: a@b\nTo: c\n\nbody": true,
		"Subject: c\r\nfrom:\r\n a@b\r\n\r\nbody": true, "NEWSGROUPS: a\nLines: 2\n\nbody": true,
		"": false, "body": false, "From: a@b\n\nSubject: c": false, "Note: a\nDate: b\n\nc": false, "Dear all,\nFrom: a\nTo: b": false, "From here on\nwe go": false,
		// No empty line; one header twice; no value of mail; a line that is no header.
		"Date: 5 May\nSubject: x\nAbstract: y\nKeywords: z": false, "From: a@b.c\nSubject: boats\nThe ship sails on the lake": false,
		"From: a@b\nFrom: c@d\n\nbody": false, "Path: x\nDate: y\n\nbody": false, "To: council\nFrom: mayor\nAgenda: bridges\n\nthanks": false,
		"Hamlet: a\nTo: b\nLines: c\n\nIn article one": false, "From: a@b\nSubject: c\nno header\n\nbody": false, " From: a@b\nTo: c\n\nd": false,
	} {
		if got := isMail(text); got != want {
			t.Errorf("%q is mail: %v", text, got)
		}
	}
	const mail = "From: joe@example.org\nSubject: boats\nOrganization: Pitt\n\nIn article <1@x> Ann writes:\n> which boats\n>> Ann wrote:\nthese\n\n-- \nJoe\n"
	for _, tc := range []struct {
		text  string
		parts []string
		want  string
		cut   bool
	}{
		{mail, []string{StripAuto}, "boats\n> which boats\nthese\n", true},
		{mail, []string{StripAuto, StripQuotes}, "boats\nthese\n", true},
		{mail, []string{StripNone}, mail, false},
		{mail, []string{StripAuto, StripHeaders}, "> which boats\nthese\n", true}, // as of a mailbox
		{"Ann wrote:\nboats\n-- \nJoe\n", []string{StripAuto}, "Ann wrote:\nboats\n-- \nJoe\n", false},
	} {
		if got, cut := Strip(tc.text, tc.parts); got != tc.want || cut != tc.cut {
			t.Errorf("%v of %q: %q, %v", tc.parts, tc.text, got, cut)
		}
	}
	for _, tc := range []struct {
		parts []string
		valid bool
	}{{nil, true}, {[]string{StripAuto, StripQuotes}, true}, {[]string{StripNone}, true}, {[]string{StripNone, StripAuto}, false}, {[]string{"all"}, false}} {
		if err := CheckStrips(tc.parts); (err == nil) != tc.valid {
			t.Errorf("%v: %v", tc.parts, err)
		}
	}
}

// A signature is what follows "-- ", or the end of a text with an address in it.
func TestSignatures(t *testing.T) {
	for text, want := range map[string]string{
		"body\n-- \nJoe\n": "body",
		"body\n--\nJoe":    "body",
		"body\n-----\nJoe joe@example.org\n-----\n":                "body",
		"body\n\nJoe Pitt\njoe@example.org\n":                      "body",
		"body\n\nJoe, (412) 555-1234":                              "body",
		"body\n\nhome page: https://example.org/~joe":              "body",
		"body\n=====\ntable of values\n":                           "body\n=====\ntable of values\n",
		"joe@example.org is the address":                           "joe@example.org is the address",
		"body\n\nlast paragraph, without an address":               "body\n\nlast paragraph, without an address",
		"one\n\na@b.c\n2\n3\n4\n5\n6\n7\nof a long last paragraph": "one\n\na@b.c\n2\n3\n4\n5\n6\n7\nof a long last paragraph",
		"--\nJoe": "--\nJoe",
		"body\n" + strings.Repeat("_", 70) + "\nJoe Pitt\njoe@example.org":   "body",
		"body\n\nJoe Pitt, Somewhere\nuucp: all!the!way\nOpinions are mine.": "body",
		// What follows is no signature: long lines, sentences over lines, a title above a list.
		"Dear all,\n\nThe discussion of kernels is at https://x.org and continues with eigenvalues tomorrow.": "Dear all,\n\nThe discussion of kernels is at https://x.org and continues with eigenvalues tomorrow.",
		"Dear all,\n\nThe discussion of kernels\nis at https://x.org and goes on with\neigenvalues.":          "Dear all,\n\nThe discussion of kernels\nis at https://x.org and goes on with\neigenvalues.",
		"Dear all,\n\nThe kernels of the graph are at https://x.org today.":                                   "Dear all,\n\nThe kernels of the graph are at https://x.org today.",
		"大家好\n\n讨论在 https://x.org 明天继续。":                                                                      "大家好\n\n讨论在 https://x.org 明天继续。",
		"hello\n\nif a!b then kernels":                                                                          "hello\n\nif a!b then kernels",
		"intro\n---\nmonday kernels\ntuesday eigenvalues\nwrite bob@x.org":                                      "intro\n---\nmonday kernels\ntuesday eigenvalues\nwrite bob@x.org",
		"intro\n----\nThe kernels are on Monday, and the eigenvalues on Tuesday at ten.\nwrite bob@x.org\n----": "intro\n----\nThe kernels are on Monday, and the eigenvalues on Tuesday at ten.\nwrite bob@x.org\n----",
		"": "",
	} {
		if got := withoutSignature(text); got != want {
			t.Errorf("signature of %q: left %q", text, got)
		}
	}
}

// A line introduces a quotation if it has a verb of writing at its end, or names a message.
func TestIntroductions(t *testing.T) {
	for _, tc := range []struct {
		line, next string
		want       bool
	}{
		{"In article <1@x> Ann says", "", true},
		{"In article <1993May4.120000.1@x.org>,", "Ann writes:", true},
		{"In article 1993May4@x,", "> Ann writes:", true},
		{"> In article 12, Ann wrote:", "", true},
		{"Quoted from Ann <ann@x.org>", "", true},
		{"On Monday Ann wrote:", "", true},
		{"Ann writes in alt.boats:", "", true},
		{"Ann (ann@x.org) writes in", "", true},
		{"In article five of the treaty nations agreed", "on boats.", false},
		{"Quoted from the treaty", "", false},
		{"Ann writes in her book of boats", "", false},
		{strings.Repeat("a long paragraph ", 20) + "wrote:", "", false},
	} {
		if got := isIntroduction(tc.line, tc.next); got != tc.want {
			t.Errorf("%q before %q introduces a quotation: %v", tc.line, tc.next, got)
		}
	}
	if got := withoutLines("In article 5,\r\nAnn writes:\r\n> a\nboats", isIntroduction); got != "> a\nboats" {
		t.Errorf("left %q", got)
	}
}
