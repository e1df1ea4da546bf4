package counting

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/must"
)

// wordsOf cuts a text with an analyzer's rules and returns the canonical words, with stop words and
// short ones.
func wordsOf(a *Analyzer, text string) []string {
	s := tokens.Scanner{Split: a.split}
	s.Begin(text)
	var out []string
	for s.Next() {
		out = append(out, a.canonical(string(s.Spelling())))
	}
	return out
}

func mustAnalyzer(t testing.TB, opt Options) *Analyzer {
	t.Helper()
	a := must.Get(NewAnalyzer(opt, Keep{}))(t)
	return a
}

func TestWords(t *testing.T) {
	for _, tc := range []struct{ name, language, text, want string }{
		{"case and punctuation", "", "Hello, WORLD! (again) e-mail foo_bar", "hello world again e mail foo bar"},
		{"numbers are no words", "", "42 1,000 3.14 x86 mp3 3d ４２", "x86 mp3 3d"},
		{"apostrophes", "", "don't Debian's O'Reilly 'quoted' dogs' rock'n'roll it's's 90's", "don't debian o'reilly quoted dogs rock'n'roll it s"},
		{"typographic apostrophe", "", "don’t Debian’s ‘quoted’", "don't debian quoted"},
		{"French elision", "french", "l'avion d’été aujourd'hui", "l avion d été aujourd hui"},
		{"composed and decomposed are one", "", "Ünïcode U\u0308ni\u0308code café cafe\u0301", "ünïcode ünïcode café café"},
		{"Greek, Cyrillic, Arabic, Hindi", "none", "ΑΘΗΝΑ Москва القاهرة हिन्दी", "αθηνα москва القاهرة हिन्दी"},
		{"Kelvin and Turkish capital I", "none", "\u212aelvin \u0130stanbul", "kelvin istanbul"},
		{"soft hyphen and joiners are invisible", "none", "data\u00adbase می\u200cخواهم", "database میخواهم"},
		{"Chinese and Japanese make pairs", "none", "統計学習 a東b カタ データ ㍓", "統計 計学 学習 a 東 b カタ デー ータ"},
		{"Korean has spaces", "none", "한국어 문서", "한국어 문서"},
		{"invalid UTF-8 separates", "none", "caf\xe9s na\xc3 \xff\xfe x", "caf s na x"},
		{"NUL separates", "none", "a\x00b", "a b"},
		{"a mark alone is no word", "none", "\u0301 \u0301a", "a"},
		{"64 characters are a word, 65 are none", "none", strings.Repeat("é", 64) + " " + strings.Repeat("b", 65) + " end", strings.Repeat("é", 64) + " end"},
		{"addresses of the web", "", "see http://x.org/a?b=c%20d&e#f, HTTPS://Y.ORG end", "see end"},
		{"addresses in marks", "", `(http://x.org/a) <ftp://y.org>b [c](https://z.org/d). "s3://e"`, "b c"},
		{"addresses without a scheme", "", "www.x.org/a WWW.Y.org, wwwx.y www.  www.1", "wwwx y www www"},
		{"addresses at the end", "", "end:http://xy", "end"},
		{"letters after an address", "", "https://x.org/a中文 http://x.org/ж", "中文 ж"},
		{"addresses behind an article", "", "voir l'http://x.org/a et l’https://y.org/b, d'www", "voir et d'www"},
		{"no addresses", "", "key::value std::v C:\\path 12:30 '://x", "key value std v c path x"},
		{"still no addresses", "", "note: x: //a http:/b c://", "note x a http b"},
		{"nothing", "", " \t\n...!", ""},
	} {
		got := strings.Join(wordsOf(mustAnalyzer(t, Options{Language: tc.language}), tc.text), " ")
		if got != tc.want {
			t.Errorf("%s: %q gave %q, want %q", tc.name, tc.text, got, tc.want)
		}
	}
}

