package plain

import "testing"

// Transcripts of CHILDES and of Praat are what was said in them.
func TestTranscript(t *testing.T) {
	const grid = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0\nitem []:\n    item [1]:\n        class = \"IntervalTier\"\n        name = \"words\"\n        intervals [1]:\n            xmin = 0\n            text = \"\"\n        intervals [2]:\n            text = \"the \"\"engine\"\" \"\n    item [2]:\n        class = \"TextTier\"\n        points [1]:\n            number = 1\n            mark = \"stops\"\n"
	const short = "File type = \"ooTextFile\"\n\"TextGrid\"\n\n0\n2\n<exists>\n1\n\"IntervalTier\"\n\"words\"\n0\n2\n2\n0\n1\n\"the engine\"\n1\n2\n\"stops\"\n"
	for _, c := range []struct{ name, text, want string }{
		{"a.cha", "@UTF8\n@Begin\n@Participants:\tCHI Ann Target_Child\n*CHI:\tthe engine [*] &-uh\n\tof a <car> [/] car . \x15123_456\x15\n%mor:\tdet|the n|engine\n\tmore of it\n*MOT:\tyes +...\n@End\n", "the engine\nof a car car .\nyes\n"},
		{"a.cha", "*A:\t(be)cause xxx of (.) it .\n", "because of . it .\n"},
		{"a.cha.gz", "*A:\tone\r\n%com:\tno\r\n*B:\ttwo\r\n", "one\ntwo\n"},
		{"a.TextGrid", grid, "the \"engine\"\nstops\n"},
		{"a.textgrid", short, "the engine\nstops\n"},
	} {
		if !IsTranscript(c.name) {
			t.Errorf("%s is no transcript", c.name)
		}
		if got := Transcript(c.name, c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if IsTranscript("a.txt") {
		t.Error("a.txt is a transcript")
	}
}
