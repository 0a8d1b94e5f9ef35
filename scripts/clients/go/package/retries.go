package switchyard

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// maxWait is the maximum that a retry waits; longer waits are the caller's to decide.
const maxWait = time.Minute

// waitAfter says whether a request is worth repeating after an error, and how long to wait before: as long as the server
// asks (Retry-After), or else 0.5 s, 1 s, 2 s, … with jitter. A reply that says "retryable": true is; one with
// x-should-retry: false is final. A connection that failed is tried again for GET only, since another request may have
// been carried out.
func waitAfter(err error, method string, attempt int) (time.Duration, bool) {
	wait := time.Duration(float64(500*time.Millisecond) * float64(int(1)<<attempt) * (0.75 + rand.Float64()/2))
	var reply *APIError
	if !errors.As(err, &reply) {
		return wait, method == http.MethodGet
	}
	if asked := reply.RetryAfter(); asked > 0 {
		wait = asked
	}
	return wait, reply.Retryable && reply.Header.Get("x-should-retry") != "false" && wait <= maxWait
}