func TestTermsOfWords(t *testing.T) {
	english := mustAnalyzer(t, Options{})
	for word, want := range map[string]string{
		"running": "run", "the": "", "don't": "", "a": "", "x": "", "cats": "cat", "c3": "c3", "clusters": "cluster", "clustering": "cluster",
	} {
		if got := english.term(word); got != want {
			t.Errorf("english term of %q is %q, want %q", word, got, want)
		}
	}
	plain := mustAnalyzer(t, Options{Language: "none", StopWords: "none", MinLength: 1})
	for _, word := range []string{"the", "running", "a"} {
		if got := plain.term(word); got != word {
			t.Errorf("without stemming and stop words %q became %q", word, got)
		}
	}
	if french := mustAnalyzer(t, Options{Language: "french"}); french.term("avec") != "" || french.term("chanteuses") != french.term("chanteuse") {
		t.Error("French brings neither its stop words nor its stems")
	}
}

func TestStopWordFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stop.txt")
	must.Do(t, os.WriteFile(path, []byte("\ufefffirst # mine\nFoo bar # and\n\nDON’T cafe\u0301\n"), 0o644))
	a := mustAnalyzer(t, Options{StopWords: path})
	for word, stopped := range map[string]bool{"first": true, "foo": true, "bar": true, "don't": true, "café": true, "and": false, "the": false, "mine": false} {
		if got := a.term(word) == ""; got != stopped {
			t.Errorf("%q stopped: %v, want %v", word, got, stopped)
		}
	}
	for _, bad := range []string{filepath.Join(t.TempDir(), "missing"), t.TempDir()} {
		_, err := NewAnalyzer(Options{StopWords: bad}, Keep{})
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("stop words %s: %v is no error of the request", bad, err)
		}
	}
}

// TestStopListsHoldTheCommonestWords: function words that are at the top of every frequency list of
// their language.
func TestStopListsHoldTheCommonestWords(t *testing.T) {
	for language, text := range map[string]string{
		"english": "the be to of and a in that have I it for not on with he as you do at this but his by from they we say her she or an will my one all would there their what so up out if about who get which go me when make can like no just him into your some could them see other than then now only its over also back after use two how our even because any these us is was are were had been has did",
		"french":  "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la mais avec ou son aux cette ses d'un comme d'une nous été je ils ont même ces leur sans cela elle tout deux fait être on était aussi sa dont si très peut tous entre bien leurs ses y moins lui vous encore où celle ceux donc quand après avant sous avoir ainsi alors depuis contre chez toujours jamais rien quel quelle qu'il s'il c'est j'ai n'est l'on aujourd'hui quelqu'un jusqu'à lorsqu'il",
		"norwegian": "og i det på som er en til å han av for med at var de ikke den har jeg om et men så seg hun hadde fra vi du kan da ble ut skal vil ham etter over ved også bare eller sa nå dette noe være meg mot opp der når inn dem kunne andre blir alle noen sin ha år man selv hva sitt enn skulle mitt ett min ingen denne mange henne " +
			"eg ikkje eit ein dei ho då frå kva vere",
		"swedish":   "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när nu hade man ska eller efter vid också där än ut över hon du bara få vara kommer mot alla andra mycket här in upp mer dem någon dessa får sin hur skulle många göra sina finns måste hans honom blir vad min bli under säger själv sedan genom då vill dig mellan ur även detta allt",
		"spanish":   "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde bien ese ahora cada e otro después te otros aunque esa eso hace otra tan durante siempre ellos vosotros usted cualquier cómo quién",
		"russian":   "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой так же от всё для вы о ещё бы такой тот её его как только или мочь себя один до такая уже чтобы при кто если когда очень ни нет даже сам мне меня их наш под где там тут этого которые которых также всех будет были был было было есть может была чем без",
		"hungarian": "a az és hogy nem is egy ez de azt meg van csak ha már még mint ki volt lesz vagy mert most kell el ezt akkor fel olyan itt úgy minden ami pedig én ő te mi így majd igen ott mit aki be le nagyon sem nincs te neki nekem lehet után között szerint alatt miatt",
	} {
		a := mustAnalyzer(t, Options{Language: language, MinLength: 1})
		var missed []string
		for _, w := range wordsOf(a, text) {
			if a.term(w) != "" {
				missed = append(missed, w)
			}
		}
		// Numbers, and the few verbs and nouns of such lists that may be a topic.
		missed = slices.DeleteFunc(missed, func(w string) bool {
			return slices.Contains(strings.Fields("two deux dos år år años vez parte мочь say"), w)
		})
		if len(missed) > 0 {
			t.Errorf("%s keeps %q", language, missed)
		}
	}
}

