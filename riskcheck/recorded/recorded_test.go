package recorded_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/recorded"
)

const (
	startNs  = 1_700_000_000_000_000_000
	lives    = 6   // of the process, in a test
	perLife  = 400 // inputs
	firmSize = 3   // accounts, sessions and instruments
)

// firm is an engine with its journal, and what the world around it knows.
type firm struct {
	t       *testing.T
	r       *rand.Rand
	config  riskcheck.Config
	journal *journal.Journal
	engine  *recorded.Engine
	folder  string
	now     int64
	links   [firmSize + 1]order.ConnectionID
	refs    [firmSize + 1]uint64
	names   order.ClOrdID
	live    []order.OrderID
}

func newFirm(t *testing.T, seed uint64) *firm {
	t.Helper()
	config := riskcheck.DefaultConfig()
	config.TokenKey, config.TokenLifetimeNs = order.NewTokenKey([order.TokenKeySize]byte{1}), 1e9
	config.OrdersMax, config.ClOrdIDsMax, config.ExecutionsMax = 1<<10, 1<<12, 1<<10
	config.RoutesMax, config.CellsMax, config.AnswersRetained = 1<<8, 1<<8, 1<<10
	config.StampsMax, config.RecentOrdersMax = 1<<14, 1<<10
	f := &firm{
		t: t, r: rand.New(rand.NewPCG(seed, 1)), config: config, folder: t.TempDir() + "/journal", now: startNs,
	}
	t.Cleanup(f.close)
	if _, err := f.open(); err != nil {
		t.Fatal(err)
	}
	usd := riskcheck.CurrencyOf("USD")
	ref := &riskcheck.Reference{Firm: riskcheck.Firm{ID: 1, Currency: usd}, Groups: []riskcheck.Group{{ID: 1}}}
	var accounts []order.AccountID
	for id := range order.AccountID(firmSize) {
		ref.Accounts = append(ref.Accounts, riskcheck.Account{ID: id + 1, Group: 1, Currency: usd})
		accounts = append(accounts, id+1)
	}
	ref.Traders = []riskcheck.Trader{{ID: 1, Accounts: accounts}}
	for id := range order.SessionID(firmSize) {
		ref.Sessions = append(ref.Sessions, riskcheck.Session{ID: id + 1, Client: 7, Accounts: accounts})
	}
	for id := range order.InstrumentID(firmSize) {
		ref.Instruments = append(ref.Instruments, riskcheck.Instrument{
			ID: id + 1, Currency: usd, Tick: 1, Lot: 1, MaxQty: order.Unlimited, Multiplier: order.MultiplierOne,
			Settlement: 100 * order.PriceOne, LowLimit: order.Null, HighLimit: order.Null, MarginBps: 10_000,
			OrdTypes: riskcheck.AllowLimit, TimesInForce: riskcheck.AllowDay, Sides: riskcheck.AllowBuy, Tradable: true,
		})
	}
	if err := f.engine.By("start", "").ApplyReference(f.now, ref); err != nil {
		t.Fatal(err)
	}
	f.limit(order.Unlimited)
	f.connect()
	return f
}

// limit applies limits of which the open orders are bounded.
func (f *firm) limit(openOrders int64) {
	set := &riskcheck.LimitSet{}
	scope := order.Scope{Type: order.ScopeFirm, ID: 1}
	for _, kind := range riskcheck.LimitKinds() {
		value := int64(order.Unlimited)
		switch kind {
		case riskcheck.LimitPermission:
			value = riskcheck.PermitDeny
		case riskcheck.LimitOpenOrders:
			value = openOrders
		case riskcheck.LimitPermitListed, riskcheck.LimitMessagesCutPerSecond, riskcheck.LimitCancelsPerSecond,
			riskcheck.LimitCancelsCutPerSecond, riskcheck.LimitDuplicateWindow, riskcheck.LimitConsecutiveRejectsWindow,
			riskcheck.LimitDailyLossKill, riskcheck.LimitOrderToTradeMinimum, riskcheck.LimitOrderToTradeVolume:
			continue
		}
		set.Entries = append(set.Entries, riskcheck.LimitEntry{Scope: scope, Kind: kind, Value: value})
	}
	if err := f.engine.By("R. Officer", "a test").ApplyLimits(f.now, set); err != nil {
		f.t.Fatal(err)
	}
}

