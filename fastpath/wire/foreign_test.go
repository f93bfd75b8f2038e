package wire

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The tests of this file read messages of other people's schemas: the examples
// of the FIX SBE specification and the car of its reference implementation.
// They use what the messages of this package are read with, Split, the offsets
// of the headers and little-endian loads at fixed offsets, and show on top of
// it what Tollgate's own schema does without: repeating groups and variable
// data.

// cursor walks over a message behind its headers.
type cursor struct {
	block   []byte // root block or group entry
	rest    []byte // what follows it
	decoded []decoded
}

// decoded is one field as the specification's tables show it.
type decoded struct{ wire, name, value string }

// openForeign splits a frame and reads its headers.
func openForeign(buf []byte) (*cursor, error) {
	f, n, err := Split(buf)
	if err != nil {
		return nil, err
	}
	if n != len(buf) {
		return nil, fmt.Errorf("frame of %d bytes in %d", n, len(buf))
	}
	length := int(binary.LittleEndian.Uint16(f[blockLengthOffset:]))
	body := f[HeaderSize:]
	if length > len(body) {
		return nil, fmt.Errorf("block of %d bytes in %d", length, len(body))
	}
	c := &cursor{block: body[:length], rest: body[length:]}
	c.add(f[frameLengthOffset:encodingOffset], "SOFH message length", fmt.Sprint(n))
	c.add(f[encodingOffset:blockLengthOffset], "SOFH encoding", "SBE little-endian")
	for i, name := range []string{"SBE block length", "SBE template ID", "SBE schema ID", "SBE schema version"} {
		at := f[blockLengthOffset+2*i:][:2]
		c.add(at, name, fmt.Sprint(binary.LittleEndian.Uint16(at)))
	}
	return c, nil
}

func (c *cursor) add(wire []byte, name, value string) {
	c.decoded = append(c.decoded, decoded{hex.EncodeToString(wire), name, value})
}

// number reads an unsigned integer of 1 to 8 bytes at an offset of the block.
func (c *cursor) number(offset, size int) uint64 {
	var b [8]byte
	copy(b[:], c.block[offset:offset+size])
	return binary.LittleEndian.Uint64(b[:])
}

// field records a field of the block.
func (c *cursor) field(offset, size int, name, value string) {
	c.add(c.block[offset:offset+size], name, value)
}

// text records a string of fixed length, filled up with zeros.
func (c *cursor) text(offset, size int, name string) {
	c.field(offset, size, name, strings.TrimRight(string(c.block[offset:offset+size]), "\x00"))
}

// integer records an unsigned integer.
func (c *cursor) integer(offset, size int, name string) {
	c.field(offset, size, name, fmt.Sprint(c.number(offset, size)))
}

// code records an enumeration's value by name.
func (c *cursor) code(offset int, name string, names map[uint64]string) {
	c.field(offset, 1, name, names[c.number(offset, 1)])
}

// decimal records an int64 mantissa with three decimals, or its null.
func (c *cursor) decimal(offset int, name string) {
	mantissa := int64(c.number(offset, 8))
	value := fmt.Sprintf("%d.%03d", mantissa/1000, mantissa%1000)
	if mantissa == math.MinInt64 {
		value = "null"
	}
	c.field(offset, 8, name, value)
}

// float records a 32-bit float with one decimal.
func (c *cursor) float(offset int, name string) {
	c.field(offset, 4, name, fmt.Sprintf("%.1f", math.Float32frombits(uint32(c.number(offset, 4)))))
}

// group reads a group's dimensions and gives every entry to read as the block.
func (c *cursor) group(name string, read func()) {
	outer := c.block
	size, count := int(binary.LittleEndian.Uint16(c.rest)), int(binary.LittleEndian.Uint16(c.rest[2:]))
	c.add(c.rest[:4], name, fmt.Sprintf("Block length=%d count=%d", size, count))
	c.rest = c.rest[4:]
	for range count {
		c.block, c.rest = c.rest[:size], c.rest[size:]
		read()
	}
	c.block = outer
}

// data reads variable data behind a length of so many bytes.
func (c *cursor) data(lengthSize int, name string) {
	var b [8]byte
	copy(b[:], c.rest[:lengthSize])
	end := lengthSize + int(binary.LittleEndian.Uint64(b[:]))
	c.add(c.rest[lengthSize:end], name, string(c.rest[lengthSize:end]))
	c.rest = c.rest[end:]
}

