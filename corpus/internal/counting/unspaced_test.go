package counting

import (
	"strings"
	"testing"
)

// Texts without blanks between words make pieces of three characters, each with its marks; texts
// that have them keep their words.
func TestUnspaced(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"แมวกินปลาทู", "แมว มวกิ วกิน กินป นปล ปลา ลาทู"},
		{"แมว กิน ปลา", "แมว กิน ปลา"},
		{"แมว\u200bกิน\u200bปลา\u200bทู", "แมว กิน ปลา ทู"},
		{"กขคงจฉชซฌญฎฏฐaกขคงจฉชซฌญ กข", "กขค ขคง คงจ งจฉ จฉช ฉชซ ชซฌ ซฌญ ฌญฎ ญฎฏ ฎฏฐ a กขค ขคง คงจ งจฉ จฉช ฉชซ ชซฌ ซฌญ กข"},
		{"ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", "ខ្ញុំស្រឡា ស្រឡាញ់ ឡាញ់ភា ញ់ភាសា ភាសាខ្មែ សាខ្មែរ"},
	} {
		if got := strings.Join(wordsOf(mustAnalyzer(t, Options{Language: "none"}), c.text), " "); got != c.want {
			t.Errorf("%q gave %q, want %q", c.text, got, c.want)
		}
	}
	// Triples that two texts share are terms, and a note names the script.
	c := countTexts(t, `{"text": "แมวกินปลาทูในครัว"}`+"\n"+`{"text": "หมากินปลาทูในสวน"}`, Options{})
	if notes := strings.Join(c.Notes, " "); len(c.Terms) < 4 || !strings.Contains(notes, "2 documents are Thai, which has no blanks") || !strings.Contains(notes, "PyThaiNLP") {
		t.Errorf("%q: %s", c.Terms, notes)
	}
}

// An emoji is a word, whatever is beside it and however it is written.
func TestEmoji(t *testing.T) {
	for text, want := range map[string]string{
		"great👍work":                "great 👍 work",
		"👍🏽👍":                       "👍 👍",
		"I ❤️ it, I ❤ it":           "i ❤ it i ❤ it",
		"👨‍👩‍👧 family":              "👨‍👩‍👧 family",
		"🏳️‍🌈":                      "🏳‍🌈",
		"🇩🇪🇫🇷 🇩":                    "🇩🇪 🇫🇷",
		"✓ done ➤ next ✔ ok ✔️ yes": "done next ok ✔ yes",
		"© 2024 ™ 5️⃣ a":            "a",
		"日本😀語":                      "日本 😀 語",
		"🏴󠁧󠁢󠁳󠁣󠁴󠁿 won":               "🏴󠁧󠁢󠁳󠁣󠁴󠁿 won",
	} {
		if got := strings.Join(wordsOf(mustAnalyzer(t, Options{Language: "none"}), text), " "); got != want {
			t.Errorf("%q gave %q, want %q", text, got, want)
		}
	}
	a := mustAnalyzer(t, Options{})
	if a.term("👍") != "👍" || a.term("x") != "" {
		t.Error("an emoji is too short")
	}
	c := countTexts(t, `{"text": "good 😀"}`+"\n"+`{"text": "bad 😀 🎉"}`, Options{MinDF: 1})
	if got := strings.Join(c.Terms, " "); got != "bad good 🎉 😀" {
		t.Errorf("terms %s", got)
	}
}
