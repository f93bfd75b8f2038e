package ctl

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// connect returns a client of the control plane and how to close it. Nothing is
// sent before the first request.
func (op *operator) connect() (adminv1.AdminServiceClient, func(), error) {
	conn, err := grpc.NewClient(op.server,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(messageBytesMax)),
	)
	if err != nil {
		return nil, nil, usagef("server address %q: %s; want host:port or unix:PATH", op.server, err)
	}
	return adminv1.NewAdminServiceClient(conn), func() { _ = conn.Close() }, nil
}

// method is one of the client's methods, as a method expression.
type method[Request, Response any] func(
	adminv1.AdminServiceClient, context.Context, Request, ...grpc.CallOption) (Response, error)

// ask makes one request with the operator's deadline.
func ask[Request, Response any](ctx context.Context, op *operator, method method[Request, Response], request Request,
) (Response, error) {
	var none Response
	client, done, err := op.connect()
	if err != nil {
		return none, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, op.timeout)
	defer cancel()
	response, err := method(client, ctx, request)
	return response, op.answered(err)
}
