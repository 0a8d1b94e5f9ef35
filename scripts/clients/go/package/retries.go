package switchyard

import (
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// longestWait is the longest that a retry waits; longer waits are the caller's to decide.
const longestWait = time.Minute

// doer sends requests and returns every error reply as an error. A reply that says "retryable": true is tried again
// first, as long as the server asks to wait (Retry-After) or else after 0.5 s, 1 s, 2 s, … with jitter. A reply with
// x-should-retry: false is final. A connection that failed is tried again for GET only, since another request may have
// been carried out.
type doer struct {
	client  HttpRequestDoer
	retries int
}

func (d *doer) Do(request *http.Request) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		if attempt > 0 && request.GetBody != nil {
			body, err := request.GetBody()
			if err != nil {
				return nil, err
			}
			request.Body = body
		}
		wait := time.Duration(float64(500*time.Millisecond) * float64(int(1)<<attempt) * (0.75 + rand.Float64()/2))
		response, failure := d.client.Do(request)
		mayRetry := request.Method == http.MethodGet
		if failure == nil {
			if response.StatusCode < 400 {
				return response, nil
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				return nil, err
			}
			var reply *APIError
			failure, reply = errorOf(response, body)
			mayRetry = reply.Retryable && response.Header.Get("x-should-retry") != "false"
			if asked := reply.RetryAfter(); asked > 0 {
				wait = asked
			}
		}
		if !mayRetry || attempt >= d.retries || wait > longestWait {
			return nil, failure
		}
		select {
		case <-time.After(wait):
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
}
