// Package switchyard is a client of Switchyard: one interface to every AI model.
package switchyard

import (
	"context"
	"net/http"
)

// Options of a client. The zero value will do.
type Options struct {
	// BaseURL is where the server is reached; http://127.0.0.1:8080 if empty.
	BaseURL string
	// MaxRetries is how often a request is repeated after an error that is worth it: 2 if zero, never if negative.
	MaxRetries int
	// HTTPClient sends the requests; http.DefaultClient if nil.
	HTTPClient HttpRequestDoer
}

// New makes a client. Every error reply is returned as an error, see APIError.
func New(apiKey string, options Options) (*ClientWithResponses, error) {
	if options.BaseURL == "" {
		options.BaseURL = "http://127.0.0.1:8080"
	}
	if options.HTTPClient == nil {
		options.HTTPClient = http.DefaultClient
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = 2
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+apiKey)
		return nil
	}
	return NewClientWithResponses(
		options.BaseURL,
		WithHTTPClient(&doer{client: options.HTTPClient, retries: options.MaxRetries}),
		WithRequestEditorFn(authorize),
	)
}

// Ptr makes a pointer to a value, for the fields that may be left out.
func Ptr[T any](value T) *T {
	return &value
}

// Conversation is a chat request in variant A: a conversation with a model of your choice.
func Conversation(request ChatMessagesRequest) (body ChatRequest) {
	// Its fields are strings and numbers, which always can be written as JSON.
	_ = body.FromChatMessagesRequest(request)
	return body
}

// Message is a chat request in variant B: a single message, which the server's default model answers if none is named.
func Message(request ChatMessageRequest) (body ChatRequest) {
	_ = body.FromChatMessageRequest(request)
	return body
}
