package memsqs

import (
	"context"
	"net/http"
)

// request is what an operation may want to know about the call it serves.
type request struct {
	origin string // scheme and host, as the client wrote them
	fault  *Fault
}

type requestKey struct{}

func withRequest(ctx context.Context, r request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

func requestOf(ctx context.Context) request {
	r, _ := ctx.Value(requestKey{}).(request)
	return r
}

func originOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
