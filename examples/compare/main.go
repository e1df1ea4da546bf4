// Command compare clusters one corpus by several methods, with several seeds each, and prints what
// helps to choose: how stable a method is over its seeds, which needs no labels, how far two
// methods agree, and the accuracy if the corpus has classes.
//
//	go run ./examples/compare CORPUS K METHOD...
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/eigenmap/eigenmap"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 5 {
		log.Fatal("usage: compare CORPUS K METHOD METHOD...")
	}
	k, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = run(context.Background(), os.Args[1], k, os.Args[3:])
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, file string, k int, methods []string) error {
	c, err := eigenmap.Compare(ctx, file, eigenmap.Options{Clusters: k}, eigenmap.CompareOptions{Methods: methods, Seeds: 2})
	if err != nil {
		return err
	}
	for i, m := range c.Methods {
		if m.Runs == 0 {
			fmt.Printf("%s: no run has a result\n", m.Method)
			continue
		}
		fmt.Printf("%s: %.1f s", m.Method, m.Seconds.Mean)
		if accuracy, ok := m.Metrics["accuracy"]; ok {
			fmt.Printf(", accuracy %.3f", accuracy.Mean)
		}
		if m.Seeds != nil {
			fmt.Printf(", two seeds agree by an NMI of %.2f", m.Seeds.NMI)
		}
		fmt.Println()
		for j := range i {
			if a := c.Between[i][j]; a != nil {
				fmt.Printf("  with %s: NMI %.2f\n", c.Methods[j].Method, a.NMI)
			}
		}
	}
	return nil
}
