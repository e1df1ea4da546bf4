package charset

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// Texts in Latin letters that are not UTF-8 are read in the encoding whose letters they have.
func TestGuessLatin(t *testing.T) {
	for _, c := range []struct {
		name string
		e    encoding.Encoding
		text string
	}{
		{"Windows-1254", charmap.Windows1254, "Bugün hava çok güzeldi, çocuklar bahçede koştular ve akşam yemeğini dışarıda yedik; sonra eve döndük."},
		{"Windows-1250", charmap.Windows1250, "Wczoraj była ładna pogoda i dzieci bawiły się na łące, a potem wróciły do domu, żeby zjeść kolację z całą rodziną."},
		{"Windows-1250", charmap.Windows1250, "Včera bylo hezky a děti si hrály na zahradě, potom jsme šli domů a večeřeli jsme s celou rodinou při svíčkách, řekl otec."},
		{"Windows-1250", charmap.Windows1250, "Tegnap szép idő volt, a gyerekek a kertben játszottak, később hazamentünk, és együtt vacsoráztunk a nagyszülőkkel, akik örültek; a fűben ültünk."},
		{"Windows-1252", charmap.Windows1252, "Gestern war schönes Wetter, die Kinder spielten draußen, später aßen wir über den Dächern zu Abend und gingen müde nach Hause."},
		{"Windows-1252", charmap.Windows1252, "Hier il a fait très beau, les élèves ont joué à côté de l'église, après ça nous avons mangé chez la mère de Zoé où ça sentait bon."},
		{"Windows-1252", charmap.Windows1252, "Ontem não choveu e as crianças foram à praia; às três horas voltámos para casa e comemos pães, maçãs, limões e bolos de avó."},
		{"Windows-1252", charmap.Windows1252, "Í gær var gott veður og börnin léku sér úti, síðan fórum við heim og borðuðum með ömmu þar til það varð dimmt á þessum stað."},
		{"Windows-1252", charmap.Windows1252, "I går var det fint vejr, og børnene legede på græsset, så gik vi hjem og spiste æbler og brød med smør på."},
		{"Windows-1252", charmap.Windows1252, "Ieri faceva bello, perché c'era il sole; così i bambini giocarono fuori, poi andò a casa il papà e mangiò più di lunedì, venerdì e domenica."},
		{"Windows-1252", charmap.Windows1252, "Eile oli ilus ilm, lapsed mängisid õues, pärast läksime koju ja sõime õhtust; õpetaja rääkis õpilastele pöördumatust ööst."},
		{"CP850", charmap.CodePage850, "Gestern war schönes Wetter, die Kinder spielten draußen, später aßen wir über den Dächern zu Abend und gingen müde nach Hause."},
		{"CP850", charmap.CodePage437, "Hier il a fait très beau, les élèves ont joué à côté de l'église, après ça nous avons mangé chez la mère de Zoé où ça sentait bon."},
		{"CP850", charmap.CodePage850, "Ontem não choveu e as crianças foram à praia; às três horas voltámos para casa e comemos pães, maçãs, limões e bolos de avó."},
		{"Mac Roman", charmap.Macintosh, "Gestern war schönes Wetter, die Kinder spielten draußen, später aßen wir über den Dächern zu Abend und gingen müde nach Hause."},
		{"Mac Roman", charmap.Macintosh, "I går var det fint vejr, og børnene legede på græsset, så gik vi hjem og spiste æbler og brød med smør på."},
		{"Mac Roman", charmap.Macintosh, "El niño comió rápido y salió; ¿cuándo volverá? Mañana, según dijo su mamá, que está aquí también."},
		{"CP852", charmap.CodePage852, "Wczoraj była ładna pogoda i dzieci bawiły się na łące, a potem wróciły do domu, żeby zjeść kolację z całą rodziną."},
		{"ISO-8859-2", charmap.ISO8859_2, "Wczoraj była ładna pogoda, więc wyszliśmy; ślub był piękny, a wśród gości ktoś śpiewał, żeby zjeść kolację z całą rodziną i pójść spać."},
		{"CP852", charmap.CodePage852, "Včera bylo hezky a děti si hrály na zahradě, potom jsme šli domů a večeřeli jsme s celou rodinou při svíčkách, řekl otec."},
		{"Windows-1252", charmap.Windows1252, "The café’s owner — naïve, perhaps — said “voilà” to the fiancée… £5 or €6; it’s 20°, the Škoda’s résumé and façade."},
		{"Windows-1252", charmap.Windows1252, "The lamp costs £40, the table £120, and the chair £75 or more than £9 a leg."},
		{"Windows-1252", charmap.Windows1252, "Cells of 5 ± 2 and 7±1 parts, of 3 and 8 ± 3, were seen in ±4 of all."},
		{"Windows-1252", charmap.Windows1252, "A tank of 5 m³ holds 9 cm³ of oil, and a box of 3 m² is 4 µm thick."},
		{"Windows-1252", charmap.Windows1252, "• a list of words\n• more of it · and more\n· the last 25¢ or ¥500"},
		{"Windows-1252", charmap.Windows1252, "Take 1½ cups and ¼ of a spoon, 3×4 times, as in § 4 and ¶ 5, by Acme® and Bolt™."},
		{"Windows-1252", charmap.Windows1252, "Après l'été, £40 ou £50; le café à £3, et £7 ou £8 à côté."},
		{"CP850", charmap.CodePage850, "Il a été à Paris à pied, puis à Lyon à vélo, où il a mangé à côté."},
		{"CP850", charmap.CodePage850, "På sjön åkte de båt när det blåste; därför är många människor rädda. Ö är en liten ö i ån."},
		{"Mac Roman", charmap.Macintosh, "La città è più bella di così; perché non c'è più caffè? Andrò giù, dove comprerò già la virtù e la libertà."},
		{"CP852", charmap.CodePage852, "Čovjek je išao kući kišnim danom; žena je željela kruh i šećer. Često kaže da će doći, đak."},
		{"ISO-8859-2", charmap.ISO8859_2, "Včera večer sme išli k babičke; ľudia boli šťastní a deti spali. Môj dôvod je jasný: mäso je dobré."},
		{"CP850", charmap.CodePage850, "El niño está aquí; la canción terminó así y la niña cantó también."},
	} {
		data := must.Get(c.e.NewEncoder().String(c.text))(t)
		name, e, sure := Guess([]byte(strings.Repeat(data+"\n", 3)))
		if name != c.name || !sure {
			t.Errorf("%q: %s, sure %v", c.text, name, sure)
			continue
		}
		if back, err := e.NewDecoder().String(data); err != nil || back != c.text {
			t.Errorf("%q: %q, %v", c.text, back, err)
		}
	}
}
