package asynclog

// catalogue describes every event, at the index of its code. It is never
// written after the program has started.
var catalogue = [codeEnd]Definition{
	CodeProcessStarted: {
		Code: CodeProcessStarted, Name: "process-started", Severity: SeverityInfo, Audit: true,
		Text:   "The process has read its configuration and begins to serve.",
		Fields: []Field{{"pid", FormatUint}, {"instance", FormatHex}, {"epoch", FormatHex}},
	},
	CodeProcessStopping: {
		Code: CodeProcessStopping, Name: "process-stopping", Severity: SeverityInfo, Audit: true,
		Text:   "The process was told to stop and drains its links.",
		Fields: []Field{{"signal", FormatUint}},
	},
	CodeLinkUp: {
		Code: CodeLinkUp, Name: "link-up", Severity: SeverityInfo,
		Text:   "A link to another process is open.",
		Fields: []Field{{"link", FormatUint}, {"kind", FormatLinkKind}, {"remote", FormatText}},
	},
	CodeLinkDown: {
		Code: CodeLinkDown, Name: "link-down", Severity: SeverityWarn,
		Text: "A link to another process has closed.",
		Fields: []Field{
			{"link", FormatUint}, {"kind", FormatLinkKind}, {"error", FormatErrno}, {"remote", FormatText},
		},
	},
	CodeSessionLogin: {
		Code: CodeSessionLogin, Name: "session-login", Severity: SeverityInfo, Audit: true,
		Text: "A client has logged in to a session.",
		Fields: []Field{
			{"session", FormatUint},
			{"client", FormatUint},
			{"connection", FormatUint},
			{"next_ref", FormatUint},
			{"next_out_seq", FormatUint},
			{"link", FormatUint},
		},
	},
	CodeSessionRefused: {
		Code: CodeSessionRefused, Name: "session-refused", Severity: SeverityWarn, Audit: true,
		Text: "A login was refused.",
		Fields: []Field{
			{"session", FormatUint}, {"client", FormatUint}, {"reason", FormatLoginReject}, {"link", FormatUint},
		},
	},
	CodeSessionClosed: {
		Code: CodeSessionClosed, Name: "session-closed", Severity: SeverityInfo, Audit: true,
		Text:   "A session has lost its connection, by logout or because the client went away.",
		Fields: []Field{{"session", FormatUint}, {"connection", FormatUint}, {"reason", FormatSessionReject}},
	},
	CodeSessionCut: {
		Code: CodeSessionCut, Name: "session-cut", Severity: SeverityWarn, Audit: true,
		Text: "A client broke a rule of the session and its connection was closed.",
		Fields: []Field{
			{"session", FormatUint},
			{"connection", FormatUint},
			{"reason", FormatSessionReject},
			{"value", FormatUint},
			{"link", FormatUint},
		},
	},
	CodeMalformedFrame: {
		Code: CodeMalformedFrame, Name: "malformed-frame", Severity: SeverityWarn,
		Text: "Bytes that can be no frame arrived and their link was closed.",
		Fields: []Field{
			{"link", FormatUint}, {"kind", FormatLinkKind}, {"reason", FormatSessionReject}, {"value", FormatUint},
		},
	},
	CodeSlowReader: {
		Code: CodeSlowReader, Name: "slow-reader", Severity: SeverityWarn,
		Text: "A peer did not read what it was sent and its link was closed at the outbound bound.",
		Fields: []Field{
			{"link", FormatUint},
			{"kind", FormatLinkKind},
			{"outbound_bytes", FormatUint},
			{"outbound_frames", FormatUint},
		},
	},
	CodeKilled: {
		Code: CodeKilled, Name: "killed", Severity: SeverityError, Audit: true,
		Text: "Trading is stopped for a scope and its open orders are being canceled.",
		Fields: []Field{
			{"scope_type", FormatScope},
			{"scope", FormatUint},
			{"instrument", FormatUint},
			{"fence", FormatUint},
			{"below_seq", FormatUint},
			{"orders", FormatUint},
		},
	},
	CodeUnkilled: {
		Code: CodeUnkilled, Name: "unkilled", Severity: SeverityWarn, Audit: true,
		Text:   "Trading is allowed again for a scope.",
		Fields: []Field{{"scope_type", FormatScope}, {"scope", FormatUint}, {"instrument", FormatUint}},
	},
	CodeFenceAcknowledged: {
		Code: CodeFenceAcknowledged, Name: "fence-acknowledged", Severity: SeverityInfo, Audit: true,
		Text:   "The adapter refuses every order accepted before a kill.",
		Fields: []Field{{"fence", FormatUint}, {"epoch", FormatHex}},
	},
	CodeLimitsApplied: {
		Code: CodeLimitsApplied, Name: "limits-applied", Severity: SeverityInfo, Audit: true,
		Text:   "A new version of the limits is in force.",
		Fields: []Field{{"config_version", FormatUint}, {"limits", FormatUint}, {"seq", FormatUint}},
	},
	CodeReferenceApplied: {
		Code: CodeReferenceApplied, Name: "reference-applied", Severity: SeverityInfo, Audit: true,
		Text: "New reference data is in force.",
		Fields: []Field{
			{"config_version", FormatUint}, {"instruments", FormatUint}, {"accounts", FormatUint}, {"seq", FormatUint},
		},
	},
	CodeVenueUp: {
		Code: CodeVenueUp, Name: "venue-up", Severity: SeverityInfo, Audit: true,
		Text:   "The venue can be reached.",
		Fields: []Field{{"instance", FormatHex}, {"next_report_seq", FormatUint}},
	},
	CodeVenueDown: {
		Code: CodeVenueDown, Name: "venue-down", Severity: SeverityError, Audit: true,
		Text:   "The venue cannot be reached; new orders are rejected.",
		Fields: []Field{{"instance", FormatHex}, {"next_report_seq", FormatUint}},
	},
	CodeReportGap: {
		Code: CodeReportGap, Name: "report-gap", Severity: SeverityError, Audit: true,
		Text:   "A venue report is missing and is asked for again.",
		Fields: []Field{{"expected_report_seq", FormatUint}, {"report_seq", FormatUint}},
	},
	CodeAdapterRefusal: {
		Code: CodeAdapterRefusal, Name: "adapter-refusal", Severity: SeverityWarn, Audit: true,
		Text: "The adapter did not give an accepted order to the venue.",
		Fields: []Field{
			{"seq", FormatUint}, {"order", FormatUint}, {"session", FormatUint}, {"reason", FormatReason},
		},
	},
	CodeCapacityReached: {
		Code: CodeCapacityReached, Name: "capacity-reached", Severity: SeverityError,
		Text:   "A named bound was hit and what came on top of it was refused.",
		Fields: []Field{{"bound", FormatBound}, {"limit", FormatUint}, {"refused", FormatUint}},
	},
	CodeDisconnectCancel: {
		Code: CodeDisconnectCancel, Name: "cancel-on-disconnect", Severity: SeverityWarn, Audit: true,
		Text:   "A client stayed away longer than its grace window and its open orders are being canceled.",
		Fields: []Field{{"session", FormatUint}, {"connection", FormatUint}, {"orders", FormatUint}},
	},
	CodeAlert: {
		Code: CodeAlert, Name: "alert", Severity: SeverityWarn, Audit: true,
		Text: "The use of a limit has reached a threshold, a limit was breached, or a scope is latched.",
		Fields: []Field{
			{"alert", FormatAlert},
			{"scope_type", FormatScope},
			{"scope", FormatUint},
			{"within", FormatWithin},
			{"value", FormatInt},
			{"limit", FormatInt},
		},
	},
	CodeOrderAlert: {
		Code: CodeOrderAlert, Name: "order-alert", Severity: SeverityError, Audit: true,
		Text: "The venue has said of an order what should not happen.",
		Fields: []Field{
			{"alert", FormatAlert},
			{"scope_type", FormatScope},
			{"scope", FormatUint},
			{"within", FormatWithin},
			{"order", FormatUint},
			{"value", FormatInt},
		},
	},
	CodeEventsDropped: {
		Code: CodeEventsDropped, Name: "events-dropped", Severity: SeverityError, Audit: true,
		Text:   "A ring was full and events were lost since the last entry of this kind.",
		Fields: []Field{{"events", FormatUint}, {"audit_events", FormatUint}},
	},
}
