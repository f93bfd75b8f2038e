package result

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// grouped writes a number with commas between thousands.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	head := len(digits) % 3
	if head == 0 {
		head = 3
	}
	var text strings.Builder
	text.WriteString(digits[:min(head, len(digits))])
	for i := head; i < len(digits); i += 3 {
		text.WriteString("," + digits[i:i+3])
	}
	return text.String()
}

// micros writes microseconds with about three digits; whole seconds and more
// are rare enough to be written out as such.
func micros(us float64) string {
	switch {
	case us >= 1e6:
		return strconv.FormatFloat(us/1e6, 'f', 2, 64) + " s"
	case us >= 1000:
		return grouped(uint64(us + 0.5))
	case us >= 100:
		return strconv.FormatFloat(us, 'f', 0, 64)
	case us >= 10:
		return strconv.FormatFloat(us, 'f', 1, 64)
	}
	return strconv.FormatFloat(us, 'f', 2, 64)
}

// percent writes a share of a whole.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// left pads on the right, so that text stands left; right the mirror image.
// Both count characters, not bytes.
func left(s string, width int) string  { return s + spaces(width-utf8.RuneCountInString(s)) }
func right(s string, width int) string { return spaces(width-utf8.RuneCountInString(s)) + s }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// wrap breaks text between words into lines of at most width characters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// bar draws a share of a whole in width characters, with eighths.
func bar(part, whole uint64, width int) string {
	if whole == 0 {
		return ""
	}
	eighths := int(float64(part)/float64(whole)*float64(width*8) + 0.5)
	if part > 0 {
		eighths = max(eighths, 1)
	}
	partial := []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	return strings.Repeat("█", eighths/8) + partial[eighths%8]
}