// open makes the engine from the journal, as a process does that starts.
func (f *firm) open() (found recorded.Recovery, err error) {
	f.journal, err = journal.Open(journal.Config{
		Directory: f.folder, Durability: journal.Process, SegmentBytes: 1 << 18,
		Fatal: func(err error) { f.t.Errorf("the journal failed: %v", err) },
	})
	if err != nil {
		f.journal = nil
		return found, err
	}
	f.config.HashSeed = f.r.Uint64()
	f.engine, found, err = recorded.Open(f.config, f.journal, f.now)
	return found, err
}

// close ends the journal, if it is open.
func (f *firm) close() {
	if f.journal == nil {
		return
	}
	if err := f.journal.Close(); err != nil {
		f.t.Error(err)
	}
	f.journal = nil
}

// connect connects the venue and all sessions.
func (f *firm) connect() {
	f.engine.VenueUp(f.now, 9, f.engine.NextReport())
	for s := order.SessionID(1); s <= firmSize; s++ {
		f.login(s)
	}
}

func (f *firm) login(s order.SessionID) {
	l := f.engine.Login(f.now, riskcheck.Login{
		Session: s, Client: 7, WantOutSeq: 1, CancelOnDisconnectNs: int64(f.r.IntN(2)) * 1e9,
	})
	f.links[s], f.refs[s] = l.Connection, l.NextRef
}

// step gives the engine one input.
func (f *firm) step() {
	f.now += f.r.Int64N(1e8)
	s := order.SessionID(1 + f.r.IntN(firmSize))
	switch f.r.IntN(12) {
	default:
		f.order(s)
	case 0, 1, 2, 3:
		f.report()
	case 4:
		f.engine.Tick(f.now)
	case 5:
		f.engine.Disconnected(f.now, s, f.links[s])
		f.login(s)
	case 6:
		f.command()
	case 7:
		f.engine.AckAnswers(s, 1+f.r.Uint64N(20))
	}
	for i := range f.engine.Effects() {
		if e := &f.engine.Effects()[i]; e.Kind == riskcheck.EffectVerdict && e.Verdict.MsgType == order.MsgNewOrder {
			f.live = append(f.live, e.Verdict.OrderID)
		}
	}
}

func (f *firm) order(s order.SessionID) {
	f.names++
	f.engine.Request(f.now, &order.Request{
		MsgType: order.MsgNewOrder, Session: s, Connection: f.links[s], Ref: f.refs[s], ClOrdID: f.names,
		Account: order.AccountID(1 + f.r.IntN(firmSize)), Trader: 1, Instrument: order.InstrumentID(1 + f.r.IntN(firmSize)),
		Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
		OrderQty: order.Qty(1+f.r.IntN(9)) * order.QtyOne, Price: 100 * order.PriceOne, StopPx: order.Null,
	})
	f.refs[s]++
}

func (f *firm) report() {
	if len(f.live) == 0 {
		return
	}
	i := f.r.IntN(len(f.live))
	kind := []order.ReportKind{order.ReportNew, order.ReportTrade, order.ReportCanceled}[f.r.IntN(3)]
	seq := f.engine.NextReport()
	f.engine.Report(f.now, &order.Report{
		ReportSeq: seq, Kind: kind, OrderID: f.live[i], ExecID: order.ExecID(seq), LastQty: order.QtyOne,
		LastPx: 100 * order.PriceOne, Side: order.SideBuy,
	})
	if kind == order.ReportCanceled {
		f.live = append(f.live[:i], f.live[i+1:]...)
	}
}

// command gives an input that comes from people.
func (f *firm) command() {
	account := order.AccountID(1 + f.r.IntN(firmSize))
	scope := order.Scope{Type: order.ScopeAccount, ID: uint32(account)}
	switch f.r.IntN(4) {
	case 0:
		_, _ = f.engine.By("R. Officer", "a test").Kill(f.now, scope)
	case 1:
		_ = f.engine.By("R. Officer", "a test").Unkill(f.now, scope) // it may not be killed
	case 2:
		_ = f.engine.By("R. Officer", "a test").SetCash(f.now, account, order.Money(f.r.IntN(1e6)))
	default:
		f.limit(int64(50 + f.r.IntN(100)))
	}
}

