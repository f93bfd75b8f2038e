// Package journaltest has a simulated disk for the tests of whatever keeps a
// journal. It loses what was not synced the way real disks do, by a seed, and
// crashes, fails or is full at a chosen operation.
package journaltest
