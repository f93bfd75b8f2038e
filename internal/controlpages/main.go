package main

import (
	"flag"
	"fmt"
	"os"

	"tollgate/riskcheck"
)

func main() {
	root := flag.String("root", "", "folder of go.mod, where the tests are looked for")
	out := flag.String("out", "", "Markdown file to write")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "controlpages:", err)
		os.Exit(1)
	}
}

// run finds the proofs in the tree at root and writes the page to out.
func run(root, out string) error {
	if root == "" || out == "" {
		return fmt.Errorf("-root is %q and -out is %q: both must be given", root, out)
	}
	proofs, err := findProofs(os.DirFS(root))
	if err != nil {
		return err
	}
	return os.WriteFile(out, renderControls(riskcheck.Catalogue(), proofs), 0o644)
}
