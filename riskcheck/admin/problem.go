package admin

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/riskcheck/admin/document"
)

// errorDomain and reasonConflict identify the error that a change was based on
// a version that is no longer in force.
const (
	errorDomain    = "tollgate"
	reasonConflict = "VERSION_CONFLICT"
)

// invalid is the error for one wrong field of a request.
func invalid(field, format string, args ...any) error {
	description := fmt.Sprintf(format, args...)
	violation := &errdetails.BadRequest_FieldViolation{Field: field, Description: description}
	return violations(field+": "+description, violation)
}

// violations is an INVALID_ARGUMENT error with its wrong fields.
func violations(message string, fields ...*errdetails.BadRequest_FieldViolation) error {
	st := status.New(codes.InvalidArgument, message)
	detailed, err := st.WithDetails(&errdetails.BadRequest{FieldViolations: fields})
	if err != nil {
		return st.Err()
	}
	return detailed.Err()
}

// invalidDocument turns the problems of a document into an error with one field
// violation each, at most fieldViolationsMax of them.
func invalidDocument(err error) error {
	var problems document.Problems
	if !errors.As(err, &problems) {
		return invalid("document", "%s", err)
	}
	fields := make([]*errdetails.BadRequest_FieldViolation, 0, fieldViolationsMax+1)
	for i, p := range problems {
		if i == fieldViolationsMax {
			rest := fmt.Sprintf("%d more problems are not shown", len(problems)-i)
			fields = append(fields, &errdetails.BadRequest_FieldViolation{Field: "document", Description: rest})
			break
		}
		fields = append(fields, &errdetails.BadRequest_FieldViolation{Field: "document." + p.Path, Description: p.Error()})
	}
	return violations(fmt.Sprintf("the document has %d problems", len(problems)), fields...)
}

// conflict is the error for a change that was based on another version than
// the one in force.
func conflict(based, inForce uint64) error {
	st := status.Newf(codes.Aborted, "the change is based on version %d of the limits, but version %d is in force; "+
		"get the limits again and repeat the change", based, inForce)
	detailed, err := st.WithDetails(&errdetails.ErrorInfo{
		Reason: reasonConflict, Domain: errorDomain,
		Metadata: map[string]string{"resource_version": strconv.FormatUint(inForce, 10)},
	})
	if err != nil {
		return st.Err()
	}
	return detailed.Err()
}

// unavailable is the error for a loop or a hook that did not do what it was
// asked; nil stays nil.
func unavailable(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, "the engine did not answer in time")
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, "the request was given up")
	}
	return status.Errorf(codes.Unavailable, "the engine did not do it: %s", err)
}

// unresolved is the error for a scope of a request that names nothing.
func unresolved(field string, err error) error {
	var unknown *document.UnknownNameError
	if errors.As(err, &unknown) {
		return status.Errorf(codes.NotFound, "%s: %s", field, err)
	}
	return invalid(field, "%s", err)
}
