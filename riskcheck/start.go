package riskcheck

// Start begins another incarnation of the engine on the state there is: all
// connections and the way to the venue are gone, and verdicts are signed for another
// epoch, which must be above every one that ever signed with the same key. It is what
// an engine made from a journal hears first.
func (e *Engine) Start(now int64, epoch uint64) {
	e.begin(now)
	e.config.Epoch = epoch
	e.venue.up = false
	for i := range e.sessionRows {
		if s := &e.sessionRows[i]; s.connected {
			e.disconnected(s.ID, s.connection)
		}
	}
	e.finish()
}

// Due reports whether Tick would do anything at a time: a grace window or a temporary
// limit has ended. It changes nothing.
func (e *Engine) Due(now int64) bool {
	if len(e.reverts) > 0 && e.reverts[0].until <= now {
		return true
	}
	for i := range e.sessionRows {
		if at := e.sessionRows[i].cancelAt; at != 0 && now >= at {
			return true
		}
	}
	return false
}