var (
	foreignSides    = map[uint64]string{'1': "Buy", '2': "Sell"}
	foreignOrdTypes = map[uint64]string{'1': "Market", '2': "Limit", '3': "Stop", '4': "StopLimit"}
	foreignStates   = map[uint64]string{'0': "New", '1': "PartialFilled", '2': "Filled"}
	foreignEvents   = map[uint64]string{'0': "New", 'F': "Trade"}
	foreignReasons  = map[uint64]string{0: "Other", 1: "UnknownID", 6: "NotAuthorized"}
	truth           = map[uint64]string{0: "F", 1: "T"}
)

// readNewOrderSingle: template 99 of the specification's examples.
func readNewOrderSingle(c *cursor) {
	c.text(0, 8, "ClOrdId")
	c.text(8, 8, "Account")
	c.text(16, 8, "Symbol")
	c.code(24, "Side", foreignSides)
	at := time.Unix(0, int64(c.number(25, 8))).UTC()
	c.field(25, 8, "TransactTime", at.Format("2006-01-02T15:04:05.000Z"))
	c.integer(33, 4, "OrderQty")
	c.code(37, "OrdType", foreignOrdTypes)
	c.decimal(38, "Price")
	c.decimal(46, "StopPx")
}

// readExecutionReport: template 98 of the specification's examples.
func readExecutionReport(c *cursor) {
	c.text(0, 8, "OrderID")
	c.text(8, 8, "ExecID")
	c.code(16, "ExecType", foreignEvents)
	c.code(17, "OrdStatus", foreignStates)
	c.text(18, 8, "Symbol")
	c.field(26, 5, "MaturityMonthYear", fmt.Sprintf("year=%d month=%d", c.number(26, 2), c.number(28, 1)))
	c.code(31, "Side", foreignSides)
	c.integer(32, 4, "LeavesQty")
	c.integer(36, 4, "CumQty")
	day := time.Unix(0, 0).UTC().AddDate(0, 0, int(c.number(40, 2)))
	c.field(40, 2, "TradeDate", day.Format(time.DateOnly))
	c.group("FillGrp", func() {
		c.decimal(0, "FillPx")
		c.integer(8, 4, "FillQty")
	})
}

// readBusinessReject: template 97 of the specification's examples.
func readBusinessReject(c *cursor) {
	c.text(0, 8, "BusinesRejectRefId")
	c.code(8, "BusinessRejectReason", foreignReasons)
	c.data(2, "Text")
}

// readCar: the reference implementation's car, with the two fields of its
// extended schema, which a block of 45 bytes lacks.
func readCar(c *cursor) {
	c.integer(0, 8, "serialNumber")
	c.integer(8, 2, "modelYear")
	c.code(10, "available", truth)
	c.text(11, 1, "code")
	for i := range 4 {
		c.integer(12+4*i, 4, "someNumbers")
	}
	c.text(28, 6, "vehicleCode")
	c.integer(34, 1, "extras")
	c.integer(35, 2, "capacity")
	c.integer(37, 1, "numCylinders")
	c.text(38, 3, "manufacturerCode")
	c.integer(41, 1, "efficiency")
	c.code(42, "boosterEnabled", truth)
	c.text(43, 1, "boostType")
	c.integer(44, 1, "horsePower")
	if len(c.block) >= 61+1 {
		c.integer(45, 8, "uuid")
		c.integer(53, 8, "uuid")
		c.integer(61, 1, "cupHolderCount")
	} else {
		c.add(nil, "cupHolderCount", "null")
	}
	readCarGroups(c)
}

func readCarGroups(c *cursor) {
	c.group("fuelFigures", func() {
		c.integer(0, 2, "speed")
		c.float(2, "mpg")
		c.data(4, "usageDescription")
	})
	c.group("performanceFigures", func() {
		c.integer(0, 1, "octaneRating")
		c.group("acceleration", func() {
			c.integer(0, 2, "mph")
			c.float(2, "seconds")
		})
	})
	for _, name := range []string{"manufacturer", "model", "activationCode"} {
		c.data(4, name)
	}
}

// readForeign decodes a whole frame, by template.
func readForeign(t *testing.T, frame []byte) []decoded {
	t.Helper()
	c, err := openForeign(frame)
	if err != nil {
		t.Fatal(err)
	}
	read := map[uint16]func(*cursor){97: readBusinessReject, 98: readExecutionReport, 99: readNewOrderSingle, 1: readCar}
	read[Frame(frame).Template()](c)
	if len(c.rest) != 0 {
		t.Errorf("%d bytes are left behind the message", len(c.rest))
	}
	return c.decoded
}

