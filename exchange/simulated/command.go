package simulated

import (
	"fmt"
	"strconv"
	"strings"

	"tollgate/order"
)

// CommandKind says what a Command does.
type CommandKind uint8

// The commands.
const (
	// CommandBust undoes the trade of which ExecID is one side, on both sides.
	CommandBust CommandKind = 1
	// CommandCorrect gives the trade of which ExecID is one side another Qty and
	// Price, on both sides.
	CommandCorrect CommandKind = 2
	// CommandRepeat says the report of the execution ExecID once more, unchanged.
	CommandRepeat CommandKind = 3
	// CommandFill executes Qty of the order OrderID at Price with nobody, live or
	// ended, and above what is open of it: then it is an overfill.
	CommandFill CommandKind = 4
	// CommandRestate gives the order OrderID the total quantity Qty, and the price
	// Price unless that is order.Null. A filled order, one that was not canceled and
	// has not expired, lives again if that is more than it has executed.
	CommandRestate CommandKind = 5
	// CommandCancel cancels the live order OrderID although nobody has asked for it.
	CommandCancel CommandKind = 6
	// CommandEndDay ends the venue's day: live orders that are neither GTC nor GTD
	// expire, lowest OrderID first.
	CommandEndDay CommandKind = 7
)

// Command is something the venue shall do of its own accord, for tests and
// demonstrations. Fields that a kind does not name are not looked at.
type Command struct {
	ExecID  order.ExecID
	OrderID order.OrderID
	Qty     order.Qty
	Price   order.Price
	Kind    CommandKind
}

// commandForms are the commands as people write them.
var commandForms = map[CommandKind]string{
	CommandBust:    "bust EXECID",
	CommandCorrect: "correct EXECID QTY PRICE",
	CommandRepeat:  "repeat EXECID",
	CommandFill:    "fill ORDERID QTY PRICE",
	CommandRestate: "restate ORDERID QTY [PRICE]",
	CommandCancel:  "cancel ORDERID",
	CommandEndDay:  "end-day",
}

// ParseCommand reads a command as people write it: its name and then, separated
// by blanks, identifiers as numbers, quantities and prices as decimals.
//
//	bust EXECID
//	correct EXECID QTY PRICE
//	repeat EXECID
//	fill ORDERID QTY PRICE
//	restate ORDERID QTY [PRICE]
//	cancel ORDERID
//	end-day
func ParseCommand(text string) (Command, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Command{}, fmt.Errorf("the command is empty: want one of %s", commandNames())
	}
	for kind := CommandBust; kind <= CommandEndDay; kind++ {
		form := strings.Fields(commandForms[kind])
		if form[0] != words[0] {
			continue
		}
		c, err := parseArguments(form[1:], words[1:])
		if err != nil {
			return Command{}, fmt.Errorf("command %q: %w; want %s", text, err, commandForms[kind])
		}
		c.Kind = kind
		return c, nil
	}
	return Command{}, fmt.Errorf("command %q is unknown: want one of %s", text, commandNames())
}

// commandNames lists the names of all commands.
func commandNames() string {
	var names []string
	for kind := CommandBust; kind <= CommandEndDay; kind++ {
		name, _, _ := strings.Cut(commandForms[kind], " ")
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// parseArguments reads words as the form names them; those in brackets may be
// left out.
func parseArguments(form, words []string) (Command, error) {
	c := Command{Price: order.Null}
	if len(words) > len(form) {
		return c, fmt.Errorf("%q is too much", words[len(form)])
	}
	for i, name := range form {
		if i == len(words) {
			if strings.HasPrefix(name, "[") {
				break
			}
			return c, fmt.Errorf("%s is missing", name)
		}
		if err := c.set(strings.Trim(name, "[]"), words[i]); err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, nil
}

// set reads one argument.
func (c *Command) set(name, word string) (err error) {
	switch name {
	case "EXECID", "ORDERID":
		var id uint64
		if id, err = strconv.ParseUint(word, 10, 64); name == "EXECID" {
			c.ExecID = order.ExecID(id)
		} else {
			c.OrderID = order.OrderID(id)
		}
	case "QTY":
		c.Qty, err = order.ParseQty(word)
	case "PRICE":
		c.Price, err = order.ParsePrice(word)
	}
	return err
}
