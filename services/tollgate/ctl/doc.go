// Package ctl is the command by which people and scripts use the control plane:
// it shows limits, exposure, orders, sessions, kills and latches, changes limits
// by documents, sets cash, positions, rates and market states, simulates orders,
// and stops and restarts trading.
//
// Data go to the standard output, messages to the standard error. A command
// ends with one of the exit codes of this package. A change is shown before it
// is made and needs a yes, on a terminal by asking, otherwise by --yes.
package ctl