// values drops the headers and the bytes: name=value of every field.
func values(fields []decoded) []string {
	var out []string
	for _, f := range fields[6:] {
		out = append(out, f.name+"="+f.value)
	}
	return out
}

// ownVectors are messages of the same shapes with other contents.
var ownVectors = []struct{ name, hex, want string }{
	{
		"order", `00000044 eb50 3600 6300 5b00 0000
		4142000000000000 4300000000000000 4445460000000000 32 0000000000000000 05000000 33 0000000000000080 e803000000000000`,
		"ClOrdId=AB Account=C Symbol=DEF Side=Sell TransactTime=1970-01-01T00:00:00.000Z OrderQty=5 OrdType=Stop " +
			"Price=null StopPx=1.000",
	},
	{
		"execution with groups", `00000054 eb50 2a00 6200 5b00 0000
		5100000000000000 5200000000000000 30 30 5300000000000000 e90703ffff 31 0a000000 00000000 0100
		0c00 0200 0100000000000000 07000000 d007000000000000 08000000`,
		"OrderID=Q ExecID=R ExecType=New OrdStatus=New Symbol=S MaturityMonthYear=year=2025 month=3 Side=Buy " +
			"LeavesQty=10 CumQty=0 TradeDate=1970-01-02 FillGrp=Block length=12 count=2 FillPx=0.001 FillQty=7 " +
			"FillPx=2.000 FillQty=8",
	},
	{
		"execution without groups", `0000003c eb50 2a00 6200 5b00 0000
		5100000000000000 5200000000000000 46 32 5300000000000000 e90703ffff 31 0a000000 00000000 0100 0c00 0000`,
		"OrderID=Q ExecID=R ExecType=Trade OrdStatus=Filled Symbol=S MaturityMonthYear=year=2025 month=3 Side=Buy " +
			"LeavesQty=10 CumQty=0 TradeDate=1970-01-02 FillGrp=Block length=12 count=0",
	},
	{
		"variable data", `0000001e eb50 0900 6100 5b00 0000 5800000000000000 01 0500 68656c6c6f`,
		"BusinesRejectRefId=X BusinessRejectReason=UnknownID Text=hello",
	},
	{
		"newer car, groups in groups", `00000083 eb50 3e00 0100 0100 0100
		0700000000000000 e907 00 42 01000000020000000300000004000000 7a7978777675 01 e803 08 393837 2a 01 54 64
		0500000000000000 0600000000000000 04
		0800 0100 1e00 00002041 eeee 0400000063697479
		0100 0200 5f 0600 0100 3c00 0000a040 62 0600 0000
		02000000 4d31 00000000 01000000 5a`,
		"serialNumber=7 modelYear=2025 available=F code=B someNumbers=1 someNumbers=2 someNumbers=3 someNumbers=4 " +
			"vehicleCode=zyxwvu extras=1 capacity=1000 numCylinders=8 manufacturerCode=987 efficiency=42 " +
			"boosterEnabled=T boostType=T horsePower=100 uuid=5 uuid=6 cupHolderCount=4 " +
			"fuelFigures=Block length=8 count=1 speed=30 mpg=10.0 usageDescription=city " +
			"performanceFigures=Block length=1 count=2 octaneRating=95 acceleration=Block length=6 count=1 mph=60 " +
			"seconds=5.0 octaneRating=98 acceleration=Block length=6 count=0 manufacturer=M1 model= activationCode=Z",
	},
}

func TestForeignShapes(t *testing.T) {
	for _, row := range ownVectors {
		t.Run(row.name, func(t *testing.T) {
			frame, err := decodeHex(row.hex)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(values(readForeign(t, frame)), " "); got != row.want {
				t.Errorf("decoded %s\n   want %s", got, row.want)
			}
		})
	}
}

// foreignData returns the folder of public SBE data beside the repository, or
// "" where there is none.
func foreignData(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above has a go.mod")
		}
		dir = filepath.Dir(dir)
	}
	data := filepath.Join(filepath.Dir(dir), "shared", "data", "sbe")
	if _, err := os.Stat(data); err != nil {
		return ""
	}
	return data
}

