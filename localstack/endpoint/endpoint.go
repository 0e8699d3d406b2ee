// Package endpoint is the one address of the local cloud: what AWS_ENDPOINT_URL points at.
//
// It looks at each request's service and operation and sends it to whoever serves it truly:
//
//	SQS                     the in-memory queue server (Options.SQS)
//	CloudWatch in CBOR      translated to JSON for the upstream, which knows no rpc-v2-cbor
//	ECS services and tasks  the upstream keeps the definitions; counts, deployments, events and tasks come from the
//	                        task runner (see Overlay), and the fields that the upstream forgets are kept here, so
//	                        that what a client wrote is what it reads back
//	Lambda code, invokes    the deployed zip is kept and served at Code.Location; Invoke runs it (see Overlay)
//	everything else         the upstream, moto_server
//
// Every request is counted by the Recorder before it is served. Requests are not authenticated: serve it on loopback
// only.
package endpoint

import (
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// Options is what New builds an Endpoint from.
type Options struct {
	// Upstream is the AWS double that serves what the endpoint does not. Required.
	Upstream *url.URL
	// SQS serves the SQS JSON protocol; nil sends SQS to the upstream.
	SQS http.Handler
	// Region is the region of requests that the endpoint makes itself.
	Region string
	// Logger gets faults of the endpoint itself; nil drops them.
	Logger *slog.Logger
}

// Endpoint serves AWS requests. It is safe for concurrent use.
type Endpoint struct {
	// Recorder counts what was asked.
	Recorder *Recorder

	options   Options
	fleet     Fleet
	run       Invoke
	proxy     *httputil.ReverseProxy
	upstream  upstream
	services  *fieldStore
	functions *fieldStore
	code      *codeStore
	refusals  refusals
}

// New returns an Endpoint over options.Upstream.
func New(options Options) *Endpoint {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.MaxIdleConnsPerHost = 64
	e := &Endpoint{
		Recorder:  newRecorder(),
		options:   options,
		services:  &fieldStore{},
		functions: &fieldStore{},
		code:      &codeStore{},
		upstream:  upstream{url: options.Upstream, region: options.Region, client: &http.Client{Transport: transport}},
	}
	e.proxy = &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(options.Upstream) },
		Transport: transport,
		ErrorLog:  slog.NewLogLogger(options.Logger.Handler(), slog.LevelWarn),
	}
	return e
}

// Overlay returns another view of the same cloud in which ECS tells what fleet really runs, and Lambda's Invoke runs
// functions; either may be nil. The view has a Recorder of its own, so that the runner and the scheduler, who work on
// the plain view, do not show in what clients asked.
func (e *Endpoint) Overlay(fleet Fleet, invoke Invoke) *Endpoint {
	view := New(e.options)
	view.fleet, view.run = fleet, invoke
	view.services, view.functions, view.code = e.services, e.functions, e.code
	return view
}

// ServeHTTP records the request and serves it.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target := identify(r)
	reply := &statusWriter{ResponseWriter: w}
	finish := e.Recorder.begin(target, r)
	defer func() { finish(reply.status()) }()
	if refusal, ok := e.refusals.take(target); ok {
		refusal.write(reply, r)
		return
	}
	e.route(target)(reply, r)
}

// route picks the handler of a request.
func (e *Endpoint) route(target Target) http.HandlerFunc {
	switch {
	case target.Service == "sqs" && e.options.SQS != nil:
		return e.options.SQS.ServeHTTP
	case target.Service == "monitoring" && target.cbor:
		return func(w http.ResponseWriter, r *http.Request) { e.serveCBOR(w, r, target.Operation) }
	case target.Service == "ecs":
		return e.routeECS(target.Operation)
	case target.Service == "lambda":
		return e.routeLambda(target.Operation)
	case target.Service == codeService:
		return e.serveCode
	}
	return e.proxy.ServeHTTP
}
