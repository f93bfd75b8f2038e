package client

import (
	"errors"
	"fmt"

	"tollgate/fastpath/wire"
)

// Errors that do not depend on values.
var (
	// ErrTooManyUnanswered says that Config.UnansweredMax is reached: the request was not taken. Poll, then try again.
	ErrTooManyUnanswered = errors.New("client: too many requests without a final answer")
	// ErrClosed says that the client was closed by its owner.
	ErrClosed = errors.New("client: closed")
	// ErrSilence says that the server sent nothing for twice the keepalive.
	ErrSilence = errors.New("client: the server is silent")
	// ErrLoginTimeout says that the server did not finish the login in time.
	ErrLoginTimeout = errors.New("client: the login took too long")
)

// RefsAheadError says that the server expects a higher request number than
// this client would use: requests of this session exist that the program has
// no record of. Either start with the recorded NextRef, or set Adopt.
type RefsAheadError struct {
	Server uint64 // the number the server expects
	Client uint64 // the number this client would have used
}

func (e *RefsAheadError) Error() string {
	return fmt.Sprintf("client: the server expects request %d of this session but this program would send %d next: "+
		"start with the recorded NextRef or set Adopt", e.Server, e.Client)
}

// ServerBehindError says that the server has forgotten requests or answers
// that this client had final answers for. It cannot be repaired by repeating.
type ServerBehindError struct {
	What   string // "request" or "answer"
	Server uint64 // the next number by the server's record
	Client uint64 // the lowest number this client could continue from
}

func (e *ServerBehindError) Error() string {
	return fmt.Sprintf("client: the server has lost its record: its next %s is %d, this client is at %d",
		e.What, e.Server, e.Client)
}

// StreamGapError says that an answer came before its predecessors.
type StreamGapError struct {
	Got  uint64 // the answer that came
	Want uint64 // the answer that was due
}

func (e *StreamGapError) Error() string {
	return fmt.Sprintf("client: answer %d came while %d was due", e.Got, e.Want)
}

// errStartLater says that the login is to be repeated from a later answer.
var errStartLater = errors.New("client: the answer wanted is no longer held")

// LoginError says that the server refused the login.
type LoginError struct {
	WantOutSeq   uint64 // the answer that was asked for
	OldestOutSeq uint64 // with LoginRejectOutSeqUnavailable: the oldest answer the server holds
	Reason       wire.LoginRejectReason
}

func (e *LoginError) Error() string {
	if e.Reason == wire.LoginRejectOutSeqUnavailable {
		return fmt.Sprintf("client: login refused: the server does not hold answer %d, its oldest is %d",
			e.WantOutSeq, e.OldestOutSeq)
	}
	return fmt.Sprintf("client: login refused: %v", e.Reason)
}

// Transient reports whether the same login may succeed later.
func (e *LoginError) Transient() bool { return e.Reason == wire.LoginRejectBusy }

// RejectedError says that the server ended the connection and why.
type RejectedError struct {
	Value    uint64 // what was refused, by reason
	Template uint16 // the message that was refused; 0: none
	Reason   wire.SessionRejectReason
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("client: the server ended the connection: %v (value %d, template %d)",
		e.Reason, e.Value, e.Template)
}

// Transient reports whether a new connection may fare better. It would not
// after a fault in what this client sends, nor where another program has taken
// the session: the two would throw each other out for ever.
func (e *RejectedError) Transient() bool {
	switch e.Reason {
	case wire.SessionRejectLoginTimeout, wire.SessionRejectSlowReader, wire.SessionRejectSilence,
		wire.SessionRejectTooManyConnections, wire.SessionRejectRateCut, wire.SessionRejectDraining:
		return true
	}
	return false
}
