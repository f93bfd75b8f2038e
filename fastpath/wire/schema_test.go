package wire

import (
	"encoding/xml"
	"os"
	"strconv"
	"strings"
	"testing"

	"tollgate/order"
)

// schemaPath is where the contract stands, seen from this package.
const schemaPath = "../../proto/sbe/tollgate.xml"

// contract is the schema as the tests below need it.
type contract struct {
	ID         uint16          `xml:"id,attr"`
	Types      []contractType  `xml:"types>type"`
	Composites []contractGroup `xml:"types>composite"`
	Enums      []contractGroup `xml:"types>enum"`
	Sets       []contractGroup `xml:"types>set"`
	Messages   []contractGroup `xml:"message"`
}

// contractGroup is a message, composite, enum or set.
type contractGroup struct {
	Name        string         `xml:"name,attr"`
	ID          uint16         `xml:"id,attr"`
	Description string         `xml:"description,attr"`
	Fields      []contractType `xml:"field"`
	Members     []contractType `xml:"type"`
	Values      []contractType `xml:"validValue"`
	Choices     []contractType `xml:"choice"`
}

// contractType is a type, field or value.
type contractType struct {
	Name        string `xml:"name,attr"`
	ID          int    `xml:"id,attr"`
	Type        string `xml:"type,attr"`
	Offset      int    `xml:"offset,attr"`
	Presence    string `xml:"presence,attr"`
	Since       uint16 `xml:"sinceVersion,attr"`
	Description string `xml:"description,attr"`
	Text        string `xml:",chardata"`
}

