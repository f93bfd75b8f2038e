package riskcheck

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"tollgate/internal/testseed"
	"tollgate/order"
)

// fieldsOf says of the fields of a struct which are the same in an engine and in one
// restored from its snapshot, and which are each engine's own, because nothing
// depends on them or because they are numbers of places in a pool.
type fieldsOf struct {
	what      reflect.Type
	same, own string
}

// snapshotFields are the structs an engine is made of that have fields of its own.
// All other structs are the same from end to end.
var snapshotFields = []fieldsOf{
	{
		reflect.TypeFor[Engine](),
		"now seq day configVersion firm accountRows traderRows sessionRows strategyRows classRows instrumentRows rates " +
			"calendarDays nodes cells details classCells routes profiles reverts orders lastConnection lastFence venue " +
			"executed recent stamps groups accounts traders sessions strategies classes instruments membership cellIndex " +
			"classIndex selfIndex rungs clOrdIDs routeIndex orderAt",
		// What an input leaves behind that the next does not look at, what follows from
		// limits, and pools whose places nobody names but a field listed here.
		"config effects alerts routeVersion termsVersion terms termsIndex profileAt shorts minutes selfBooks pool scratch " +
			"expected redrive crossed judged judgingBasket basketRungs basketCrossed basketOrders basketRecent",
	},
	{reflect.TypeFor[table](), "count", "slots seed shift max"},
	{reflect.TypeFor[index](), "count", "slots shift max"},
	{
		reflect.TypeFor[node](),
		"book aggregate dayCount dayUsed bothUsed second both minuteRate rejects ahead account executions cash worth " +
			"dayBase peak scope", "",
	},
	{reflect.TypeFor[dayCount](), "executed executedHigh ordered orderedHigh traded tradedHigh orders trades", "minute"},
	{reflect.TypeFor[window](), "limit most held size", "at newest"},
	{reflect.TypeFor[cell](), "book value dayCount hold margin holdLost", "short"},
	{
		reflect.TypeFor[route](),
		"sessionID account trader strategy instrumentID session accounts selfBook path", "version terms _",
	},
	{
		reflect.TypeFor[liveOrder](),
		"acked id newRef newQty newPrice newVersion unaskedSeq cumQty reservedQty reserved self generation replaces " +
			"cancels status side ordType timeInForce newAnswered retired unaskedReason route",
		"place requests before after", // lists are compared as such
	},
	{reflect.TypeFor[selfLinks](), "rank resting", "child next before"},
	{reflect.TypeFor[orderStore](), "orders used spare first last", "requests requestsUsed freeRequest"},
	{reflect.TypeFor[stampPool](), "used", "stamps free"},
	{reflect.TypeFor[executions](), "index", "ring seed next"},
	{reflect.TypeFor[recentOrders](), "horizonNs", "ring heads seed shift last"},
	{reflect.TypeFor[stream](), "oldest next acked chunksMax", "chunks"},
	{
		reflect.TypeFor[sessionRow](),
		"Session stream nextRef windowNs cancelAt attempts cancels cancelsCut basket node live connection connected known",
		"",
	},
}

// TestSnapshotKnowsEveryField fails where a struct of the engine has a field that
// snapshotFields does not list: whoever adds it has to say whether it is state.
func TestSnapshotKnowsEveryField(t *testing.T) {
	for _, s := range snapshotFields {
		var has []string
		for i := range s.what.NumField() {
			has = append(has, s.what.Field(i).Name)
		}
		listed := strings.Fields(s.same + " " + s.own)
		slices.Sort(has)
		slices.Sort(listed)
		if !slices.Equal(has, listed) {
			t.Errorf("%v has the fields\n%v, the snapshot knows\n%v", s.what, has, listed)
		}
	}
}

// likeness compares an engine with one restored from its snapshot, field by field.
type likeness struct {
	t    *testing.T
	same map[reflect.Type][]string
}

// checkRestored holds a restored engine to the one that wrote the snapshot.
func checkRestored(t *testing.T, e, restored *Engine) {
	t.Helper()
	l := likeness{t, map[reflect.Type][]string{}}
	for _, s := range snapshotFields {
		l.same[s.what] = strings.Fields(s.same)
	}
	l.compare("engine", reflect.ValueOf(e).Elem(), reflect.ValueOf(restored).Elem())
	for i := range e.sessionRows {
		was, is := &e.sessionRows[i], &restored.sessionRows[i]
		if a, b := e.orders.following(was.live), restored.orders.following(is.live); !slices.Equal(a, b) {
			t.Errorf("live orders of session %d: %v, want %v", i, b, a)
		}
		for n := was.stream.oldest; n < was.stream.next; n++ {
			if a, b := was.stream.at(n), is.stream.at(n); b == nil || *a != *b {
				t.Errorf("answer %d of session %d: %v, want %v", n, i, b, a)
			}
		}
	}
	if a, b := e.orders.following(e.orders.first), restored.orders.following(
		restored.orders.first); !slices.Equal(a, b) {
		t.Errorf("retired orders: %v, want %v", b, a)
	}
	for i := range e.stamps.free {
		if a, b := e.stamps.has(uint8(i)), restored.stamps.has(uint8(i)); a != b {
			t.Errorf("a ring of class %d can be taken: %v, want %v", i, b, a)
		}
	}
}

