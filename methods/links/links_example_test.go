package links_test

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/methods/links"
)

func ExampleResolve() {
	groups, err := links.Resolve(5, []links.Link{
		{A: 0, B: 1},
		{A: 1, B: 3, Cannot: true},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(groups.Group, groups.Side)

	_, err = links.Resolve(5, []links.Link{{A: 0, B: 1, Line: 1}, {A: 1, B: 3, Line: 2}, {A: 0, B: 3, Cannot: true, Line: 3}})
	fmt.Println(strings.ReplaceAll(err.Error(), ": ", ":\n"))
	// Output:
	// [0 0 -1 0 -1] [1 1 0 -1 0]
	// line 3 says that document 0 and document 3 cannot be together, but they must:
	// document 0 and document 1 must (line 1), document 1 and document 3 must (line 2):
	// remove one of these
}
