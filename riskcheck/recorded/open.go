package recorded

import (
	"errors"
	"fmt"
	"slices"

	"tollgate/internal/journal"
	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// epochNs is what one epoch of a journal counts in those of the engine. A journal
// counts seconds, so that one that begins anew is above what was before it, and the
// engine nanoseconds, as it does without a journal.
const epochNs = 1_000_000_000

// Recovery is what Open has found and done.
type Recovery struct {
	Records  uint64 // replayed
	Sequence uint64 // of the last record found
	Epoch    uint64 // begun
	// Limits are those that were applied last; nil: none ever were.
	Limits *AppliedLimits
}

// AppliedLimits are limits that an engine has taken.
type AppliedLimits struct {
	Set    riskcheck.LimitSet
	By     input.By
	TimeNs int64 // ns since 1970 UTC
}

// Open makes the engine that an opened journal describes and begins the next epoch on
// it: all connections and the way to the venue are gone. The epoch of the
// configuration does not count. An error says that the journal is damaged, or that
// the configuration does not let the engine hold what it held; nothing was appended
// then. The clock, ns since 1970 UTC, is for the new epoch only.
func Open(config riskcheck.Config, j *journal.Journal, nowNs int64) (*Engine, Recovery, error) {
	config.Epoch = 1 // until Start
	engine, err := riskcheck.New(config)
	if err != nil {
		return nil, Recovery{}, err
	}
	var found Recovery
	if err := j.Replay(replay(engine, config.Sizes(), &found)); err != nil {
		return nil, found, err
	}
	last, seen := j.Last()
	epoch := max(seen+1, uint32(nowNs/epochNs))
	if err := j.Begin(epoch, nowNs); err != nil {
		return nil, found, err
	}
	found.Sequence, found.Epoch = last, uint64(epoch)*epochNs
	e := &Engine{Engine: engine, journal: j, sizes: config.Sizes()}
	e.Start(nowNs, found.Epoch)
	return e, found, nil
}

// replay returns what gives records to an engine.
func replay(engine *riskcheck.Engine, sizes riskcheck.Sizes, found *Recovery) func(journal.Record) error {
	var in input.Input
	return func(r journal.Record) error {
		found.Records++
		if err := in.Decode(input.Kind(r.Type), r.Payload); err != nil {
			return fmt.Errorf("record %d: %w", r.Sequence, err)
		}
		if in.Kind == input.KindStart && in.Sizes != sizes {
			return differentSizes(&in.Sizes, &sizes)
		}
		out := in.Give(engine, r.TimeNs)
		if in.Kind == input.KindLimits && out.Refused == nil {
			set := riskcheck.LimitSet{Entries: slices.Clone(in.Limits.Entries)}
			found.Limits = &AppliedLimits{Set: set, By: in.By, TimeNs: r.TimeNs}
		}
		return nil
	}
}

// differentSizes names the bounds that are not what they were.
func differentSizes(was, is *riskcheck.Sizes) error {
	var errs []error
	for i, name := range riskcheck.SizeNames {
		if was[i] != is[i] {
			errs = append(errs, fmt.Errorf("%s is %d, and the journal was written with %d; want the same", name, is[i], was[i]))
		}
	}
	return errors.Join(errs...)
}
