package wire

import (
	"fmt"

	"tollgate/order"
)

// AppendAnswer appends the frame of a sequenced answer, by a.Kind. Fields of a
// that the kind does not have are left out. It panics if a.Kind is none of the
// four, which only a caller's mistake can make.
func AppendAnswer(dst []byte, a *order.Answer) []byte {
	switch a.Kind {
	case order.AnswerExecution:
		return appendExecutionReport(dst, a)
	case order.AnswerCancelReject:
		return appendOrderCancelReject(dst, a)
	case order.AnswerMassCancel:
		return appendOrderMassCancelReport(dst, a)
	case order.AnswerCanceledOnEnd:
		return appendCancelOnDisconnectReport(dst, a)
	}
	panic(fmt.Sprintf("wire: AppendAnswer: Kind is %d: want one of the four answers", a.Kind))
}

// Answer decodes a sequenced answer into a, whole: fields the kind does not
// have become zero. The error names the template if it is none of the four; a
// is then unchanged.
func (m Message) Answer(a *order.Answer) error {
	switch m.Template {
	case TemplateExecutionReport:
		(*executionReportView)(m.Block).decode(a)
	case TemplateOrderCancelReject:
		(*orderCancelRejectView)(m.Block).decode(a)
	case TemplateOrderMassCancelReport:
		(*orderMassCancelReportView)(m.Block).decode(a)
	case TemplateCancelOnDisconnectReport:
		(*cancelOnDisconnectReportView)(m.Block).decode(a)
	default:
		return fmt.Errorf("template %d is no answer: want %d to %d",
			m.Template, TemplateExecutionReport, TemplateCancelOnDisconnectReport)
	}
	return nil
}

// AnswerSession returns the session of a sequenced answer or a HopTrace, 0 for
// any other template.
func AnswerSession(m Message) order.SessionID {
	switch m.Template {
	case TemplateExecutionReport:
		return order.SessionID((*executionReportView)(m.Block).Session())
	case TemplateOrderCancelReject:
		return order.SessionID((*orderCancelRejectView)(m.Block).Session())
	case TemplateOrderMassCancelReport:
		return order.SessionID((*orderMassCancelReportView)(m.Block).Session())
	case TemplateCancelOnDisconnectReport:
		return order.SessionID((*cancelOnDisconnectReportView)(m.Block).Session())
	case TemplateHopTrace:
		return order.SessionID((*hopTraceView)(m.Block).Session())
	}
	return 0
}

// AnswerOutSeq returns the stream number of a sequenced answer, or the one a
// HopTrace belongs to; 0 for any other template.
func AnswerOutSeq(m Message) uint64 {
	switch m.Template {
	case TemplateExecutionReport:
		return (*executionReportView)(m.Block).OutSeq()
	case TemplateOrderCancelReject:
		return (*orderCancelRejectView)(m.Block).OutSeq()
	case TemplateOrderMassCancelReport:
		return (*orderMassCancelReportView)(m.Block).OutSeq()
	case TemplateCancelOnDisconnectReport:
		return (*cancelOnDisconnectReportView)(m.Block).OutSeq()
	case TemplateHopTrace:
		return (*hopTraceView)(m.Block).OutSeq()
	}
	return 0
}
