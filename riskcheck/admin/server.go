package admin

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// ServerConfig says how the service is offered.
type ServerConfig struct {
	// Reflection lets clients ask for the descriptions of services. It is meant
	// for development.
	Reflection bool
	// Options are added to those of this package: transport credentials and
	// whoever decides which client may call what.
	Options []grpc.ServerOption
}

// Server is a gRPC server with the admin and the health service.
type Server struct {
	*grpc.Server
	health *health.Server
}

// NewServer returns a server that is ready to be given a listener. It reports
// itself as serving.
func NewServer(s *Service, cfg ServerConfig) *Server {
	options := append([]grpc.ServerOption{
		grpc.MaxRecvMsgSize(messageBytesMax),
		grpc.MaxSendMsgSize(messageBytesMax),
		grpc.MaxConcurrentStreams(streamsMax),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: keepaliveMin, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: keepaliveIdle, Timeout: keepaliveTimeout}),
		grpc.ChainUnaryInterceptor(s.containUnary, bounded),
		grpc.ChainStreamInterceptor(s.containStream),
	}, cfg.Options...)
	server := &Server{Server: grpc.NewServer(options...), health: health.NewServer()}
	adminv1.RegisterAdminServiceServer(server.Server, s)
	healthv1.RegisterHealthServer(server.Server, server.health)
	server.SetServing(true)
	if cfg.Reflection {
		reflection.Register(server.Server)
	}
	return server
}

// SetServing tells health checks whether the engine takes orders.
func (s *Server) SetServing(serving bool) {
	state := healthv1.HealthCheckResponse_NOT_SERVING
	if serving {
		state = healthv1.HealthCheckResponse_SERVING
	}
	s.health.SetServingStatus("", state)
	s.health.SetServingStatus(adminv1.AdminService_ServiceDesc.ServiceName, state)
}

// bounded gives a deadline to requests that come without one.
func bounded(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if _, has := ctx.Deadline(); has {
		return next(ctx, req)
	}
	limited, cancel := context.WithTimeout(ctx, deadlineDefault)
	defer cancel()
	return next(limited, req)
}

// containUnary keeps a fault of the control plane from ending the process that
// decides orders: the fault becomes an alert and an INTERNAL error.
func (s *Service) containUnary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (resp any, err error) {
	defer s.contain(info.FullMethod, &err)
	return next(ctx, req)
}

// containStream does the same for streams.
func (s *Service) containStream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler,
) (err error) {
	defer s.contain(info.FullMethod, &err)
	return next(srv, stream)
}

func (s *Service) contain(method string, err *error) {
	fault := recover()
	if fault == nil {
		return
	}
	s.feed.Publish(Event{
		Kind: EventAlert, TimeNs: s.hooks.NowNs(), Name: "CONTROL_PLANE_FAULT", Text: fmt.Sprintf("%s: %v", method, fault),
	})
	*err = status.Errorf(codes.Internal, "%s failed by a fault of the control plane", method)
}
