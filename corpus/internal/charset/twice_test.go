package charset

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"golang.org/x/text/encoding/charmap"
)

// twice is a text whose bytes were read as Latin-1.
func twice(text string) string {
	var out []rune
	for _, b := range []byte(text) {
		out = append(out, rune(b))
	}
	return string(out)
}

// TestOnce: what was encoded twice is read as it was meant, and other texts are left alone.
func TestOnce(t *testing.T) {
	for _, text := range []string{"Voilà – “dit-elle” 😀", "Straße", "Привет, как дела?", "日本語のテキスト", "naïve café"} {
		if got, ok := Once(twice(text)); !ok || got != text {
			t.Errorf("%q is read as %q, %v", twice(text), got, ok)
		}
		if got, ok := Once(text); ok || got != text {
			t.Errorf("%q is taken for an encoding of %q", text, got)
		}
	}
	windows := must.Get(charmap.Windows1252.NewDecoder().String("It’s ‘fine’ – 5 €"))(t)
	if got, ok := Once(windows); !ok || got != "It’s ‘fine’ – 5 €" {
		t.Errorf("%q is read as %q", windows, got)
	}
	for text, want := range map[string]string{"CAFÃ‰ NOIR": "CAFÉ NOIR", "KÃ–LN": "KÖLN", "dÃ»": "dû", "sÃ»r": "sûr", "Ã–sterreich": "Österreich"} {
		if got, ok := Once(text); !ok || got != want {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	for _, text := range []string{"AMANHÃ… TEMOS FESTA", "AVELÃ” DISSE", "A MANHÃ–", "", "plain", "CAFÉ»", "« CAFÉ »", "SÃO PAULO", "Ã", "Â", "costs €5 in Â", "NÃO É", "Straße and StraÃŸe"} {
		if got, ok := Once(text); ok {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}
