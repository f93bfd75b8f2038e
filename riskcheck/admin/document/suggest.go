package document

import "strings"

// fieldsListed is how many field names a sentence can carry.
const fieldsListed = 8

// fieldList names the fields an object may have, the first ones if there are
// many.
func fieldList(known []string) string {
	if len(known) <= fieldsListed {
		return strings.Join(known, ", ")
	}
	return strings.Join(known[:fieldsListed], ", ") + " ..."
}

// suggestion says what may have been meant by an unknown field.
func suggestion(name string, known []string) string {
	best, least := "", len(name)/2+1
	for _, candidate := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return "one of: " + fieldList(known)
	}
	return "perhaps " + best
}

// distance is the number of single-byte edits between two words; words beyond
// nameBytesMax count as entirely different.
func distance(a, b string) int {
	if len(a) > nameBytesMax || len(b) > nameBytesMax {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
