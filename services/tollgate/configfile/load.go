package configfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// bytesMax bounds a configuration file.
const bytesMax = 1 << 20

// Problems is everything that is wrong with a file, one line each.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

// Load reads the file at path into the struct that into points to. Fields that
// the file does not have keep the value they have, which is the default. After
// that check, if it is not nil, may add what only the values together show.
func Load(path string, into any, check func() []string) error {
	text, err := readBounded(path)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	var problems Problems
	if err := decoder.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		problems = explain(path, err, into)
	}
	if len(problems) == 0 && check != nil {
		for _, p := range check() {
			problems = append(problems, located(path, text, p))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, bytesMax+1))
	if err == nil && len(text) > bytesMax {
		err = fmt.Errorf("%s: larger than %d bytes, which no configuration is", path, bytesMax)
	}
	return text, err
}

var (
	atLine       = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)
	unknownField = regexp.MustCompile(`^field (\S+) not found in type \S+$`)
	wrongType    = regexp.MustCompile("^cannot unmarshal !!\\w+ `(.*)` into (.*)$")
)

// explain turns what the YAML library says into sentences for an operator.
func explain(path string, err error, into any) Problems {
	var list *yaml.TypeError
	if !errors.As(err, &list) {
		list = &yaml.TypeError{Errors: []string{err.Error()}}
	}
	var out Problems
	for _, text := range list.Errors {
		where := path
		if m := atLine.FindStringSubmatch(text); m != nil {
			where, text = path+":"+m[1], text[len(m[0]):]
		}
		if m := unknownField.FindStringSubmatch(text); m != nil {
			text = fmt.Sprintf("%s: unknown field; the fields are %s", m[1], strings.Join(fields(into), ", "))
		}
		if m := wrongType.FindStringSubmatch(text); m != nil {
			text = fmt.Sprintf("%q is not a value of type %s", m[1], m[2])
		}
		out = append(out, where+": "+text)
	}
	return out
}

// fields lists the fields of a configuration struct, those of nested structs
// after theirs.
func fields(into any) []string {
	var out []string
	var walk func(t reflect.Type, prefix string)
	walk = func(t reflect.Type, prefix string) {
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			if name == "" || name == "-" {
				continue
			}
			out = append(out, prefix+name)
			if ft := t.Field(i).Type; ft.Kind() == reflect.Struct && ft.NumField() > 0 && ft.Field(0).Tag.Get("yaml") != "" {
				walk(ft, prefix+name+".")
			}
		}
	}
	walk(reflect.TypeOf(into).Elem(), "")
	return out
}

// located puts file and line before a problem of the form "field: text": the
// line where the field stands, if it stands anywhere.
func located(path string, text []byte, problem string) string {
	field, _, _ := strings.Cut(problem, ":")
	var root yaml.Node
	if yaml.Unmarshal(text, &root) == nil && len(root.Content) == 1 {
		if line := lineOf(root.Content[0], strings.Split(field, ".")); line > 0 {
			return fmt.Sprintf("%s:%d: %s", path, line, problem)
		}
	}
	return path + ": " + problem
}

func lineOf(n *yaml.Node, names []string) int {
	if n.Kind != yaml.MappingNode || len(names) == 0 {
		return 0
	}
	at := slices.IndexFunc(n.Content, func(k *yaml.Node) bool { return k.Value == names[0] })
	if at < 0 || at%2 != 0 {
		return 0
	}
	if len(names) == 1 {
		return n.Content[at].Line
	}
	return lineOf(n.Content[at+1], names[1:])
}
