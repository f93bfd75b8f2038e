package ctl

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// tone is how a cell is shown on a terminal.
type tone string

const (
	plain  tone = ""
	bold   tone = "\x1b[1m"
	red    tone = "\x1b[31m"
	yellow tone = "\x1b[33m"
	faint  tone = "\x1b[2m"

	resetTone = "\x1b[0m"
)

// cell is one value of a table.
type cell struct {
	text string
	tone tone
}

// table is a list of rows under a title row. A column whose title begins with
// ">" is aligned to the right.
type table struct {
	titles []string
	rows   [][]cell
}

// add appends a row of plain cells.
func (t *table) add(texts ...string) {
	row := make([]cell, len(texts))
	for i, text := range texts {
		row[i] = cell{text: text}
	}
	t.rows = append(t.rows, row)
}

// addCells appends a row.
func (t *table) addCells(row ...cell) { t.rows = append(t.rows, row) }

// print writes the table, in colour if the writer is a terminal that wants it.
func (t *table) print(w io.Writer) error {
	coloured := colour(w)
	titles := make([]cell, len(t.titles))
	right := make([]bool, len(t.titles))
	for i, title := range t.titles {
		name, aligned := strings.CutPrefix(title, ">")
		titles[i], right[i] = cell{text: name, tone: bold}, aligned
	}
	rows := append([][]cell{titles}, t.rows...)
	widths := columnWidths(rows)
	var b strings.Builder
	for _, row := range rows {
		writeRow(&b, row, widths, right, coloured)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func columnWidths(rows [][]cell) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	return widths
}

func writeRow(b *strings.Builder, row []cell, widths []int, right []bool, coloured bool) {
	var line strings.Builder
	for i, c := range row {
		if i > 0 {
			line.WriteString("  ")
		}
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
		if right[i] {
			line.WriteString(padding)
		}
		line.WriteString(toned(c, coloured))
		if !right[i] && i < len(row)-1 {
			line.WriteString(padding)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " "))
	b.WriteByte('\n')
}

// toned returns the cell's text with its tone.
func toned(c cell, coloured bool) string {
	if !coloured || c.tone == plain || c.text == "" {
		return c.text
	}
	return string(c.tone) + c.text + resetTone
}

// colour reports whether a writer is a terminal whose user wants colour
// (NO_COLOR says no).
func colour(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	return err == nil
}
