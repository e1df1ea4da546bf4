package words

import (
	"testing"
)

func TestRename(t *testing.T) {
	as := func(name string) string { return "--" + name }
	for text, want := range map[string]string{
		"give " + Option("neighbors") + " 5": "give --neighbors 5",
		"‹a› and ‹b-c›":                      "--a and --b-c",
		"nothing":                            "nothing",
		"":                                   "",
		"an open mark ‹neighbors":            "an open mark ‹neighbors",
		"a close mark › alone":               "a close mark › alone",
		"‹a› then ‹open":                     "--a then ‹open",
		"‹dims› 3 is more than its 2 documents":       "--dims 3 is more than its 2 documents",
		"twice ‹k›‹k›":                                "twice --k--k",
		"a text with marks inside one: ‹edge weight›": "a text with marks inside one: --edge weight",
	} {
		if got := Rename(text, as); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 6012: "6,012", 1234567: "1,234,567",
		-1: "-1", -100: "-100", -1000: "-1,000"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d is %q, not %q", n, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for got, want := range map[string]string{
		Counted(1, "term"):                            "1 term",
		Counted(0, "term"):                            "0 terms",
		Counted(6012, "term"):                         "6,012 terms",
		Plural(1, "document has", "documents have"):   "1 document has",
		Plural(3, "document has", "documents have"):   "3 documents have",
		Plural(0, "document gives", "documents give"): "0 documents give",
		Percent(1, 3):                                 "33 %",
		Percent(2, 2):                                 "100 %",
		Percent(0, 0):                                 "",
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestClipMiddle(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "exactly10!": "exactly10!", "http://a.example/Event": "http…Event", " two\n lines": "two lines", "äöüßéèàùîô!": "äöüß…àùîô!"} {
		if got := ClipMiddle(text, 10); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	if got := ClipMiddle("ab", 1); got != "…" {
		t.Errorf("ab within 1 is %q", got)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"}, {"exactly10!", 10, "exactly10!"}, {"more than ten", 10, "more than…"}, {"  two\n lines\t", 20, "two lines"},
		{"äöüßéè", 4, "äöü…"}, {"", 3, ""}, {"ab", 1, "…"},
	} {
		if got := Clip(c.text, c.most); got != c.want {
			t.Errorf("%q within %d is %q, not %q", c.text, c.most, got, c.want)
		}
	}
}

// TestShellWord: a plain word stays, and a shell reads every other one back as it was.
func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{
		"ticket_id": "ticket_id", "a-b.csv,c": "a-b.csv,c", "Ticket ID": "'Ticket ID'", "it's": `'it'\''s'`, "": "''", "$x": "'$x'", "naïve": "'naïve'",
	} {
		if got := ShellWord(text); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}

func TestVerb(t *testing.T) {
	for n, want := range []string{"have", "has", "have"} {
		if got := Verb(n, "has", "have"); got != want {
			t.Errorf("%d documents %s, not %s", n, got, want)
		}
	}
}
