// Package repolint holds the repository to its own rules. Each rule is a
// function from a Repository to the places that break it, and the package's
// tests run all of them on the tree they stand in:
//
//   - imports.txt says which package may import which, and which module;
//   - hot.txt says which files run for every message, and what they may not use;
//   - docs/dependencies.md names every module and the reason for it;
//   - functions, files and lines have bounds, packages have comments and names
//     that say something, and nothing is parked for later;
//   - what the documents point at exists: links, paths, names, commands.
//
// A rule that stops nobody is no rule, so every rule also has a test with a
// planted violation.
//
// ratchet.txt lists the violations that are tolerated. An entry that is no
// longer needed fails the tests until it is removed, so the list only shrinks.
package repolint
