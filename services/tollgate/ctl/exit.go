package ctl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Exit codes.
const (
	ExitDone        = 0 // done
	ExitNegative    = 1 // a negative answer: differences, nothing found, not confirmed
	ExitUsage       = 2 // wrong arguments, or a document that is not right
	ExitUnreachable = 3 // no answer from the control plane or its engine
	ExitDenied      = 4 // the server does not let this client do it
	ExitConflict    = 5 // the state has changed since the client looked
)

// exitError ends a command with a code and, unless it is empty, a message.
type exitError struct {
	code    int
	message string
}

func (e *exitError) Error() string { return e.message }

// usagef is an error about what the person typed.
func usagef(format string, args ...any) error {
	return &exitError{code: ExitUsage, message: fmt.Sprintf(format, args...)}
}

func usageError(err error) error { return usagef("%s", err) }

// negative ends a command that has printed its negative answer.
func negative() error { return &exitError{code: ExitNegative} }

// Finish prints the message of an error of a command to stderr and returns the
// exit code; nil is ExitDone.
func Finish(err error, stderr io.Writer) int {
	if err == nil {
		return ExitDone
	}
	code, message := ExitUsage, err.Error()
	var exit *exitError
	if errors.As(err, &exit) {
		code, message = exit.code, exit.message
	}
	if message != "" {
		fmt.Fprintln(stderr, "tollgate ctl: "+message)
	}
	return code
}

// answered turns the error of a request into one with an exit code; nil stays
// nil.
func (op *operator) answered(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = status.FromContextError(err).Err()
	}
	st := status.Convert(err)
	return &exitError{code: exitCode(st.Code()), message: op.message(st)}
}

// exitCode is the exit code for a status of the server.
func exitCode(code codes.Code) int {
	switch code {
	case codes.InvalidArgument, codes.OutOfRange, codes.Unimplemented:
		return ExitUsage
	case codes.PermissionDenied, codes.Unauthenticated:
		return ExitDenied
	case codes.Aborted:
		return ExitConflict
	case codes.NotFound, codes.FailedPrecondition, codes.AlreadyExists:
		return ExitNegative
	}
	return ExitUnreachable
}

// message says what went wrong: each wrong field in a line of its own.
func (op *operator) message(st *status.Status) string {
	switch {
	case st.Code() == codes.Unavailable && strings.HasPrefix(st.Message(), "the engine"):
		return st.Message() // the control plane answered, its engine did not
	case st.Code() == codes.Unavailable:
		return fmt.Sprintf("no answer from %s: %s; is riskcheck running there? --server names another address",
			op.server, cause(st.Message()))
	case st.Code() == codes.DeadlineExceeded:
		return fmt.Sprintf("no answer from %s within %s; --timeout waits longer", op.server, op.timeout)
	}
	lines := []string{st.Message()}
	for _, detail := range st.Details() {
		bad, ok := detail.(*errdetails.BadRequest)
		if !ok {
			continue
		}
		for _, field := range bad.GetFieldViolations() {
			if strings.HasPrefix(field.GetField(), "document") {
				lines = append(lines, "  "+field.GetDescription())
			}
		}
	}
	return strings.Join(lines, "\n")
}

// cause takes the last part of a chain of connection errors.
func cause(message string) string {
	for _, mark := range [...]string{"dial ", "desc = "} {
		if at := strings.LastIndex(message, mark); at >= 0 {
			message = strings.TrimSuffix(message[at+len(mark):], `"`)
		}
	}
	return message
}
