package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	schema := flag.String("schema", "", "schema to read (XML, FIX SBE 1.0)")
	out := flag.String("out", "", "Go file to write")
	flag.Parse()
	if err := run(*schema, *out); err != nil {
		fmt.Fprintln(os.Stderr, "sbegen:", err)
		os.Exit(1)
	}
}

// run reads the schema at path and writes the Go file at out.
func run(path, out string) error {
	if path == "" || out == "" {
		return fmt.Errorf("-schema is %q and -out is %q: both must name a file", path, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	code, err := generate(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(out, code, 0o644)
}

// generate turns the text of a schema into the text of a Go file.
func generate(text []byte) ([]byte, error) {
	parsed, err := parseSchema(text)
	if err != nil {
		return nil, err
	}
	resolved, err := resolve(parsed)
	if err != nil {
		return nil, err
	}
	return render(resolved)
}
