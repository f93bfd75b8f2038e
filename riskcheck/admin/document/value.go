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

	unitVolume       unit = 9  // a share of the average daily volume, as unitBps
	unitDuplicates   unit = 10 // whole number of orders that the engine remembers
	unitMinute       unit = 11 // a duration of at most a minute
	unitDuration     unit = 12 // a duration
	unitRatio        unit = 13 // decimal number
	unitShortSelling unit = 14 // forbidden, locate or free
	unitSelfMatch    unit = 15 // reject, cancel or allow
	unitRejects      unit = 16 // whole number of rejects that the engine remembers
)

// wants says in a sentence how values of each unit are written.
var wants = [...]string{
	unitQty:          "a quantity such as 1000 or 0.5, or unlimited",
	unitMoney:        "an amount such as 250000 or 99.95, or unlimited",
	unitPrice:        "a price difference such as 0.25, or unlimited",
	unitBps:          "a share of the reference price such as 5% or 500bps, or unlimited",
	unitCount:        "a whole number such as 200, or unlimited",
	unitRate:         "a whole number of messages from 0 to " + itoa(rateMax) + ", or unlimited",
	unitPermission:   allowOnly + " or " + deny,
	unitSides:        "buy, sell or buy+sell",
	unitVolume:       "a share of the average daily volume such as 5% or 500bps, or unlimited",
	unitDuplicates:   "a whole number of orders from 1 to " + itoa(duplicatesMax) + ", or unlimited",
	unitMinute:       "a duration above zero and up to 1m, such as 500ms or 1s",
	unitDuration:     "a duration above zero, such as 500ms or 10s",
	unitRatio:        "a ratio such as 4.5 with at most 4 decimals, or unlimited",
	unitShortSelling: "forbidden, locate or free",
	unitSelfMatch:    "reject, cancel or allow",
	unitRejects:      "a whole number of rejects from 1 to " + itoa(rejectsMax) + ", or unlimited",
}

// want says in a sentence how values of the unit are written.
func (u unit) want() string { return wants[u] }

// The values of a permission.
const (
	allowOnly = "allow-only"
	deny      = "deny"
)

// word is a value that is written as a word.
type word struct {
	unit  unit
	value int64
	text  string
}

// words are the values of the units that have nothing but words.
var words = [...]word{
	{unitPermission, riskcheck.PermitAllowOnly, allowOnly},
	{unitPermission, riskcheck.PermitDeny, deny},
	{unitSides, riskcheck.PermitBuy, "buy"},
	{unitSides, riskcheck.PermitSell, "sell"},
	{unitSides, riskcheck.PermitBuy | riskcheck.PermitSell, "buy+sell"},
	{unitShortSelling, riskcheck.ShortForbidden, "forbidden"},
	{unitShortSelling, riskcheck.ShortLocate, "locate"},
	{unitShortSelling, order.Unlimited, "free"},
	{unitSelfMatch, riskcheck.SelfMatchReject, "reject"},
	{unitSelfMatch, riskcheck.SelfMatchCancel, "cancel"},
	{unitSelfMatch, order.Unlimited, "allow"},
}

// wordy reports whether the unit has nothing but words.
func (u unit) wordy() bool {
	return u == unitPermission || u == unitSides || u == unitShortSelling || u == unitSelfMatch
}

// errValue is what the parsers below return when they have nothing to add to
// what the unit wants.
var errValue = errors.New("not a value of this unit")

// parseValue reads a value of the unit.
func parseValue(u unit, text string) (int64, error) {
	switch {
	case u.wordy():
		return parseWord(u, text)
	case u == unitMinute, u == unitDuration:
		return parseWindow(u, text)
	case text == unlimited:
		return order.Unlimited, nil
	}
	v, err := parseAmount(u, text)
	if err != nil || v < 0 || v == order.Unlimited {
		return 0, errValue
	}
	return v, nil
}

func parseWord(u unit, text string) (int64, error) {
	for i := range words {
		if words[i].unit == u && words[i].text == text {
			return words[i].value, nil
		}
	}
	return 0, errValue
}

// parseWindow reads the length of a window.
func parseWindow(u unit, text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || u == unitMinute && d > time.Minute || int64(d) == order.Unlimited {
		return 0, errValue
	}
	return int64(d), nil
}

// parseAmount reads a number of the unit.
func parseAmount(u unit, text string) (int64, error) {
	switch u {
	case unitQty:
		v, err := order.ParseQty(text)
		return int64(v), err
	case unitMoney, unitRatio:
		v, err := order.ParseMoney(text)
		return int64(v), err
	case unitPrice:
		v, err := order.ParsePrice(text)
		return int64(v), err
	case unitBps, unitVolume:
		return parseBps(text)
	case unitRate:
		return parseBounded(text, 0, rateMax)
	case unitDuplicates:
		return parseBounded(text, 1, duplicatesMax)
	case unitRejects:
		return parseBounded(text, 1, rejectsMax)
	}
	return parseCount(text)
}

// parseBounded reads a whole number from least to most.
func parseBounded(text string, least, most int64) (int64, error) {
	v, err := parseCount(text)
	if err != nil || v < least || v > most {
		return 0, errValue
	}
	return v, nil
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

// formatValue writes a value of the unit; parseValue reads it back.
func formatValue(u unit, v int64) string {
	for i := range words {
		if words[i].unit == u && words[i].value == v {
			return words[i].text
		}
	}
	if v == order.Unlimited {
		return unlimited
	}
	return formatAmount(u, v)
}

func formatAmount(u unit, v int64) string {
	switch u {
	case unitQty:
		return order.Qty(v).String()
	case unitMoney, unitRatio:
		return order.Money(v).String()
	case unitPrice:
		return order.Price(v).String()
	case unitBps, unitVolume:
		return strconv.FormatInt(v, 10) + "bps"
	case unitMinute, unitDuration:
		return formatDuration(v)
	}
	return strconv.FormatInt(v, 10)
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
	return formatDuration(ns)
}

// formatDuration writes a duration without the zeros at its end.
func formatDuration(ns int64) string {
	text := time.Duration(ns).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}

// itoa writes a whole number.
func itoa(v uint64) string { return strconv.FormatUint(v, 10) }
