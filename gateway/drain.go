package gateway

import "tollgate/fastpath/wire"

// drain sends every client away. Their sessions go on at another gateway.
func (g *Gateway) drain() {
	g.draining = true
	for i := len(g.live) - 1; i >= 0; i-- {
		g.cut(&g.slots[g.live[i]], wire.SessionRejectDraining, 0, 0)
	}
	g.noteDrained()
}

// noteDrained tells Run when the last connection has ended.
func (g *Gateway) noteDrained() {
	if g.draining && len(g.live) == 0 && !g.drainNoted {
		g.drainNoted = true
		close(g.drained)
	}
}
