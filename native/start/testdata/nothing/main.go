// Command nothing is what the tests of native/start link and start.
package main

import (
	"fmt"

	"github.com/eigenmap/eigenmap/native/start"
)

func main() { fmt.Println(start.Least) }
