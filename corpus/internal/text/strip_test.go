package text

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
		got, _ := stripText(post, tc.parts)
		for _, w := range strings.Fields(tc.want) {
			if !strings.Contains(got, w) {
				t.Errorf("without %v the word %s is lost: %q", tc.parts, w, got)
			}
		}
		for _, w := range strings.Fields(tc.lack) {
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
		"From: a@b\nSubject: c\n\nbody": true, "Path: x\nX-Other: y\nDate: z\n\n": true, "From a@b Mon\nFrom: a@b\nTo: c\n\nbody": true,
		"": false, "body": false, "From: a@b\n\nSubject: c": false, "Note: a\nDate: b\n\nc": false, "Dear all,\nFrom: a\nTo: b": false, "From here on\nwe go": false,
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
		{mail, nil, "boats\n> which boats\nthese\n", true},
		{mail, []string{StripAuto, StripQuotes}, "boats\nthese\n", true},
		{mail, []string{StripNone}, mail, false},
		{"Ann wrote:\nboats\n-- \nJoe\n", nil, "Ann wrote:\nboats\n-- \nJoe\n", false},
	} {
		opt := ReadOptions{Strip: tc.parts}
		if got, cut := stripText(tc.text, opt.stripped()); got != tc.want || cut != tc.cut {
			t.Errorf("%v of %q: %q, %v", tc.parts, tc.text, got, cut)
		}
	}
	for _, tc := range []struct {
		parts []string
		valid bool
	}{{nil, true}, {[]string{StripAuto, StripQuotes}, true}, {[]string{StripNone}, true}, {[]string{StripNone, StripAuto}, false}, {[]string{"all"}, false}} {
		if err := checkStrips(tc.parts); (err == nil) != tc.valid {
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
		"":        "",
	} {
		if got := withoutSignature(text); got != want {
			t.Errorf("signature of %q: left %q", text, got)
		}
	}
}
