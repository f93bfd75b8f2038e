// Package gateway is the gateway process: the front office between clients, the
// engine and the venue, wired from one configuration file.
package gateway
