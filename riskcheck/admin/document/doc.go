// Package document is the form in which people read and write limits and
// reference data: YAML documents with names instead of numbers, human units,
// and no default for anything that matters.
//
// A document has the four parts apiVersion, kind, metadata and spec. Parsing is
// strict: an unknown field, a field given twice, an unknown name, a value in
// the wrong unit or outside its bounds is a problem with file, line, column,
// the value and the right form, and all problems of a document are reported
// together. YAML's guesses are not used: every scalar is read as the text that
// was written, so an account may be called NO or 007.
//
// A limit is a value, or an object where more is said of it: at which percentages
// of the limit its use is told, what a breach does beside the refusal, and until
// when it holds. What is not said has the usual value: use is told at 75% and 90%,
// a breach refuses the request, and the limit holds until another document.
//
// Rendering is the inverse. Parsing a rendered document gives the same data,
// and rendering that gives the same bytes, so a document can be fetched,
// edited and applied.
//
// Nothing here may be called by an engine loop: parsing allocates and takes its
// time.
package document
