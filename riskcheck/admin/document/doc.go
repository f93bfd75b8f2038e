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
// Rendering is the inverse. Parsing a rendered document gives the same data,
// and rendering that gives the same bytes, so a document can be fetched,
// edited and applied.
//
// Nothing here may be called by an engine loop: parsing allocates and takes its
// time.
package document
