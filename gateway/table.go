package gateway

import (
	"math/bits"

	"tollgate/order"
)

// sessionTable finds the connection of a session. It is an open addressing
// table with linear probing, at most half full, so that a look-up touches one
// cache line as a rule and nothing is allocated after newSessionTable.
type sessionTable struct {
	entries []sessionEntry
	mask    uint32
	shift   uint
}

// sessionEntry is one place of the table; free if the connection is nil.
type sessionEntry struct {
	connection *connection
	session    order.SessionID
}

// newSessionTable makes a table for at most sessionsMax sessions.
func newSessionTable(sessionsMax int) sessionTable {
	size := 1 << bits.Len(uint(2*sessionsMax-1))
	return sessionTable{
		entries: make([]sessionEntry, size), mask: uint32(size - 1), shift: uint(32 - bits.Len(uint(size-1))),
	}
}

// home is the place where the search for a session begins (Fibonacci hashing:
// dense numbers spread over the table).
func (t *sessionTable) home(s order.SessionID) uint32 {
	return uint32(s) * 0x9E3779B9 >> t.shift & t.mask
}

// find returns the connection of s, or nil.
func (t *sessionTable) find(s order.SessionID) *connection {
	for i := t.home(s); ; i = (i + 1) & t.mask {
		e := &t.entries[i]
		if e.connection == nil || e.session == s {
			return e.connection
		}
	}
}

// put makes c the connection of s, in place of any other.
func (t *sessionTable) put(s order.SessionID, c *connection) {
	i := t.home(s)
	for t.entries[i].connection != nil && t.entries[i].session != s {
		i = (i + 1) & t.mask
	}
	t.entries[i] = sessionEntry{c, s}
}

// remove forgets s if c is its connection, and reports whether it was.
func (t *sessionTable) remove(s order.SessionID, c *connection) bool {
	for i := t.home(s); t.entries[i].connection != nil; i = (i + 1) & t.mask {
		if t.entries[i].session == s && t.entries[i].connection == c {
			t.close(i)
			return true
		}
	}
	return false
}

// close empties place i and moves later entries of the same run forward, so
// that every entry stays reachable from its home.
func (t *sessionTable) close(i uint32) {
	for j := (i + 1) & t.mask; t.entries[j].connection != nil; j = (j + 1) & t.mask {
		home := t.home(t.entries[j].session)
		if (j-home)&t.mask >= (j-i)&t.mask {
			t.entries[i] = t.entries[j]
			i = j
		}
	}
	t.entries[i] = sessionEntry{}
}
