package switchyard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// APIError is an error reply. Take it out of an error with errors.As, or out of one of the kinds that embed it.
type APIError struct {
	// StatusCode is the HTTP status of the reply.
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

// errorOf is the error that a reply stands for.
func errorOf(response *http.Response, body []byte) (error, *APIError) {
	reply := ErrorResponse{}
	if json.Unmarshal(body, &reply) != nil || reply.Error.Code == "" {
		// Not from Switchyard, such as the error page of a proxy.
		reply.Error = ErrorObject{
			Code:      ErrorCodeInternalError,
			Type:      ErrorTypeApiError,
			Message:   "the server did not say why",
			RequestId: response.Header.Get("x-request-id"),
			Retryable: response.StatusCode >= 502,
		}
	}
	plain := &APIError{StatusCode: response.StatusCode, ErrorObject: reply.Error, Header: response.Header}
	switch {
	case plain.StatusCode == 400:
		return &InvalidRequestError{plain}, plain
	case plain.StatusCode == 401:
		return &AuthenticationError{plain}, plain
	case plain.StatusCode == 403:
		return &PermissionError{plain}, plain
	case plain.StatusCode == 404:
		return &NotFoundError{plain}, plain
	case plain.StatusCode == 429:
		return &RateLimitError{plain}, plain
	case plain.StatusCode >= 500:
		return &ServerError{plain}, plain
	}
	return plain, plain
}
