// Package switchyard is a client of Switchyard: one interface to every AI model, and the build factory.
package switchyard

import (
	"context"
	"net/http"
	"time"
)

// Time is a moment in a reply.
type Time = time.Time

// Options of a client. The zero value will do.
type Options struct {
	// BaseURL is where the server is reached; http://127.0.0.1:8080 if empty.
	BaseURL string
	// MaxRetries is how often a request is repeated after an error that is worth it: 2 if zero, never if negative.
	MaxRetries int
	// Timeout is the longest silence of the server, before its reply and within it: 5 minutes if zero, none if negative.
	Timeout time.Duration
	// HTTPClient sends the requests; http.DefaultClient if nil. Its own Timeout would cut streams off.
	HTTPClient Doer
}

// Doer sends a request, as *http.Client does.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Client has one method for each operation of the contract. It may be used by several goroutines at once. Every error
// reply is returned as an error, see APIError.
type Client struct {
	apiKey  string
	baseURL string
	retries int
	timeout time.Duration
	http    Doer
}

// New makes a client. Public operations need no key; those for the administrator take the password in its place.
func New(apiKey string, options Options) *Client {
	if options.BaseURL == "" {
		options.BaseURL = "http://127.0.0.1:8080"
	}
	if options.HTTPClient == nil {
		options.HTTPClient = http.DefaultClient
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = 2
	}
	if options.Timeout == 0 {
		options.Timeout = 5 * time.Minute
	}
	return &Client{apiKey, options.BaseURL, options.MaxRetries, options.Timeout, options.HTTPClient}
}

// Ptr makes a pointer to a value, for the fields that may be left out.
func Ptr[T any](value T) *T {
	return &value
}

type headerKey struct{}

// WithHeader gives the requests that are made with the context a header more, such as X-Request-Id.
func WithHeader(ctx context.Context, name, value string) context.Context {
	headers := headersOf(ctx).Clone()
	if headers == nil {
		headers = http.Header{}
	}
	headers.Set(name, value)
	return context.WithValue(ctx, headerKey{}, headers)
}

func headersOf(ctx context.Context) http.Header {
	headers, _ := ctx.Value(headerKey{}).(http.Header)
	return headers
}
