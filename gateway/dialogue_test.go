package gateway

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"tollgate/fastpath/wire"
)

// TestDialogues runs the scripts in testdata. Each is named after the rule it
// proves. A line is one of
//
//	up risk | up venue | down risk | down venue    a process starts or dies
//	running                                        both are up, and their hellos are done with
//	connect NAME | leave NAME                      a client connects or dies
//	advance DURATION                               time passes
//	WHO> Message Field=value ...                   WHO sends; WHO is risk, venue or a client's name
//	WHO< Message Field=value ...                   the oldest message WHO has received, with these fields
//	WHO< same                                      ... which is the last one sent, byte by byte
//	WHO< closed                                    WHO's connection has ended
//	counter Name=value
//
// A Login takes key=wrong and nonce=old besides its fields; LoginAck and
// LoginReject carry the LoginID of the last SessionLogin unless they name one.
// At the end nobody may have received anything that no line asked for.
func TestDialogues(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no dialogues: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runDialogue(t, file) })
	}
}

func runDialogue(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := &dialogue{chain: newChain(t, 0)}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := d.do(line); err != nil {
			t.Fatalf("%s:%d: %s: %v", file, n, line, err)
		}
	}
	d.end()
}

// dialogue is a script in progress.
type dialogue struct {
	*chain
	loginID uint64 // of the last SessionLogin the engine received
	last    []byte // the last frame sent
	old     [16]byte
}

func (d *dialogue) do(line string) error {
	words := strings.Fields(line)
	who, sends := strings.CutSuffix(words[0], ">")
	if sends {
		return d.sends(who, words[1], words[2:])
	}
	if who, receives := strings.CutSuffix(words[0], "<"); receives {
		return d.receives(who, words[1], words[2:])
	}
	return d.happens(words)
}

// happens does what no message is.
func (d *dialogue) happens(words []string) error {
	switch words[0] {
	case "running":
		d.chain = newRunningChain(d.t, 0)
	case "up":
		d.up(words[1])
	case "down", "leave":
		p, err := d.peer(words[1])
		if err != nil {
			return err
		}
		d.down(p)
	case "connect":
		if old, ok := d.clients[words[1]]; ok {
			d.old = old.nonce
		}
		d.connect(words[1])
	case "advance":
		span, err := time.ParseDuration(words[1])
		if err != nil {
			return err
		}
		d.advance(int64(span))
	case "counter":
		return d.counter(words[1])
	default:
		return fmt.Errorf("%q is no command", words[0])
	}
	return nil
}

func (d *dialogue) counter(want string) error {
	name, text, _ := strings.Cut(want, "=")
	v := reflect.ValueOf(d.gateway.counters).FieldByName(name)
	if !v.IsValid() {
		return fmt.Errorf("there is no counter %s", name)
	}
	if got := strconv.FormatUint(v.Uint(), 10); got != text {
		return fmt.Errorf("it is %s", got)
	}
	return nil
}

func (d *dialogue) peer(who string) (*peer, error) {
	p := d.clients[who]
	switch who {
	case "risk":
		p = d.risk
	case "venue":
		p = d.venue
	}
	if p == nil {
		return nil, fmt.Errorf("%s has not come up", who)
	}
	return p, nil
}

// sends makes who send a message.
func (d *dialogue) sends(who, name string, fields []string) error {
	p, err := d.peer(who)
	if err != nil {
		return err
	}
	k, err := kindNamed(name)
	if err != nil {
		return err
	}
	x := k.make()
	switch m := x.(type) {
	case *wire.Login:
		if fields, err = d.sign(p, m, fields); err != nil {
			return err
		}
	case *wire.LoginAck:
		m.LoginID = d.loginID
	case *wire.LoginReject:
		m.LoginID = d.loginID
	}
	if err := setFields(x, fields); err != nil {
		return err
	}
	d.last = x.Append(nil)
	d.send(p, d.last)
	return nil
}

// sign sets the fields of a Login and makes its code.
func (d *dialogue) sign(p *peer, l *wire.Login, fields []string) ([]string, error) {
	nonce, wrong := p.nonce, false
	var plain []string
	for _, f := range fields {
		switch f {
		case "key=wrong":
			wrong = true
		case "nonce=old":
			nonce = d.old
		default:
			plain = append(plain, f)
		}
	}
	l.WantOutSeq = 1
	if err := setFields(l, plain); err != nil {
		return nil, err
	}
	key := testKeys[l.Client]
	if wrong {
		key = []byte("not the key of any client at all")
	}
	l.Mac = wire.LoginMAC(key, nonce, l)
	return nil, nil
}

// receives compares the oldest thing that has come to who.
func (d *dialogue) receives(who, name string, fields []string) error {
	p, err := d.peer(who)
	if err != nil {
		return err
	}
	switch name {
	case "closed":
		if len(p.received) > 0 || !p.closed {
			return fmt.Errorf("%d messages before, closed %v", len(p.received), p.closed)
		}
		p.closed = false
		return nil
	case "same":
		f, err := p.next()
		if err == nil && !bytes.Equal(f, d.last) {
			err = fmt.Errorf("it is %x, want %x", f, d.last)
		}
		return err
	}
	if len(p.received) > 0 {
		if _, x, _ := decode(p.received[0]); x != nil {
			if ask, ok := x.(*wire.SessionLogin); ok {
				d.loginID = ask.LoginID
			}
		}
	}
	return p.want(name, fields...)
}

// end wants nothing to be left over.
func (d *dialogue) end() {
	d.t.Helper()
	for _, p := range d.everybody() {
		for _, f := range p.received {
			k, x, _ := decode(f)
			d.t.Errorf("%s has received %s %+v, which no line asked for", p.name, k.name, x)
		}
		if p.closed {
			d.t.Errorf("the connection of %s has ended, which no line asked for", p.name)
		}
	}
}

func (d *dialogue) everybody() []*peer {
	var all []*peer
	for _, p := range d.clients {
		all = append(all, p)
	}
	if d.risk != nil {
		all = append(all, d.risk)
	}
	if d.venue != nil {
		all = append(all, d.venue)
	}
	return all
}
