// Package configfile reads the configuration file of a process: one YAML file,
// one documented struct. Unknown fields, values of the wrong form and missing
// ones are all reported at once, each with file, line, the value and what would
// be right. Nothing is read from anywhere else.
package configfile
