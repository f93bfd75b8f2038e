package ctl

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (op *operator) getStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "show the state of the engine and its counters",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.GetStatusRequest{}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.GetStatus, request)
			if err != nil {
				return err
			}
			return op.printStatus(cmd.OutOrStdout(), resp)
		},
	}
}

func (op *operator) printStatus(w io.Writer, st *adminv1.GetStatusResponse) error {
	if op.output != formatTable {
		return encoded(w, op.output, st)
	}
	venue := cell{text: "up"}
	if st.GetVenue() != adminv1.VenueState_VENUE_STATE_UP {
		venue = cell{text: "DOWN, new orders are rejected", tone: red}
	}
	kills := cell{text: count(uint64(st.GetKills()))}
	if st.GetKills() > 0 {
		kills.tone = red
	}
	running := time.Duration(st.GetNowNs() - st.GetStartedNs()).Truncate(time.Second)
	c := st.GetCounters()
	t := &table{titles: []string{"STATUS", ""}}
	for _, row := range [...]struct {
		name  string
		value cell
	}{
		{"venue", venue},
		{"gateways", cell{text: count(uint64(st.GetGateways()))}},
		{"sessions connected", cell{text: fmt.Sprintf("%d of %d", st.GetSessionsConnected(), st.GetSessions())}},
		{"killed scopes", kills},
		{"live orders", cell{text: count(st.GetLiveOrders())}},
		{"limits version", cell{text: count(st.GetConfigVersion())}},
		{"epoch", cell{text: fmt.Sprint(st.GetEpoch())}},
		{"running", cell{text: running.String()}},
		{"requests", cell{text: count(c.GetRequests())}},
		{"requests per second", cell{text: count(st.GetRequestsPerSecond())}},
		{"accepted", cell{text: count(c.GetAccepted())}},
		{"rejected", cell{text: count(c.GetRejected())}},
		{"venue reports", cell{text: count(c.GetReports())}},
	} {
		t.addCells(cell{text: row.name}, row.value)
	}
	for _, o := range c.GetOthers() {
		t.add(o.GetName(), count(o.GetValue()))
	}
	if err := t.print(w); err != nil || len(c.GetReasons()) == 0 {
		return err
	}
	return printReasons(w, c)
}

// printReasons explains why requests were rejected.
func printReasons(w io.Writer, c *adminv1.Counters) error {
	t := &table{titles: []string{">REJECTS", "REASON", "WHICH MEANS"}}
	for _, r := range c.GetReasons() {
		t.add(count(r.GetCount()), r.GetReason(), r.GetText())
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return t.print(w)
}
