package repolint

const (
	// functionLinesMax bounds a function from its first line to its closing
	// brace: what does not fit on a screen is not seen at once.
	functionLinesMax = 70

	// testFunctionLinesMax is higher, for tables and scripts.
	testFunctionLinesMax = 120

	// fileLinesMax bounds a source file: one subject a file.
	fileLinesMax = 600

	// testFileLinesMax is higher, for one suite a file.
	testFileLinesMax = 1000

	// lineColumnsMax bounds a line, a tab counting as one column, so that two
	// files fit beside each other.
	lineColumnsMax = 120

	// testLineColumnsMax is higher, for rows of tables that are read as columns.
	testLineColumnsMax = 140

	// ratchetEntriesMax is the length of ratchet.txt. It is lowered with every
	// entry that goes and never raised.
	ratchetEntriesMax = 0
)
