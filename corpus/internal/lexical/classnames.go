package lexical

import (
	"slices"
	"strings"
)

// Last words of names of columns that hold words, in lower case.
var (
	// classWords are last words of names of columns that classify the documents.
	classWords = []string{"label", "labels", "class", "classes", "category", "categories", "target", "truth", "y", "gnd", "cluster", "clusters",
		"group", "groups", "type", "types", "subtype", "kind", "species", "subspecies", "genus", "variety", "cultivar", "strain", "breed",
		"diagnosis", "disease", "phenotype", "tissue", "outcome", "verdict", "decision", "topic", "topics", "genre", "theme", "section",
		"segment", "sentiment", "emotion", "intent", "activity", "letter", "lettr", "digit", "party", "quality",
		"klasse", "kategorie", "gruppe", "typ", "sorte", "rubrik", "thema", "diagnose", "classe", "catégorie", "categorie", "espèce",
		"groupe", "clase", "categoría", "categoria", "grupo", "tipo", "especie", "gruppo", "specie"}
	// topicWords are the last words of names of columns that hold the class of a text, wherever they
	// stand in a table. They are fewer than classWords: beside texts, type may be the kind of a
	// message, and group that of its sender.
	topicWords = []string{"label", "labels", "class", "classes", "category", "categories", "subcategory", "target", "truth", "gnd", "topic", "topics",
		"genre", "genres", "theme", "section", "department", "specialty", "speciality", "discipline", "sentiment", "sentiments", "polarity", "emotion",
		"emotions", "stance", "intent", "intention", "diagnosis", "disease", "species", "verdict", "cuisine",
		"klasse", "kategorie", "rubrik", "thema", "abteilung", "classe", "catégorie", "categorie", "rubrique", "thème", "clase", "categoría", "categoria",
		"tema", "sección", "etiqueta", "rótulo", "rotulo", "kategori", "konu", "etiket", "duygu", "kategoria", "kategorija", "rubrika", "категория",
		"рубрика", "тема", "класс", "метка", "类别", "標籤", "标签", "分类", "類別", "カテゴリ", "カテゴリー", "ラベル", "카테고리", "라벨"}
	// thingWords are last words of names of columns that say where, when or of whom a row is, or how
	// urgent: the room of a sensor, the user of a message. Their values recur, and are no truth
	// about the rows.
	thingWords = []string{"room", "rooms", "site", "user", "username", "device", "sensor", "station", "patient", "person", "participant", "client",
		"customer", "employee", "driver", "player", "team", "student", "school", "hospital", "clinic", "store", "shop", "branch", "warehouse",
		"machine", "meter", "unit", "vehicle", "host", "hostname", "server", "node", "location", "place", "city", "town", "country", "nation",
		"province", "county", "region", "district", "zone", "neighborhood", "neighbourhood", "address", "street", "building", "floor",
		"lab", "batch", "plate", "run", "experiment", "trial", "session", "day", "weekday", "dayofweek", "month", "week", "hour", "date", "time",
		"datetime", "timestamp", "period", "quarter", "priority", "prio", "urgency", "firm", "company", "manufacturer", "vendor", "supplier", "owner", "operator", "rater",
		"annotator", "observer", "interviewer", "account", "merchant", "symbol", "ticker", "currency", "sender", "recipient", "name", "names",
		"id", "ids", "uid", "uuid", "guid", "code", "codes", "key", "no", "nr", "number", "serial", "ip", "mac", "email", "url", "file",
		"filename", "path", "comment", "comments", "note", "notes", "remark", "remarks", "description",
		"raum", "zimmer", "standort", "nutzer", "benutzer", "gerät", "geraet", "kunde", "ort", "stadt", "land", "bundesland", "monat",
		"wochentag", "datum", "priorität", "dringlichkeit", "firma", "filiale", "maschine", "charge", "schule", "salle", "utilisateur", "appareil", "capteur", "ville",
		"pays", "région", "mois", "magasin", "sala", "usuario", "ciudad", "país", "pais", "región", "mes", "tienda", "cliente", "città", "paese"}
	// labelNames are names of columns of classes beside [LabelNames], also of numbers, by their
	// words.
	labelNames = []string{"outcome", "species", "diagnosis", "truth", "ground truth", "groundtruth", "class label", "classlabel", "true label",
		"true class", "target class", "class name", "class id", "label id", "category id"}
)

// NamesClasses reports whether a column of this name classifies the documents.
func NamesClasses(name string) bool {
	words := NameWords(name)
	return len(words) > 0 && slices.Contains(classWords, words[len(words)-1]) || NamesLabels(name)
}

// NamesTopics reports whether a column of this name classifies the texts beside it: its last word
// is one for that, or label is among its words, as in label_final.
func NamesTopics(name string) bool {
	words := NameWords(name[strings.LastIndexByte(name, '.')+1:]) // inside of an object
	return len(words) > 0 && slices.Contains(topicWords, words[len(words)-1]) || slices.Contains(words, "label") || !strings.Contains(name, ".") && NamesLabels(name)
}

// NamesThings reports whether a column of this name says where, when or of whom a row is, or how
// urgent.
func NamesThings(name string) bool {
	words := NameWords(name)
	return len(words) > 0 && slices.Contains(thingWords, words[len(words)-1]) && !NamesLabels(name)
}

// NamesLabels reports whether a name is one of [LabelNames] or another usual name of a column of
// classes, also of numbers.
func NamesLabels(name string) bool {
	return slices.Contains(LabelNames, strings.ToLower(strings.TrimSpace(name))) || slices.Contains(labelNames, strings.Join(NameWords(name), " "))
}
