package plain

import "testing"

// Of subtitles what is spoken is left.
func TestSubtitleText(t *testing.T) {
	for of, want := range map[string]string{
		"1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Good morning.</i>\r\nAll of you.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n{\\an8}1984\r\n":                                 "Good morning.\nAll of you.\n1984\n",
		"WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE by me\nand you\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>Good <00:01.500>morning\n": "Good morning\n",
		"00:01.000 --> 00:02.000\none two\n\n00:02.000 --> 00:03.000\none two\nthree\n":                                                                                          "one two\nthree\n",
		"Words alone\nwithout times\n": "Words alone\nwithout times\n",
		"":                             "",
	} {
		if got := Subtitles(of); got != want {
			t.Errorf("%q is %q, not %q", of, got, want)
		}
	}
}
