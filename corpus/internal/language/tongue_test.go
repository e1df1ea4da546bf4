package language

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
)

// spoken are texts of each language that a reader recognises at once.
var spoken = map[string][]string{
	"english": {
		"The library reads files and writes the results that it has found.", "GNU R package for Gaussian processes", "Die Hard", "de facto standard library",
		"Los Angeles, San Francisco and Las Vegas", "command line tool", "Van Gogh and De Kooning met in a museum of modern art", "résumé and café are words that we borrow", "x",
		"Dvořák and Janáček wrote music", "Łódź, Kraków and Poznań", "my ten photos", "Beyoğlu district",
		"Gerhard Schröder met Jürgen Müller in Düsseldorf at the end of the year", "programme en français for the students of the school and their parents",
		"La La Land", "El Niño is a climate pattern that warms the ocean", "",
		"Die Hard war film", "Bush war die", "Los Angeles El Paso", "La Scala en route Los Lobos", "El Nino La Nina", "Van Der Sar", "Dan Van Dyk",
		"par excellence en masse", "de facto die casting", "Las Vegas en Los Angeles", "Von Braun in Die Welt", "Das Boot and other films in German",
	},
	"german": {"Der Hund schläft unter dem Tisch und wartet auf das Abendessen.", "Die Häuser in der Stadt sind nicht sehr alt", "Wir haben für die neuen Bücher kein Geld mehr", "der Garten und das Haus",
		"Der Fußballverein gewinnt das Spiel in der Liga heute", "Die Polizei war nicht so schnell am Tatort", "Ein Sieg in Hamburg am Montag"},
	"french":          {"L'avion décolle dans la nuit et les passagers sont contents.", "Nous avons acheté une maison avec des fenêtres bleues", "Le chat dort sur la table de la cuisine"},
	"spanish":         {"El perro duerme debajo de la mesa y espera la cena.", "Los libros que compramos en la ciudad son muy viejos", "¿Dónde está la biblioteca del pueblo?"},
	"italian":         {"Il cane dorme sotto il tavolo e aspetta la cena con gli amici.", "Non ho mai visto una casa così bella nella città", "Le finestre della cucina sono aperte"},
	"portuguese":      {"O cachorro dorme debaixo da mesa e não espera o jantar.", "Os livros que compramos na cidade são muito velhos", "Você não está em casa com a sua mãe"},
	"dutch":           {"De hond slaapt onder de tafel en wacht op het eten.", "Wij hebben geen geld voor een nieuw huis in de stad", "Het boek dat ik van hem heb gekregen"},
	"swedish":         {"Hunden sover under bordet och väntar på att maten är klar.", "Vi har inte råd med ett nytt hus i staden", "Det är en bok som jag har fått"},
	"danish":          {"Hunden sover under bordet, og den venter på, at maden er klar. Hvad skal vi gøre nu, hvis den ikke bliver færdig?"},
	"norwegian":       {"Hunden sover under bordet, og den venter på at maten er klar. Hva skal vi gjøre nå, når den ikke blir ferdig?"},
	"finnish":         {"Koira nukkuu pöydän alla ja odottaa, että ruoka on valmis, mutta se ei ole vielä.", "Talo on vanha ja se on myös kaunis"},
	"hungarian":       {"A kutya az asztal alatt alszik, és várja, hogy kész legyen az étel, de még nem az.", "Ez a ház nem olyan régi, mint az iskola"},
	"russian":         {"Собака спит под столом и ждёт, когда будет готов ужин.", "Мы не купили новый дом, потому что у нас нет денег"},
	"greek":           {"Ο σκύλος κοιμάται κάτω από το τραπέζι", "Σκύλος γάτα άλογο"},
	"arabic":          {"حكومة بلد توافق قانون ميزانية جديد", "الكلب ينام تحت الطاولة وهو ينتظر العشاء مع الأصدقاء في البيت", "هذه هي المدينة التي ولد فيها كل من كان في هذا البيت"},
	"catalan":         {"El gos dorm sota la taula i espera el sopar amb els seus amics", "Els llibres que vam comprar a la ciutat són molt vells", "L'avió arriba amb els passatgers de la nit, però no són aquí"},
	"czech":           {"Vláda schválila zákon o rozpočtu a daně příští rok vzrostou", "Pes spí pod stolem a čeká, až bude večeře, která se dělá pro hosty", "Knihy, které jsme koupili ve městě, jsou velmi staré", "Je to dům, ve kterém jsem byl jako dítě"},
	"indonesian":      {"Anjing itu tidur di bawah meja dan menunggu makan malam yang akan datang", "Buku yang kami beli di kota ini tidak terlalu tua"},
	"polish":          {"Rząd przyjął ustawę budżetową, podatki wzrosną", "Pies śpi pod stołem i czeka na kolację, która jest już prawie gotowa", "Książki, które kupiliśmy w mieście, są bardzo stare", "Dom, w którym mieszkał mój dziadek, jest bardzo stary"},
	"romanian":        {"Câinele doarme sub masă și așteaptă cina care este aproape gata", "Cărțile pe care le-am cumpărat din oraș sunt foarte vechi", "Am fost la şcoală şi nu am găsit pe nimeni"},
	"turkish":         {"Kaleci ve taraftarlar maçı kazandığı için sevinçliydi", "Köpek masanın altında uyuyor ve akşam yemeği için bekliyor", "Şehirden aldığımız kitaplar çok eski ve daha ucuz olan bir kitap yok"},
	"ukrainian":       {"Міністерство фінансів підготувало новий бюджет наступного року", "Собака спить під столом і чекає на вечерю, яку їй готує господар", "Книги, які ми купили в місті, були дуже старі, але цікаві"},
	"Japanese":        {"犬はテーブルの下で寝ています"},
	"Thai":            {"สุนัขนอนอยู่ใต้โต๊ะและรออาหารเย็น"},
	"Arabic script":   {"سگ زیر میز می\u200cخوابد و منتظر شام است که برای او می\u200cآورند"},
	"Cyrillic script": {"Собака спіць пад сталом і чакае вячэру, якую ёй гатуе гаспадар у доме каля ракі, дзе ён жыўе"},
}

func scanTongue(text string) Tongue {
	return Of(&tokens.Scanner{Word: make([]byte, 0, 256)}, text, nil)
}

// A text's language is found by its own words, and is English where that is not plain.
func TestTongues(t *testing.T) {
	for want, texts := range spoken {
		for _, text := range texts {
			got := scanTongue(text)
			if got.String() != want && !(want == "english" && got.Language() == 0) {
				t.Errorf("%q is %s, want %s", text, got, want)
			}
			if twice := scanTongue(strings.ToUpper(text)); twice != got && want != "greek" && want != "turkish" {
				t.Errorf("%q in capitals is %s, not %s", text, twice, got)
			}
		}
	}
}

// There is a list of words for each language, and the numbers fit.
func TestTongueTables(t *testing.T) {
	if len(Names) != languageCount || len(scripts) != scriptCount || Names[0] != Usual {
		t.Fatalf("%d languages, %d scripts", len(Names), len(scripts))
	}
	k := commonWords()
	if len(k.languages) > 64*len(evidence{}.seen) {
		t.Errorf("%d words do not fit", len(k.languages))
	}
	met := uint32(0)
	for _, l := range k.languages {
		met |= l
	}
	if met != 1<<languageCount-1 {
		t.Errorf("languages with words: %b", met)
	}
	for name := range letters {
		if stemmers[name] == nil {
			t.Errorf("%s has letters and is no language", name)
		}
	}
}
