package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// mailFolders are the folders of a mailbox in the form of Maildir: of messages that were seen, of
// new ones and of those that are being written.
var mailFolders = []string{"cur", "new", "tmp"}

// deliveredName is the name of a message in a Maildir: it begins with the second in which the
// message came, or ends with letters that say that it was seen or answered.
var deliveredName = pattern.Lazy(`^\d{9,}\.|[:;!_]2,[A-Za-z]*$`)

// withoutMaildir leaves out files that a mail server keeps beside the folders of a Maildir. Of any
// other folder it returns all paths. The folders of a Maildir are no classes.
func (l *folderPlan) withoutMaildir(paths []string, opt ReadOptions) []string {
	var beside []string
	seen := false
	for _, path := range paths {
		top, name, inside := strings.Cut(path, "/")
		switch {
		case !inside:
			beside = append(beside, path)
		case !slices.Contains(mailFolders, top):
			return paths
		case top == mailFolders[0]:
			if !deliveredName().MatchString(name) {
				return paths
			}
			seen = true
		}
	}
	if !seen {
		return paths
	}
	if l.maildir = opt.ClassFolder == ""; l.maildir {
		l.classNote = []string{"The folders cur and new are those of a mailbox (Maildir) and no classes; ‹class-folder› first takes them."}
	}
	if len(beside) > 0 {
		l.classNote = append(l.classNote, fmt.Sprintf("%s left out, beside the folders of a mailbox (Maildir), as a server has some (first: %s); move texts into one of the folders.", message.Plural(len(beside), "file is", "files are"), message.Clip(beside[0], 60)))
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !strings.Contains(path, "/") })
}
