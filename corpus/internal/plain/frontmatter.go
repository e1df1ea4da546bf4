package plain

import (
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// mostFront is the most bytes of a block of front matter.
const mostFront = 16 << 10

// frontField matches a line of YAML or TOML outside lists and inner fields: name: value.
var frontField = pattern.Lazy(`^["']?[\w.-]+["']?\s*(:(\s|$)|=\s)`)

// withoutFrontMatter is Markdown without the fields of YAML or TOML that may stand before it,
// between lines of three dashes or plus signs, but for the title, which readers see. A text between
// two rules stays.
func withoutFrontMatter(s string) string {
	first, rest, _ := strings.Cut(s[:min(len(s), mostFront)], "\n")
	mark := strings.TrimRight(first, " \t\r")
	if mark != "---" && mark != "+++" {
		return s
	}
	title, read := "", len(first)+1
	for fields := 0; rest != ""; {
		line, after, whole := strings.Cut(rest, "\n")
		rest, read = after, read+len(line)+1
		switch line = strings.TrimRight(line, " \t\r"); {
		case (line == mark || line == "..." && mark == "---") && fields > 0:
			return title + s[min(read, len(s)):]
		case !whole:
			return s
		case frontField().MatchString(line):
			fields++
			if name, value, _ := strings.Cut(strings.Replace(line, "=", ":", 1), ":"); strings.EqualFold(strings.TrimSpace(name), "title") {
				title = strings.Trim(value, " \t\"'") + "\n\n"
			}
		case line != "" && !strings.ContainsAny(line[:1], " \t-#[]}"):
			return s
		}
	}
	return s
}
