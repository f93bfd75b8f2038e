// Package exchange is the exchange process: the venue adapter and the built-in
// simulated venue, wired from one configuration file.
package exchange
