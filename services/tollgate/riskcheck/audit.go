package riskcheck

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"go.uber.org/zap"

	"tollgate/riskcheck/admin"
)

// auditFile writes one JSON object for each change of the control plane, and
// syncs it before the change is confirmed.
type auditFile struct {
	mu   sync.Mutex
	file *os.File // nil: the log alone
	log  *zap.Logger
}

func openAudit(path string, log *zap.Logger) (*auditFile, error) {
	a := &auditFile{log: log}
	if path == "" {
		return a, nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	a.file = file
	return a, nil
}

// record stores one record. A record that cannot be written ends the process:
// nothing may change unseen.
func (a *auditFile) record(r admin.AuditRecord) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.log.Info("audit", zap.Uint64("id", r.ID), zap.String("action", r.Action), zap.String("actor", r.Actor),
		zap.String("peer", r.Peer), zap.String("target", r.Target), zap.String("reason", r.Reason),
		zap.String("outcome", r.Outcome))
	if a.file == nil {
		return
	}
	text, err := json.Marshal(r)
	if err == nil {
		_, err = a.file.Write(append(text, '\n'))
	}
	if err == nil {
		err = a.file.Sync()
	}
	if err != nil {
		a.log.Fatal("the audit record cannot be written", zap.Error(err))
	}
}

func (a *auditFile) close() {
	if a.file != nil {
		a.file.Close()
	}
}
