package text

import "strings"

// languageCodes are the codes of ISO 639 of the languages with a stemmer, and other names of them.
var languageCodes = map[string]string{
	"en": "english", "eng": "english", "fr": "french", "fra": "french", "fre": "french", "hu": "hungarian", "hun": "hungarian",
	"no": "norwegian", "nb": "norwegian", "nn": "norwegian", "nor": "norwegian", "ru": "russian", "rus": "russian",
	"es": "spanish", "spa": "spanish", "sv": "swedish", "swe": "swedish",
}

// LanguageName returns the name of a language that is given by its name in any case, or by its code
// (en, en-US, eng); another word is returned as it is.
func LanguageName(name string) string {
	lower := strings.ToLower(strings.TrimSpace(name))
	code, _, _ := strings.Cut(strings.ReplaceAll(lower, "_", "-"), "-")
	switch {
	case lower == noLanguage, stemmers[lower] != nil:
		return lower
	case languageCodes[code] != "":
		return languageCodes[code]
	}
	return name
}