func TestTextOptionsValidate(t *testing.T) {
	if err := (Options{}).Validate(); err != nil {
		t.Error(err)
	}
	err := Options{Language: "klingon", MinDF: -1, MaxDF: math.NaN(), MinLength: 100, MinDFShare: 7, MaxDFCount: -3, NGrams: 4}.Validate()
	if !errors.Is(err, fs.ErrInvalid) {
		t.Fatalf("%v is no error of the request", err)
	}
	for _, what := range []string{"klingon", "-1", "NaN", "100", "share 7", "-3", "ngrams is 4"} {
		if !strings.Contains(err.Error(), what) {
			t.Errorf("the error does not tell %s: %v", what, err)
		}
	}
}

// FuzzTokenize: for any text, words are valid, canonical and within bounds, none is lost by cutting
// the text at a space, and every stemmer accepts them.
func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"", "Don't STOP the e-mail's 42 mp3", "l’avion été\u0301 \xff\xfe", "統計学習 カタカナ 한국어", "İıſK'ſ's's", "a\u0301\u0327'b\u00ad\u200d",
		strings.Repeat("x'", 99), "יִשְׂרָאֵל ǅ ﬁ ͅα"} {
		f.Add(s)
	}
	var analyzers []*Analyzer
	for _, name := range append(language.Sorted(), language.None) {
		analyzers = append(analyzers, mustAnalyzer(f, Options{Language: name, StopWords: "none"}))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, a := range analyzers {
			s := tokens.Scanner{Split: a.split}
			s.Begin(text)
			for s.Next() {
				raw := string(s.Spelling())
				if !utf8.ValidString(raw) || utf8.RuneCountInString(raw) > tokens.MaxLength || !strings.ContainsFunc(raw, unicode.IsLetter) {
					t.Fatalf("%q is no word", raw)
				}
				form := a.canonical(raw)
				if again := a.canonical(form); again != form {
					t.Fatalf("canonical form of %q changes from %q to %q", raw, form, again)
				}
				if s.Plain && form != raw {
					t.Fatalf("%q was called plain and has the canonical form %q", raw, form)
				}
				a.term(form)
			}
		}
		half := len(text) / 2
		a := analyzers[0]
		parts := append(wordsOf(a, text[:half]), wordsOf(a, text[half:])...)
		if got := wordsOf(a, text[:half]+" "+text[half:]); !slices.Equal(got, parts) {
			t.Fatalf("cut apart %q, together %q", parts, got)
		}
	})
}

// A stem is named by one word per corpus, not by the same word in all.
func TestStems(t *testing.T) {
	one := must.Get(Options{}.Stems([]string{"model", "sailing", "the"}))(t)
	two, _ := Options{}.Stems([]string{"models", "sails", "the"})
	if !slices.Equal(one, two) {
		t.Errorf("%q and %q", one, two)
	}
	if none, _ := (Options{Language: "none"}).Stems([]string{"models"}); none[0] != "models" {
		t.Errorf("without stemming: %q", none)
	}
	if _, err := (Options{Language: "klingon"}).Stems(nil); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// An address says nothing beside other words, and all that a text has if it is the only one.
func TestAddressesAlone(t *testing.T) {
	for text, want := range map[string]string{
		"https://www.kernel.org/git":          "git kernel org",
		"of https://www.kernel.org/git":       "git kernel org",
		"a fork of https://www.kernel.org/it": "fork",
		"http://":                             "",
	} {
		c := newCounter(mustAnalyzer(t, Options{Language: "none", StopWords: "english"}))
		if _, err := c.add(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range c.touched {
			got = append(got, c.term[k].stem)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q has the terms %q, want %q", text, got, want)
		}
	}
}
