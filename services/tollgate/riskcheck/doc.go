// Package riskcheck is the riskcheck process: the engine, the loop around it
// and the control plane beside it, wired from one configuration file.
package riskcheck