// TestAnEngineIsMadeFromItsJournal ends an engine again and again and makes it from the
// journal: it is what it was, but for its connections.
func TestAnEngineIsMadeFromItsJournal(t *testing.T) {
	f := newFirm(t, testseed.New(t))
	for range lives {
		for range perLife {
			f.step()
		}
		last, version := f.journal.Appended(), f.engine.ConfigVersion()
		f.close()
		f.now += 2e9
		found := f.reopen()
		if found.Sequence != last || found.Records != last || f.engine.ConfigVersion() != version {
			t.Fatalf("recovered %+v, want %d records and limits of version %d", found, last, version)
		}
		if found.Limits == nil || found.Limits.By.Author != "R. Officer" {
			t.Fatalf("limits in force: %+v, want those of R. Officer", found.Limits)
		}
	}
}

// reopen makes the engine anew and compares it with the one before, which is told of
// the start as well.
func (f *firm) reopen() recorded.Recovery {
	f.t.Helper()
	before := f.engine.Engine
	epoch := before.Epoch()
	found, err := f.open()
	if err != nil {
		f.t.Fatal(err)
	}
	before.Start(f.now, found.Epoch)
	if got, want := f.engine.StateHash(), before.StateHash(); got != want {
		f.t.Fatalf("after %d records the state is %x, want %x", found.Records, got, want)
	}
	if f.engine.Epoch() != found.Epoch || found.Epoch <= epoch {
		f.t.Fatalf("epoch %d, begun %d, after %d", f.engine.Epoch(), found.Epoch, epoch)
	}
	f.connect()
	return found
}

// TestEveryInputIsRecorded calls every input of the engine: each appends one record.
func TestEveryInputIsRecorded(t *testing.T) {
	inputs := strings.Fields("AckAnswers ApplyLimits ApplyReference Disconnected Kill Login Price Release Report Request " +
		"RollCalendar RollDay SetCash SetFxRate SetLocate SetMarketState SetPosition Start Tick Unkill VenueDown VenueUp")
	outer, inner := reflect.TypeFor[*recorded.Engine](), reflect.TypeFor[*riskcheck.Engine]()
	for _, name := range inputs {
		f := newFirm(t, 1)
		method := reflect.ValueOf(f.engine).MethodByName(name)
		m, ok := inner.MethodByName(name)
		if !ok || !method.IsValid() {
			t.Fatalf("there is no Engine.%s", name)
		}
		own, _ := outer.MethodByName(name)
		if own.Type.NumIn() != m.Type.NumIn() || own.Type.NumOut() != m.Type.NumOut() {
			t.Errorf("%s has %v, the engine's has %v", name, own.Type, m.Type)
		}
		args := make([]reflect.Value, method.Type().NumIn())
		for i := range args {
			in := method.Type().In(i)
			args[i] = reflect.New(in).Elem()
			if in.Kind() == reflect.Pointer {
				args[i] = reflect.New(in.Elem())
			}
		}
		last := f.journal.Appended()
		method.Call(args)
		if n := f.journal.Appended() - last; n != 1 && name != "Tick" || n != 0 && name == "Tick" {
			t.Errorf("%s has appended %d records, want 1, and 0 for a tick that does nothing", name, n)
		}
		f.close()
	}
}

// TestOtherBoundsAreRefused starts with a larger table than the journal was written
// with: what was refused for want of capacity would now be taken.
func TestOtherBoundsAreRefused(t *testing.T) {
	f := newFirm(t, testseed.New(t))
	f.close()
	f.config.OrdersMax *= 2
	_, err := f.open()
	if err == nil || !strings.Contains(err.Error(), "OrdersMax is 2048, and the journal was written with 1024") {
		t.Errorf("the error is %v, want both values of OrdersMax", err)
	}
}

// TestADamagedJournalIsRefused flips one bit in the middle: the engine is not made.
func TestADamagedJournalIsRefused(t *testing.T) {
	f := newFirm(t, testseed.New(t))
	for range perLife {
		f.step()
	}
	f.close()
	damage(t, f.folder)
	_, err := f.open()
	if corruption := (*journal.CorruptionError)(nil); !errors.As(err, &corruption) {
		t.Fatalf("the error is %v, want a CorruptionError", err)
	}
}

// damage flips a bit in the middle of what the first segment holds.
func damage(t *testing.T, folder string) {
	t.Helper()
	names, err := filepath.Glob(folder + "/*.journal")
	if err != nil || len(names) == 0 {
		t.Fatalf("no segments in %s: %v", folder, err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	text[journal.HeaderBytes+4096] ^= 4
	if err := os.WriteFile(names[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
}
