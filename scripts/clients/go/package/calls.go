package switchyard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// operation is a call of an operation of the contract.
type operation struct {
	where
	// values are names and values of the path's parameters, in turn.
	values []any
	// query has names and values, in turn; zero values are not sent.
	query []any
	// body is written as JSON; nil for none.
	body any
}

// where an operation is, and the scheme of the contract by which it is called: empty for a public one.
type where struct{ credentials, method, path string }

func as(credentials, method, path string) where { return where{credentials, method, path} }

func pairs(namesAndValues ...any) []any { return namesAndValues }

// Download is a file that is being received. Close it when done.
type Download struct {
	io.ReadCloser
	// Name is what the server calls the file; empty if it does not say.
	Name string
}

// call carries an operation out whose reply is JSON, or plain text for a string.
func call[Reply any](ctx context.Context, c *Client, op operation) (*Reply, error) {
	response, err := c.open(ctx, op, "application/json, text/plain;q=0.9")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &ConnectionError{err}
	}
	reply := new(Reply)
	if text, ok := any(reply).(*string); ok {
		*text = string(data)
		return reply, nil
	}
	if err := json.Unmarshal(data, reply); err != nil {
		return nil, fmt.Errorf("switchyard: the reply cannot be read: %w", err)
	}
	return reply, nil
}

// send carries an operation out whose reply has no body.
func send(ctx context.Context, c *Client, op operation) error {
	response, err := c.open(ctx, op, "application/json")
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// download carries an operation out whose reply is a file.
func download(ctx context.Context, c *Client, op operation) (*Download, error) {
	response, err := c.open(ctx, op, "*/*")
	if err != nil {
		return nil, err
	}
	_, parameters, _ := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
	return &Download{response.Body, parameters["filename"]}, nil
}

// open sends a request until it is answered or no retry is worth it. The body of the response ends with an error when the
// server is silent for too long.
func (c *Client) open(ctx context.Context, op operation, accept string) (*http.Response, error) {
	var body []byte
	if op.body != nil {
		var err error
		if body, err = json.Marshal(op.body); err != nil {
			return nil, err
		}
	}
	for attempt := 0; ; attempt++ {
		request, err := c.request(ctx, op, body, accept)
		if err != nil {
			return nil, err
		}
		response, err := c.attempt(request)
		if err == nil {
			return response, nil
		}
		wait, worthIt := waitAfter(err, op.method, attempt)
		if !worthIt || attempt >= c.retries || ctx.Err() != nil {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Client) request(ctx context.Context, op operation, body []byte, accept string) (*http.Request, error) {
	address := strings.TrimSuffix(c.baseURL, "/") + op.path
	for i := 0; i < len(op.values); i += 2 {
		address = strings.ReplaceAll(address, "{"+op.values[i].(string)+"}", url.PathEscape(fmt.Sprint(op.values[i+1])))
	}
	query := url.Values{}
	for i := 0; i < len(op.query); i += 2 {
		if value := op.query[i+1]; !reflect.ValueOf(value).IsZero() {
			query.Set(op.query[i].(string), fmt.Sprint(value))
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, op.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", "switchyard-go/"+version)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	switch {
	case op.credentials == "" || c.apiKey == "":
	case op.credentials == "apiKeyAuth":
		request.Header.Set("X-API-Key", c.apiKey)
	default:
		request.Header.Set("Authorization", "Bearer "+c.apiKey)
	}
	for name, values := range headersOf(ctx) {
		request.Header[name] = values
	}
	return request, nil
}

// attempt sends a request once. A reply that is no success is returned as an error.
func (c *Client) attempt(request *http.Request) (*http.Response, error) {
	outer := request.Context()
	ctx, cancel := context.WithCancelCause(outer)
	var silence *time.Timer
	if c.timeout > 0 {
		silence = time.AfterFunc(c.timeout, func() { cancel(errSilent) })
	}
	body := &watchedBody{ctx: ctx, cancel: cancel, silence: silence, longest: c.timeout}
	response, err := c.http.Do(request.WithContext(ctx))
	if err != nil {
		body.stop()
		return nil, body.reason(err)
	}
	body.ReadCloser = response.Body
	response.Body = body
	if response.StatusCode < 300 {
		return response, nil
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, 1<<20))
	if err != nil {
		return nil, err
	}
	return nil, errorOf(response.StatusCode, response.Header, text)
}

// watchedBody is the body of a response that ends with an error after a silence.
type watchedBody struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence *time.Timer
	longest time.Duration
}

func (b *watchedBody) Read(buffer []byte) (int, error) {
	if b.silence != nil {
		b.silence.Reset(b.longest)
	}
	n, err := b.ReadCloser.Read(buffer)
	if err != nil && err != io.EOF {
		err = b.reason(err)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.stop()
	return b.ReadCloser.Close()
}

func (b *watchedBody) stop() {
	if b.silence != nil {
		b.silence.Stop()
	}
	b.cancel(nil)
}

// reason is why reading has failed: the caller's context, the silence of the server, or the connection.
func (b *watchedBody) reason(err error) error {
	if context.Cause(b.ctx) == errSilent {
		return &ConnectionError{errSilent}
	}
	return &ConnectionError{err}
}