func loadContract(t *testing.T) *contract {
	t.Helper()
	text, err := os.ReadFile(schemaPath)
	if err != nil {
		t.Fatal(err)
	}
	var c contract
	if err := xml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

// enum returns an enumeration's values by name.
func (c *contract) enum(t *testing.T, name string) map[string]string {
	t.Helper()
	for _, e := range c.Enums {
		if e.Name == name {
			out := map[string]string{}
			for _, v := range e.Values {
				out[v.Name] = v.Text
			}
			return out
		}
	}
	t.Fatalf("the schema has no enum %s", name)
	return nil
}

// fieldNames returns the names of a message's fields, composites taken apart,
// in the order of their offsets.
func (c *contract) fieldNames(message *contractGroup) []string {
	var out []string
	for _, f := range message.Fields {
		if members := c.wireMembers(f.Type); len(members) > 1 {
			for _, member := range members {
				out = append(out, f.Name+member)
			}
		} else {
			out = append(out, f.Name)
		}
	}
	return out
}

// wireMembers returns the members of a composite that take bytes.
func (c *contract) wireMembers(name string) []string {
	var out []string
	for _, composite := range c.Composites {
		if composite.Name != name {
			continue
		}
		for _, member := range composite.Members {
			if member.Presence != "constant" {
				out = append(out, member.Name)
			}
		}
	}
	return out
}

func TestEveryMessageHasASample(t *testing.T) {
	c, samples := loadContract(t), codecs()
	if len(samples) != len(c.Messages) {
		t.Errorf("%d samples for %d messages", len(samples), len(c.Messages))
	}
	byName := map[string]codec{}
	for _, s := range samples {
		byName[s.name] = s
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		if s, ok := byName[m.Name]; !ok || s.template != m.ID {
			t.Errorf("message %s, id %d: sample has template %d", m.Name, m.ID, s.template)
		}
		if got, want := len(nullsOf(m.ID)), len(c.fieldNames(m)); got != want {
			t.Errorf("message %s: %d generated fields, the schema has %d", m.Name, got, want)
		}
	}
}

func TestGoFieldsAreSchemaFields(t *testing.T) {
	c := loadContract(t)
	byName := map[string]*contractGroup{}
	for i := range c.Messages {
		byName[c.Messages[i].Name] = &c.Messages[i]
	}
	for _, s := range codecs() {
		values := dump(s.value)
		for _, name := range s.lacks {
			if _, ok := values[name]; !ok {
				t.Errorf("%s: lacks names %s, which its struct does not have", s.name, name)
			}
			delete(values, name)
		}
		for _, name := range c.fieldNames(byName[s.name]) {
			if _, ok := values[name]; !ok {
				t.Errorf("%s: field %s of the schema is not in the Go struct", s.name, name)
			}
			delete(values, name)
		}
		for name := range values {
			if !impliedByTemplate(s.name, name) {
				t.Errorf("%s: field %s of the Go struct is not in the schema", s.name, name)
			}
		}
	}
}

// impliedByTemplate reports whether a field is not on the wire because the
// template says it.
func impliedByTemplate(message, field string) bool {
	return field == "MsgType" && message != "Check" || field == "Kind" && message != "VenueReport"
}

func TestEverythingIsDescribed(t *testing.T) {
	c := loadContract(t)
	for _, set := range [][]contractGroup{c.Messages, c.Composites, c.Enums, c.Sets} {
		for _, group := range set {
			checkSentence(t, group.Name, group.Description)
			for _, parts := range [][]contractType{group.Fields, group.Members, group.Values, group.Choices} {
				for _, part := range parts {
					checkSentence(t, group.Name+"."+part.Name, part.Description)
				}
			}
		}
	}
	for _, simple := range c.Types {
		checkSentence(t, simple.Name, simple.Description)
	}
}

func checkSentence(t *testing.T, name, text string) {
	t.Helper()
	if len(text) < 3 || !strings.HasSuffix(text, ".") || text[:1] != strings.ToUpper(text[:1]) {
		t.Errorf("%s: the description %q is not a sentence", name, text)
	}
}

// TestFieldsAreAligned looks at the fields of version 0. Those appended since
// then stand where the block ended: in front of an aligned place there would be
// bytes that belong to nobody.
func TestFieldsAreAligned(t *testing.T) {
	for _, s := range codecs() {
		for _, f := range nullsOf(s.template) {
			align := f.size
			if align > 8 {
				align = 4
			}
			if f.offset%align != 0 && f.offset < firstBlockLength(t, s.name) {
				t.Errorf("%s: a field of %d bytes stands at offset %d", s.name, f.size, f.offset)
			}
		}
	}
}

// firstBlockLength returns the length of a message's block in version 0.
func firstBlockLength(t *testing.T, message string) int {
	t.Helper()
	frame := readGolden(t, "v0/"+message)
	return len(frame) - HeaderSize
}

// TestFieldIDs: one id means one thing everywhere, and stands once a message.
func TestFieldIDs(t *testing.T) {
	c := loadContract(t)
	names := map[int]string{20050: "Reason", 20051: "Reason", 372: "MsgType", 102: "Reason", 532: "Reason", 20044: "Value"}
	for i := range c.Messages {
		seen := map[int]bool{}
		for _, f := range c.Messages[i].Fields {
			if seen[f.ID] {
				t.Errorf("%s: id %d stands twice", c.Messages[i].Name, f.ID)
			}
			seen[f.ID] = true
			if other, ok := names[f.ID]; ok && other != f.Name {
				t.Errorf("%s: id %d is %s here and %s elsewhere", c.Messages[i].Name, f.ID, f.Name, other)
			}
			names[f.ID] = f.Name
		}
	}
}

func TestEnumsAreThoseOfPackageOrder(t *testing.T) {
	c := loadContract(t)
	for enum, values := range orderEnums() {
		got := c.enum(t, enum)
		if len(got) != len(values) {
			t.Errorf("%s: %d values in the schema, %d in Go", enum, len(got), len(values))
		}
		for name, want := range values {
			if got[name] != want {
				t.Errorf("%s.%s is %q in the schema, %q in Go", enum, name, got[name], want)
			}
		}
	}
}

// orderEnums lists the code sets of package order by their names in the schema.
func orderEnums() map[string]map[string]string {
	char := func(v byte) string { return string(rune(v)) }
	return map[string]map[string]string{
		"Side": {
			"Buy": char(byte(order.SideBuy)), "Sell": char(byte(order.SideSell)),
			"SellShort": char(byte(order.SideSellShort)), "SellShortExempt": char(byte(order.SideSellShortExempt)),
		},
		"OrdType": {
			"Market": char(byte(order.OrdTypeMarket)), "Limit": char(byte(order.OrdTypeLimit)),
			"Stop": char(byte(order.OrdTypeStop)), "StopLimit": char(byte(order.OrdTypeStopLimit)),
		},
		"TimeInForce": {
			"Day": char(byte(order.TimeInForceDay)), "GTC": char(byte(order.TimeInForceGTC)),
			"IOC": char(byte(order.TimeInForceIOC)), "FOK": char(byte(order.TimeInForceFOK)),
			"GTD": char(byte(order.TimeInForceGTD)),
		},
		"MsgType": {
			"NewOrder": char(byte(order.MsgNewOrder)), "ReplaceOrder": char(byte(order.MsgReplaceOrder)),
			"CancelOrder": char(byte(order.MsgCancelOrder)), "MassCancel": char(byte(order.MsgMassCancel)),
		},
		"ExecType": {
			"New": char(byte(order.ExecTypeNew)), "Canceled": char(byte(order.ExecTypeCanceled)),
			"Replaced": char(byte(order.ExecTypeReplaced)), "PendingCancel": char(byte(order.ExecTypePendingCancel)),
			"Rejected": char(byte(order.ExecTypeRejected)), "Expired": char(byte(order.ExecTypeExpired)),
			"Restated": char(byte(order.ExecTypeRestated)), "Trade": char(byte(order.ExecTypeTrade)),
			"TradeCorrect": char(byte(order.ExecTypeTradeCorrect)), "TradeCancel": char(byte(order.ExecTypeTradeCancel)),
		},
		"OrdStatus": {
			"New": char(byte(order.OrdStatusNew)), "PartiallyFilled": char(byte(order.OrdStatusPartiallyFilled)),
			"Filled": char(byte(order.OrdStatusFilled)), "Canceled": char(byte(order.OrdStatusCanceled)),
			"PendingCancel": char(byte(order.OrdStatusPendingCancel)), "Rejected": char(byte(order.OrdStatusRejected)),
			"PendingNew": char(byte(order.OrdStatusPendingNew)), "Expired": char(byte(order.OrdStatusExpired)),
			"PendingReplace": char(byte(order.OrdStatusPendingReplace)),
		},
		"ScopeType": numbered(order.ScopeNone, "None", "Firm", "Group", "Account", "Trader", "Session", "Strategy"),
		"ReportKind": numbered(order.ReportNew, "New", "Rejected", "Replaced", "ReplaceReject", "Canceled",
			"CancelReject", "Trade", "Expired", "TradeCancel", "TradeCorrect", "Restated"),
		"PriceSource":  numbered(order.PriceSourceLast, "Last", "Mid", "Indicative", "Settlement"),
		"RejectReason": reasonValues(),
	}
}

// numbered gives names consecutive numbers.
func numbered[T ~uint8](first T, names ...string) map[string]string {
	out := map[string]string{}
	for i, name := range names {
		out[name] = strconv.Itoa(int(first) + i)
	}
	return out
}

func reasonValues() map[string]string {
	out := map[string]string{}
	for _, r := range order.Reasons() {
		out[r.String()] = strconv.Itoa(int(r))
	}
	return out
}

func TestReasonTextsAreThoseOfPackageOrder(t *testing.T) {
	for _, e := range loadContract(t).Enums {
		if e.Name != "RejectReason" {
			continue
		}
		for _, v := range e.Values {
			number, err := strconv.ParseUint(v.Text, 10, 16)
			if err != nil {
				t.Fatal(err)
			}
			text := order.Reason(number).Text()
			want := strings.ToUpper(text[:1]) + text[1:] + "."
			if got := strings.Join(strings.Fields(v.Description), " "); got != want {
				t.Errorf("%s: description is %q, the catalogue says %q", v.Name, got, want)
			}
		}
	}
}

func TestNamesOfRejectsAndRoles(t *testing.T) {
	c := loadContract(t)
	for enum, name := range map[string]func(uint8) string{
		"LoginRejectReason":   func(v uint8) string { return LoginRejectReason(v).String() },
		"SessionRejectReason": func(v uint8) string { return SessionRejectReason(v).String() },
		"Role":                func(v uint8) string { return Role(v).String() },
	} {
		values := c.enum(t, enum)
		for in, text := range values {
			number, err := strconv.ParseUint(text, 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			if got := name(uint8(number)); strings.ReplaceAll(got, "-", "") != strings.ToLower(in) {
				t.Errorf("%s %d is %q, the schema calls it %s", enum, number, got, in)
			}
		}
		if zero, next := name(0), name(uint8(len(values)+1)); zero != "unknown" || next != "unknown" {
			t.Errorf("%s: 0 is %q and %d is %q, want both unknown", enum, zero, len(values)+1, next)
		}
	}
	if got := SessionRejectTooManyConnections.String(); got != "too-many-connections" {
		t.Errorf("SessionRejectTooManyConnections is %q", got)
	}
}
