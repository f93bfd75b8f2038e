//go:build race

package main

// raceDetector: the detector's own memory grows with what it watches.
const raceDetector = true