func (l *likeness) compare(where string, a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Struct:
		names, listed := l.same[a.Type()]
		for i := range a.NumField() {
			if name := a.Type().Field(i).Name; !listed || slices.Contains(names, name) {
				l.compare(where+"."+name, a.Field(i), b.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			l.t.Errorf("%s has %d entries, want %d", where, b.Len(), a.Len())
			return
		}
		for i := range a.Len() {
			l.compare(fmt.Sprintf("%s[%d]", where, i), a.Index(i), b.Index(i))
		}
	case reflect.Pointer:
		l.compare(where, a.Elem(), b.Elem())
	default:
		if !a.Equal(b) {
			l.t.Errorf("%s is %v, want %v", where, b, a)
		}
	}
}

// restored returns an engine made from another's snapshot, with another hash seed,
// after everything that can be seen of it was found to be the same.
func restored(t *testing.T, e *Engine, hashSeed uint64) *Engine {
	t.Helper()
	bytesWritten := written(t, e)
	config := e.config
	config.HashSeed = hashSeed
	made, err := Restore(config, bytes.NewReader(bytesWritten))
	if err != nil {
		t.Fatal(err)
	}
	checkRestored(t, e, made)
	if made.StateHash() != e.StateHash() {
		t.Error("the restored engine has another state")
	}
	if !bytes.Equal(written(t, made), bytesWritten) {
		t.Error("the restored engine writes another snapshot")
	}
	return made
}

// written returns what an engine writes as its snapshot.
func written(t testing.TB, e *Engine) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := e.WriteSnapshot(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRecordsAreCarriedWhole writes records whose fields are drawn at random and
// reads them again: a field that is not carried is not the same then.
func TestRecordsAreCarriedWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.New(t), 0))
	for range 50 {
		carried(t, r, (*transcript).scope)
		carried(t, r, (*transcript).firm)
		carried(t, r, (*transcript).rate)
		carried(t, r, (*transcript).calendarDay)
		carried(t, r, (*transcript).venue)
		carried(t, r, (*transcript).instrument)
		carried(t, r, (*transcript).pricePoint)
		carried(t, r, (*transcript).aggregate)
		carried(t, r, (*transcript).short)
		carried(t, r, (*transcript).version)
		carried(t, r, (*transcript).pending, "next")
		carried(t, r, (*transcript).execution)
		carried(t, r, (*transcript).recentOrder, "before")
		carried(t, r, (*transcript).limit, "entry.Until")
		carried(t, r, (*transcript).request)
		carried(t, r, (*transcript).answer, "OutSeq")
		carried(t, r, (*transcript).minute, "second")
	}
}

// carried draws a record, carries it there and back, and compares; fields named in
// without are zero.
func carried[T any](t *testing.T, r *rand.Rand, carry func(*transcript, *T), without ...string) {
	t.Helper()
	var want, got T
	fillFields(r, reflect.ValueOf(&want).Elem(), "", without)
	var out bytes.Buffer
	to := newTranscript(nil, &out)
	before := want
	carry(&to, &want)
	to.finish()
	from := newTranscript(&out, nil)
	carry(&from, &got)
	from.finish()
	if to.err != nil || from.err != nil {
		t.Fatal(to.err, from.err)
	}
	if slices.Contains(without, "entry.Until") {
		before = want // it is said twice
	}
	if !reflect.DeepEqual(got, before) {
		t.Errorf("%T is %+v, want %+v", got, got, before)
	}
}

// fillFields draws every field of a value, also those that are not exported.
func fillFields(r *rand.Rand, v reflect.Value, where string, without []string) {
	if slices.Contains(without, strings.TrimPrefix(where, ".")) {
		return
	}
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillFields(r, v.Field(i), where+"."+v.Type().Field(i).Name, without)
		}
	case reflect.Array:
		for i := range v.Len() {
			fillFields(r, v.Index(i), where, without)
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()))
	default:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
	}
}

// TestRestoreSaysWhichTablesAreTooSmall restores into tables that are one smaller
// than what is stored, and just large enough.
func TestRestoreSaysWhichTablesAreTooSmall(t *testing.T) {
	e := absurdEngine(t, 3, 1500)
	snapshot := written(t, e)
	config, least := e.config, e.tablesInUse()
	small := config
	for i, table := range small.tables() {
		*table.size = *least.tables()[i].size - 1
	}
	_, err := Restore(small, bytes.NewReader(snapshot))
	for _, table := range least.tables() {
		want := fmt.Sprintf("%s is %d, want at least %d", table.name, *table.size-1, *table.size)
		if *table.size > 0 && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	for i, table := range config.tables() {
		*table.size = max(*least.tables()[i].size, 1)
	}
	config.AnswersRetained = max(config.AnswersRetained, answersRetainedMin)
	for _, factor := range []int{1, 3} {
		larger := config
		for _, table := range larger.tables() {
			*table.size *= factor
		}
		larger.Epoch, larger.TokenKey = 99, order.NewTokenKey([order.TokenKeySize]byte{9})
		made, err := Restore(larger, bytes.NewReader(snapshot))
		if err != nil {
			t.Fatal(err)
		}
		if made.StateHash() != e.StateHash() || !bytes.Equal(written(t, made), snapshot) || made.Epoch() != 99 {
			t.Errorf("with tables of %d times the least size it is another engine", factor)
		}
	}
}

// absurdEngine returns an engine after some steps of an absurd life.
func absurdEngine(t *testing.T, seed uint64, steps int) *Engine {
	t.Helper()
	a := newAbsurd(t, seed)
	for range steps {
		a.step()
	}
	return a.engine
}
