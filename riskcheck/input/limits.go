package input

const (
	// textBytesMax bounds an author and a reason: the control plane takes no more,
	// and what is longer is cut.
	textBytesMax = 1024
	// entriesDescribedMax is how many limits of a set a line for people names.
	entriesDescribedMax = 4
)
