package text

import (
	"slices"
	"strings"
)

// mailFolders are the folders of a mailbox in the form of Maildir: of messages that were seen, of
// new ones and of those that are being written.
var mailFolders = []string{"cur", "new", "tmp"}

// withoutMaildir leaves out the files beside the folders of a Maildir, such as those of a server,
// and returns the others; of another folder it returns all. The folders are no classes.
func (l *folderPlan) withoutMaildir(paths []string, opt ReadOptions) []string {
	seen := false
	for _, path := range paths {
		top, _, inside := strings.Cut(path, "/")
		if inside && !slices.Contains(mailFolders, top) {
			return paths
		}
		seen = seen || inside && top == mailFolders[0]
	}
	if !seen {
		return paths
	}
	if l.maildir = opt.ClassFolder == ""; l.maildir {
		l.classNote = []string{"The folders cur and new are those of a mailbox (Maildir) and no classes; ‹class-folder› first takes them."}
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !strings.Contains(path, "/") })
}
