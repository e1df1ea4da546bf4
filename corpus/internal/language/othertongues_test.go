package language

import (
	"strings"
	"testing"
)

// A text in a language that has no list here is not of one with which it shares a few short words,
// however often it has them, or some letters.
func TestOtherTongues(t *testing.T) {
	lingala := "Bato ya mboka bakendaki na zando mpo na kosomba bilei ya bana, kasi bazwaki te. Mokonzi ya ville alobaki ete " +
		"mosala ya nzela ekosila na sanza ya zomi, kasi mbula ebebisaki yango lokola mbula ya kala. Bana ya kelasi bazalaki " +
		"na ndako ya Nzambe mpo na losambo, kasi balakisi bayaki te na tongo ya mokolo ya mposo."
	for _, text := range []string{
		lingala, strings.Repeat(lingala+" ", 4),
		"Mo ti jí ní òwúrọ̀ yìí, mo sì ti jẹun tán, ẹ kú iṣẹ́ o, ṣé dáadáa ni ẹ wà lo sí ọjà",
		"Hôm nay trời đẹp quá, chúng tôi đi chợ mua cá và rau về nấu cơm cho cả nhà ăn tối",
	} {
		if got := scanTongue(text); got.Language() != 0 {
			t.Errorf("%q is %s", text, got)
		}
	}
}

// A table of contents has few different ones of the commonest words of its language, in many words.
func TestTongueOfContents(t *testing.T) {
	var text strings.Builder
	for _, kind := range []string{"Käufe", "Mieten", "Pachten", "Leihen", "Darlehen", "Dienste", "Werke", "Reisen", "Aufträge", "Bürgschaften", "Vergleiche", "Schenkungen"} {
		text.WriteString("Titel Vorschriften über " + kind + ", Untertitel Allgemeine Vorschriften für " + kind + " und Räume, Kapitel Pflichten der Parteien, Kapitel Rücktritt von Verträgen, Kapitel Übergang der Rechte. ")
	}
	if got := scanTongue(text.String()); got.Language() == 0 || got.String() != "german" {
		t.Errorf("a table of contents in German is %s", got)
	}
}
