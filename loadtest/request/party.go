package request

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// Party is who sends an order: a session and the account and trader it names.
type Party struct {
	Session int // index of the session, from 0
	Account order.AccountID
	Trader  order.TraderID
	// Strategy is the program that sends the orders; 0: none.
	Strategy order.StrategyID
}

// Config says who trades what.
type Config struct {
	Instrument  order.InstrumentID
	Makers      []Party           // orders of the flow belong to one of them
	Takers      []Party           // executions are caused by one of them; without any, by the makers
	TimeInForce order.TimeInForce // of orders that may rest; default day
}

// Validate reports everything that is wrong, all at once.
func (c *Config) Validate() error {
	var problems []error
	if c.Instrument == 0 {
		problems = append(problems, errors.New("request: Instrument is 0, want the instrument's number"))
	}
	if len(c.Makers) == 0 {
		problems = append(problems, errors.New("request: Makers is empty, want at least one party"))
	}
	if c.TimeInForce != 0 && !c.TimeInForce.Valid() {
		problems = append(problems, fmt.Errorf("request: TimeInForce is %d, want one of FIX tag 59's values or 0 for day",
			c.TimeInForce))
	}
	problems = append(problems, validateParties("Makers", c.Makers), validateParties("Takers", c.Takers))
	return errors.Join(problems...)
}

func validateParties(name string, parties []Party) error {
	for i, p := range parties {
		if p.Session < 0 || p.Session >= SessionsMax {
			return fmt.Errorf("request: %s[%d].Session is %d, want 0 to %d", name, i, p.Session, SessionsMax-1)
		}
		if p.Account == 0 || p.Trader == 0 {
			return fmt.Errorf("request: %s[%d] is account %d, trader %d: want both above 0", name, i, p.Account, p.Trader)
		}
	}
	return nil
}

// Spread deals accounts out to sessions in turn, and to each account one of the
// traders in turn: the usual way to make parties.
func Spread(sessions int, accounts []order.AccountID, traders []order.TraderID) []Party {
	parties := make([]Party, len(accounts))
	for i, account := range accounts {
		parties[i] = Party{Session: i % sessions, Account: account, Trader: traders[i%len(traders)]}
	}
	return parties
}

// sessionCount returns one above the highest session of any party.
func (c *Config) sessionCount() int {
	count := 0
	for _, p := range c.Makers {
		count = max(count, p.Session+1)
	}
	for _, p := range c.Takers {
		count = max(count, p.Session+1)
	}
	return count
}