// exampleRow matches a row of the specification's tables that shows a field.
var exampleRow = regexp.MustCompile("^\\| `([0-9a-f]+)(\\.*)` \\|[^|]*\\| ([^|]*) \\|[^|]*\\|[^|]*\\| (.*) \\|$")

// TestSpecificationExamples decodes the three messages of the FIX SBE
// specification's examples and finds what its tables say, row by row.
func TestSpecificationExamples(t *testing.T) {
	data := foreignData(t)
	if data == "" {
		t.Skip("no public SBE data beside the repository; TestForeignShapes has decoded the same shapes")
	}
	text, err := os.ReadFile(filepath.Join(data, "examples", "examples.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "### Wire format\n")
	if len(parts) != 4 {
		t.Fatalf("%d examples, want 3", len(parts)-1)
	}
	for _, part := range parts[1:] {
		pieces := strings.Split(part, "```")
		frame, err := decodeHex(withoutText(pieces[1]))
		if err != nil {
			t.Fatal(err)
		}
		table, _, _ := strings.Cut(pieces[2], "### Wire format of field encodings")
		checkRows(t, table, readForeign(t, frame))
	}
}

// withoutText drops the characters a hex dump shows behind a colon.
func withoutText(dump string) string {
	var b strings.Builder
	for line := range strings.Lines(dump) {
		code, _, _ := strings.Cut(line, ":")
		b.WriteString(code + "\n")
	}
	return b.String()
}

// checkRows finds every row of a table among the decoded fields, in order. A
// table may leave fields out.
func checkRows(t *testing.T, table string, fields []decoded) {
	t.Helper()
	rows := 0
	for line := range strings.Lines(table) {
		match := exampleRow.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		rows++
		for len(fields) > 0 && fields[0].name != match[3] {
			fields = fields[1:]
		}
		if len(fields) == 0 {
			t.Fatalf("field %s was not decoded", match[3])
		}
		got := fields[0]
		sameBytes := got.wire == match[1] || match[2] != "" && strings.HasPrefix(got.wire, match[1])
		if !sameBytes || got.value != match[4] {
			t.Errorf("%s: decoded %q from %s, the table says %q from %s", got.name, got.value, got.wire, match[4], match[1])
		}
		fields = fields[1:]
	}
	if rows < 9 {
		t.Errorf("the table has %d rows", rows)
	}
}

// carValues is what the reference implementation puts into its car, but for
// the numbers, which its two versions count from one and from zero.
const carValues = "vehicleCode=abcdef extras=6 capacity=2000 numCylinders=4 manufacturerCode=123 efficiency=35 " +
	"boosterEnabled=T boostType=N horsePower=200 cupHolderCount=null fuelFigures=Block length=6 count=3 " +
	"speed=30 mpg=35.9 usageDescription=Urban Cycle speed=55 mpg=49.0 usageDescription=Combined Cycle " +
	"speed=75 mpg=40.0 usageDescription=Highway Cycle performanceFigures=Block length=1 count=2 " +
	"octaneRating=95 acceleration=Block length=6 count=3 mph=30 seconds=4.0 mph=60 seconds=7.5 mph=100 seconds=12.2 " +
	"octaneRating=99 acceleration=Block length=6 count=3 mph=30 seconds=3.8 mph=60 seconds=7.1 mph=100 seconds=11.8 " +
	"manufacturer=Honda model=Civic VTi activationCode=abcdef"

func TestReferenceCars(t *testing.T) {
	data := foreignData(t)
	if data == "" {
		t.Skip("no public SBE data beside the repository; TestForeignShapes has decoded the same shapes")
	}
	for file, numbers := range map[string][4]int{
		"car_example_baseline_data.sbe": {1, 2, 3, 4}, "car_example_extension_data.sbe": {0, 1, 2, 3},
	} {
		message, err := os.ReadFile(filepath.Join(data, "car", file))
		if err != nil {
			t.Fatal(err)
		}
		frame := append(header(uint32(framingSize+len(message)), encodingType), message...)
		want := []string{"serialNumber=1234", "modelYear=2013", "available=T", "code=A"}
		for _, n := range numbers {
			want = append(want, fmt.Sprintf("someNumbers=%d", n))
		}
		got := values(readForeign(t, frame))
		if !reflect.DeepEqual(got[:len(want)], want) || strings.Join(got[len(want):], " ") != carValues {
			t.Errorf("%s: decoded %v\n want %v %s", file, got, want, carValues)
		}
	}
}
