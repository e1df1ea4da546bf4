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
		got := stripMessage(post, tc.parts)
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

// Texts that begin with headers of mail lose all three parts by auto, others nothing.
func TestStripAuto(t *testing.T) {
	for text, want := range map[string]bool{
		"From: a@b\nSubject: c\n\nbody": true, "Path: x\nX-Other: y\nDate: z\n\n": true, "From a@b Mon\nFrom: a@b\nTo: c\n\nbody": true,
		"": false, "body": false, "From: a@b\n\nSubject: c": false, "Note: a\nDate: b\n\nc": false, "Dear all,\nFrom: a\nTo: b": false, "From here on\nwe go": false,
	} {
		if got := isMail(text); got != want {
			t.Errorf("%q is mail: %v", text, got)
		}
	}
	if got := ofMail([]string{StripAuto}, true); len(got) != 3 {
		t.Errorf("of mail %v", got)
	}
	if got := ofMail([]string{StripQuotes, StripAuto}, false); len(got) != 1 || got[0] != StripQuotes {
		t.Errorf("of another text %v", got)
	}
	if checkStrips([]string{StripAuto}) != nil || checkStrips([]string{"all"}) == nil {
		t.Error("what can be stripped")
	}
}

// Messages with quoted lines or a signature are recognised, also in a file of one message.
func TestQuotesOfMessages(t *testing.T) {
	for body, want := range map[string]bool{
		"boats on a lake\n": false, "> what boats\nthese\n": true, "boats\n-- \nJoe Pitt\n": true, "On Monday Joe wrote:\nboats\n": true,
	} {
		raw := []byte("From x\nSubject: boats\n\n" + body)
		if d, err := (&mailRule{}).document(raw, 1); err != nil || d.quotes != want {
			t.Errorf("%q: %v, %v", body, d.quotes, err)
		}
		if d, _ := (&mailRule{strip: []string{StripQuotes}}).document(raw, 1); d.quotes {
			t.Errorf("%q: quoted lines that are left out", body)
		}
	}
}
