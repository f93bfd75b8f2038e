// Package pace decides when each request is due.
//
// The load is open-loop: a request is due at a time that does not depend on how
// fast the system answers. Latency is counted from that time and not from when
// the request was really sent, so that a stall of the system is felt by every
// request that should have gone out meanwhile (no coordinated omission). A
// sender that is late sends everything that is due at once and keeps the
// scheduled times.
//
// Three schedules:
//
//   - a constant rate: request k is due at start + k/rate;
//   - recorded: as far apart as in the recording, divided by a speed-up;
//   - max: due as soon as fewer than a bounded number are unanswered. This one is
//     a closed loop; it measures capacity, and its latencies are
//     those of a system kept busy, not those of a rate.
package pace
