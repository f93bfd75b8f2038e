package asynclog

import (
	"strconv"
	"syscall"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"tollgate/order"
)

// newCore returns the zap core that writes entries of cfg to out.
func newCore(cfg *Config, out zapcore.WriteSyncer) zapcore.Core {
	encoding := zapcore.EncoderConfig{
		TimeKey: "time", LevelKey: "level", NameKey: "process", MessageKey: "event",
		LineEnding:     zapcore.DefaultLineEnding,
		EncodeTime:     zapcore.RFC3339NanoTimeEncoder,
		EncodeLevel:    zapcore.LowercaseLevelEncoder,
		EncodeDuration: zapcore.NanosDurationEncoder,
	}
	encoder := zapcore.NewJSONEncoder(encoding)
	if cfg.Encoding == EncodingConsole {
		encoder = zapcore.NewConsoleEncoder(encoding)
	}
	return zapcore.NewCore(encoder, out, cfg.Level.zap())
}

// zap returns the level of zap that a severity is written at.
func (s Severity) zap() zapcore.Level {
	switch s {
	case SeverityInfo:
		return zapcore.InfoLevel
	case SeverityWarn:
		return zapcore.WarnLevel
	}
	return zapcore.ErrorLevel
}

// renderer turns events into entries of zap. One goroutine owns it.
type renderer struct {
	logger *zap.Logger
	name   func(f Format, value uint64) string
	fields []zap.Field // reused from event to event
}

// render writes one event of the named loop. A code that is not in the
// catalogue is written with its bare arguments rather than lost.
func (r *renderer) render(loop string, e *Event) {
	d := Define(e.Code)
	if d == nil {
		d = &Definition{Severity: SeverityError, Fields: unknownFields}
	}
	entry := r.logger.Check(d.Severity.zap(), e.Code.String())
	if entry == nil {
		return
	}
	entry.Time = time.Unix(0, e.TimeNs).UTC()
	r.fields = append(r.fields[:0], zap.String("loop", loop), zap.Uint16("code", uint16(e.Code)))
	if d.Audit {
		r.fields = append(r.fields, zap.Bool("audit", true))
	}
	args := e.Args[:]
	for _, f := range d.Fields {
		r.fields = append(r.fields, r.field(f, args))
		args = args[f.Format.args():]
	}
	entry.Write(r.fields...)
}

// unknownFields shows the arguments of an event that is not in the catalogue.
var unknownFields = []Field{
	{"a", FormatHex}, {"b", FormatHex}, {"c", FormatHex}, {"d", FormatHex}, {"e", FormatHex}, {"f", FormatHex},
}

// field renders the first argument of args, or the first three for a text.
func (r *renderer) field(f Field, args []uint64) zap.Field {
	value := args[0]
	switch f.Format {
	case FormatHex:
		return zap.String(f.Name, hex(value))
	case FormatReason:
		return zap.Stringer(f.Name, order.Reason(value))
	case FormatScope:
		return zap.Stringer(f.Name, order.ScopeType(value))
	case FormatErrno:
		return zap.String(f.Name, errnoText(value))
	case FormatText:
		return zap.String(f.Name, unpackText(args[:textArgs]))
	case FormatInt:
		return zap.Int64(f.Name, int64(value))
	case FormatWithin:
		return zap.String(f.Name, withinText(value))
	case FormatLinkKind, FormatLoginReject, FormatSessionReject, FormatBound, FormatAlert:
		if name := r.name(f.Format, value); name != "" {
			return zap.String(f.Name, name)
		}
	}
	return zap.Uint64(f.Name, value)
}

// withinText names what PackWithin packed; nothing is the empty string.
func withinText(v uint64) string {
	switch instrument, class := uint32(v), uint32(v>>32); {
	case class != 0:
		return "class " + strconv.FormatUint(uint64(class), 10)
	case instrument != 0:
		return "instrument " + strconv.FormatUint(uint64(instrument), 10)
	}
	return ""
}

// hex writes v as sixteen digits, so that equal names look equal.
func hex(v uint64) string {
	const digits = "0123456789abcdef"
	var text [16]byte
	for i := range text {
		text[i] = digits[v>>(60-4*i)&0xf]
	}
	return string(text[:])
}

// errnoText names an error number of the kernel; none is the empty string.
func errnoText(v uint64) string {
	if v == 0 {
		return ""
	}
	return syscall.Errno(v).Error()
}
