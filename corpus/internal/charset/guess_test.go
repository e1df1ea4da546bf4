package charset

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"golang.org/x/text/encoding/htmlindex"
)

// Texts of several scripts are recognised in their usual encodings, and decoded to what they were.
func TestGuess(t *testing.T) {
	const (
		russian  = "Сегодня хорошая погода в парке, а рынок акций снова упал; новый фильм и актёр"
		chinese  = "今天天气很好，我们去公园。股票市场下跌，经济不好。足球比赛进球了"
		taiwan   = "今天天氣很好，我們去公園。股票市場下跌，經濟不好。足球比賽進球了"
		greek    = "Σήμερα ο καιρός είναι καλός και πάμε στο πάρκο με τα παιδιά"
		hebrew   = "היום מזג האוויר טוב ואנחנו הולכים לפארק עם הילדים"
		german   = "Das Wetter ist schön, über die Straße gehen wir für Käse und Brötchen"
		japanese = "今日は天気がいいので公園に行きました"
	)
	for _, c := range []struct {
		encoding, text, want string
		sure                 bool
	}{
		{"windows-1251", russian, "Windows-1251", true},
		{"windows-1251", "Днес времето е хубаво и отиваме в парка с децата", "Windows-1251", true},
		{"koi8-r", russian, "KOI8-R", true},
		{"gb18030", chinese, "GB18030", true},
		{"gbk", chinese, "GB18030", true},
		{"big5", taiwan, "Big5", true},
		{"euc-kr", "오늘 날씨가 좋아서 공원에 갔다. 주식 시장이 하락했다", "EUC-KR", true},
		{"shift_jis", japanese, "Shift-JIS", true},
		{"euc-jp", japanese, "EUC-JP", true},
		{"windows-1252", german, "Windows-1252", true},
		{"windows-1252", "“quoted” – naïve café…", "Windows-1252", true},
		{"macintosh", strings.Repeat("plain words of English ", 12) + "\u00c5\u00a0\u00e2\u00c4\u00fa\u00c5\u00a0\u00e2\u00c4\u00fa", "Windows-1252", true},
		{"windows-1253", greek, "Windows-1253", true},
		{"iso-8859-7", "Άλλα χρόνια ήταν καλύτερα. Άνοιξε την πόρτα και μπήκε μέσα", "ISO-8859-7", true},
		{"windows-1255", hebrew, "Windows-1255", true},
		{"ibm866", russian, "CP866", true},
		{"iso-8859-5", russian, "ISO-8859-5", true},
		{"x-mac-cyrillic", "Яблоки и груши. Новая улица и старая площадь, о которых Маша и Петя знают", "Mac Cyrillic", true},
		{"windows-1256", "اليوم الطقس جميل ونحن ذاهبون إلى الحديقة مع الأطفال", "Windows-1252", false},
	} {
		e := must.Get(htmlindex.Get(c.encoding))(t)
		for _, times := range []int{1, 30} {
			text := "id,text\n" + strings.Repeat("1,"+c.text+"\n", times)
			data := must.Get(e.NewEncoder().Bytes([]byte(text)))(t)
			name, guessed, sure := Guess(data)
			if name != c.want || sure != c.sure {
				t.Errorf("%s: %q, sure %v", c.encoding, name, sure)
			}
			if got, err := guessed.NewDecoder().Bytes(data); sure && c.encoding != "macintosh" && (err != nil || string(got) != text) {
				t.Errorf("%s: %q, %v", c.encoding, got, err)
			}
		}
	}
}

// Lines of UTF-8 and of Windows-1252 in one file are each read as what they are.
func TestGuessMixed(t *testing.T) {
	data := []byte(strings.Repeat("1,café 日本\n2,caf\xe9 \x93na\xefve\x94\n3,“café”\n", 2000))
	name, e, sure := Guess(data)
	if !sure || !strings.HasPrefix(name, "UTF-8 with") {
		t.Fatalf("%q, sure %v", name, sure)
	}
	got, err := e.NewDecoder().Bytes(data)
	if want := strings.Repeat("1,café 日本\n2,café “naïve”\n3,“café”\n", 2000); err != nil || string(got) != want {
		t.Errorf("%.80q, %v", got, err)
	}
}
