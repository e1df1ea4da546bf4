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
		if got := scanTongue(text); got.Language() != 0 && got != otherTongue {
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

// English is taken on evidence of English: its common words, or its runs of letters in texts out of
// which these were left. Texts too short to say are English too.
func TestNotEnglish(t *testing.T) {
	for _, text := range []string{
		"Ibanki nyafrika ijejwe iterambere yiteguriye kwegeranya umuriyaridi w'amadorari mu kiringo c'indwi imwe yo gushigikira igisata c'uburimyi",
		"Gwamnatin Tarayya ta ci alwashin shawo kan yaduwar zazzabin lassa a jihohin arewa, yayin da hukumomi ke kara kaimi wajen wayar da kan jama'ar kauyuka, in ji ministan kiwon lafiya",
		"Madaxweynaha ayaa sheegay in dowladda ay qaadi doonto tallaabooyin lagu xakameynayo qiimaha cuntada iyo biyaha",
	} {
		if got := scanTongue(text); got != otherTongue {
			t.Errorf("%q is %s", text, got)
		}
	}
	for _, text := range []string{
		"broadband ahead join internet fast accord official figure number business connect jump report broadband connection",
		"data mining direct problem solution bayesian network identify causal effect speed individual vehicle pedestrian",
		"Visual Studio Setup Project - Per User Registry Settings", "check pass; user unknown", "akulungiswe isimo", "uyazethemba umfundi odlule ebunzimeni akulungiswe isimo kungakonakali",
		"usb 1-4: new high-speed USB device number 7 using xhci_hcd", "Eclipse Equinox Weaving Hook",
		"dimethyl sulfoxide, methylcyclohexane, chlorobenzene, acetonitrile, tetrahydrofuran",
		"Di capital expenditure na money wey goment go use build road, hospital and school for di country next year",
	} {
		if got := scanTongue(text); got == otherTongue {
			t.Errorf("%q is %s", text, got)
		}
	}
}
