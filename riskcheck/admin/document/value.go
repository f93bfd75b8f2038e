package document

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tollgate/order"
	"tollgate/riskcheck"
)

// unlimited is how a limit that never binds is written.
const unlimited = "unlimited"

// unit is how the values of a kind of limit are written.
type unit uint8

const (
	unitQty        unit = 1 // decimal quantity
	unitMoney      unit = 2 // decimal amount in the account's currency
	unitPrice      unit = 3 // decimal price
	unitBps        unit = 4 // 5% or 500bps
	unitCount      unit = 5 // whole number
	unitRate       unit = 6 // whole number that the engine keeps stamps for
	unitPermission unit = 7 // allow-only or deny
	unitSides      unit = 8 // buy, sell or buy+sell
)

// want says in a sentence how values of the unit are written.
func (u unit) want() string {
	switch u {
	case unitQty:
		return "a quantity such as 1000 or 0.5, or unlimited"
	case unitMoney:
		return "an amount such as 250000 or 99.95, or unlimited"
	case unitPrice:
		return "a price difference such as 0.25, or unlimited"
	case unitBps:
		return "a share of the reference price such as 5% or 500bps, or unlimited"
	case unitCount:
		return "a whole number such as 200, or unlimited"
	case unitRate:
		return "a whole number of messages from 0 to " + itoa(rateMax) + ", or unlimited"
	case unitPermission:
		return allowOnly + " or " + deny
	case unitSides:
		return "buy, sell or buy+sell"
	}
	return "a value"
}

// The values of a permission.
const (
	allowOnly = "allow-only"
	deny      = "deny"
)

// errValue is what the parsers below return when they have nothing to add to
// what the unit wants.
var errValue = errors.New("not a value of this unit")

// parseValue reads a value of the unit.
func parseValue(u unit, text string) (int64, error) {
	switch u {
	case unitPermission:
		return parsePermission(text)
	case unitSides:
		return parseSides(text)
	}
	if text == unlimited {
		return order.Unlimited, nil
	}
	v, err := parseAmount(u, text)
	if err != nil || v < 0 || v == order.Unlimited {
		return 0, errValue
	}
	return v, nil
}

// parseAmount reads a number of the unit.
func parseAmount(u unit, text string) (int64, error) {
	switch u {
	case unitQty:
		v, err := order.ParseQty(text)
		return int64(v), err
	case unitMoney:
		v, err := order.ParseMoney(text)
		return int64(v), err
	case unitPrice:
		v, err := order.ParsePrice(text)
		return int64(v), err
	case unitBps:
		return parseBps(text)
	case unitRate:
		v, err := parseCount(text)
		if v > rateMax {
			return 0, errValue
		}
		return v, err
	}
	return parseCount(text)
}

// parseCount reads a whole number without sign.
func parseCount(text string) (int64, error) {
	v, err := strconv.ParseUint(text, 10, 63)
	return int64(v), err
}

// parseBps reads a share in percent or in hundredths of a percent.
func parseBps(text string) (int64, error) {
	v, err := int64(0), errValue
	if count, ok := strings.CutSuffix(text, "bps"); ok {
		v, err = parseCount(count)
	} else if percent, ok := strings.CutSuffix(text, "%"); ok {
		v, err = parsePercent(percent)
	}
	if v > bpsMax {
		return 0, errValue
	}
	return v, err
}

// parsePercent reads a percentage that is a whole number of hundredths.
func parsePercent(text string) (int64, error) {
	v, err := order.ParseMoney(text)
	const moneyPerBps = order.MoneyOne / 100
	if err != nil || v%moneyPerBps != 0 {
		return 0, errValue
	}
	return int64(v / moneyPerBps), nil
}

func parsePermission(text string) (int64, error) {
	switch text {
	case allowOnly:
		return riskcheck.PermitAllowOnly, nil
	case deny:
		return riskcheck.PermitDeny, nil
	}
	return 0, errValue
}

func parseSides(text string) (int64, error) {
	switch text {
	case "buy":
		return riskcheck.PermitBuy, nil
	case "sell":
		return riskcheck.PermitSell, nil
	case "buy+sell":
		return riskcheck.PermitBuy | riskcheck.PermitSell, nil
	}
	return 0, errValue
}

// formatValue writes a value of the unit; parseValue reads it back.
func formatValue(u unit, v int64) string {
	switch {
	case u == unitPermission && v == riskcheck.PermitAllowOnly:
		return allowOnly
	case u == unitPermission:
		return deny
	case u == unitSides:
		return formatSides(v)
	case v == order.Unlimited:
		return unlimited
	}
	return formatAmount(u, v)
}

func formatAmount(u unit, v int64) string {
	switch u {
	case unitQty:
		return order.Qty(v).String()
	case unitMoney:
		return order.Money(v).String()
	case unitPrice:
		return order.Price(v).String()
	case unitBps:
		return strconv.FormatInt(v, 10) + "bps"
	}
	return strconv.FormatInt(v, 10)
}

func formatSides(v int64) string {
	switch v {
	case riskcheck.PermitBuy:
		return "buy"
	case riskcheck.PermitSell:
		return "sell"
	}
	return "buy+sell"
}

// parseAge reads the age at which a price counts as missing.
func parseAge(text string) (int64, error) {
	if text == unlimited {
		return order.Unlimited, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || int64(d) == order.Unlimited {
		return 0, fmt.Errorf("%w: %s", errValue, quoted(text))
	}
	return int64(d), nil
}

// formatAge writes an age; parseAge reads it back.
func formatAge(ns int64) string {
	if ns == order.Unlimited {
		return unlimited
	}
	return time.Duration(ns).String()
}

// itoa writes a whole number.
func itoa(v uint64) string { return strconv.FormatUint(v, 10) }
