package switchyard

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// APIError is an error reply. Take it out of an error with errors.As, or out of one of the kinds that embed it.
type APIError struct {
	// StatusCode is the HTTP status of the reply: 200 when a stream had begun before the error.
	StatusCode int
	// ErrorObject is what the reply says: its code, its message, the field that was wrong.
	ErrorObject
	Header http.Header
}

func (e *APIError) Error() string {
	return fmt.Sprintf("switchyard: %d %s: %s", e.StatusCode, e.Code, e.Message)
}

// RetryAfter says how long to wait before the same request may succeed; zero where the server does not know.
func (e *APIError) RetryAfter() time.Duration {
	seconds, err := strconv.Atoi(e.Header.Get("Retry-After"))
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// InvalidRequestError is a 400: a field is wrong, or the model is not known.
type InvalidRequestError struct{ *APIError }

// AuthenticationError is a 401: the key is missing or invalid.
type AuthenticationError struct{ *APIError }

// PermissionError is a 403: the key lacks the scope that the operation needs.
type PermissionError struct{ *APIError }

// NotFoundError is a 404: there is nothing of this id or at this path.
type NotFoundError struct{ *APIError }

// RateLimitError is a 429: a limit is reached. RetryAfter says when to come back.
type RateLimitError struct{ *APIError }

// ServerError is a 5xx: the server or the model provider failed.
type ServerError struct{ *APIError }

func (e *InvalidRequestError) Unwrap() error { return e.APIError }
func (e *AuthenticationError) Unwrap() error { return e.APIError }
func (e *PermissionError) Unwrap() error     { return e.APIError }
func (e *NotFoundError) Unwrap() error       { return e.APIError }
func (e *RateLimitError) Unwrap() error      { return e.APIError }
func (e *ServerError) Unwrap() error         { return e.APIError }

// StreamInterruptedError says that a stream ended before its last event: the connection broke, or the server closed it.
type StreamInterruptedError struct {
	// After is the number of the last event that arrived, from which a build or a run can be watched on; 0 if there is none.
	After int64
	// Cause is why the connection broke; nil when it was closed.
	Cause error
}

func (e *StreamInterruptedError) Error() string {
	if e.Cause != nil {
		return "switchyard: the stream broke off: " + e.Cause.Error()
	}
	return "switchyard: the stream ended before its last event"
}

func (e *StreamInterruptedError) Unwrap() error { return e.Cause }

// ConnectionError says that the server could not be reached, went away, or was silent for too long.
type ConnectionError struct{ Cause error }

func (e *ConnectionError) Error() string { return "switchyard: " + e.Cause.Error() }
func (e *ConnectionError) Unwrap() error { return e.Cause }

var errSilent = errors.New("the server was silent for too long")

// errorOf is the error that a reply stands for.
func errorOf(status int, header http.Header, body []byte) error {
	reply := ErrorResponse{}
	if json.Unmarshal(body, &reply) != nil || reply.Error.Code == "" {
		// Not from Switchyard, such as the error page of a proxy.
		reply.Error = ErrorObject{
			Code:      ErrorCodeInternalError,
			Type:      ErrorTypeApiError,
			Message:   "the server did not say why",
			RequestId: header.Get("x-request-id"),
			Retryable: status >= 502,
		}
	}
	return errorIn(status, header, reply.Error)
}

// errorIn is the error that an error object stands for, in a reply or in a stream.
func errorIn(status int, header http.Header, object ErrorObject) error {
	plain := &APIError{StatusCode: status, ErrorObject: object, Header: header}
	switch {
	case status == 400:
		return &InvalidRequestError{plain}
	case status == 401:
		return &AuthenticationError{plain}
	case status == 403:
		return &PermissionError{plain}
	case status == 404:
		return &NotFoundError{plain}
	case status == 429:
		return &RateLimitError{plain}
	case status >= 500:
		return &ServerError{plain}
	}
	return plain
}
