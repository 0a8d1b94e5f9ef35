package switchyard

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Stream gives the events of an operation as they arrive. The request is sent when a loop over it begins:
//
//	for event, err := range client.StreamChat(ctx, body) { … }
//
// The last event of the contract ends the loop. An error ends it too, and is given once, with an empty event: the error
// reply, the error event that the server sent in its place, or a *StreamInterruptedError where the stream ended before its
// last event. Leaving the loop closes the connection.
type Stream[Event any] func(yield func(Event, error) bool)

// marks are what every event may have.
type marks struct {
	Type  string       `json:"type"`
	Seq   *int64       `json:"seq"`
	Final bool         `json:"final"`
	Error *ErrorObject `json:"error"`
}

func stream[Event any](ctx context.Context, c *Client, op operation) Stream[Event] {
	return func(yield func(Event, error) bool) {
		var none Event
		response, err := c.open(ctx, op, "text/event-stream")
		if err != nil {
			yield(none, err)
			return
		}
		defer response.Body.Close()
		interrupted := &StreamInterruptedError{}
		lines := bufio.NewReader(response.Body)
		for {
			data, err := nextData(lines)
			if err != nil {
				if err != io.EOF {
					interrupted.Cause = err
				}
				yield(none, interrupted)
				return
			}
			var event Event
			var about marks
			if err := json.Unmarshal(data, &about); err != nil {
				yield(none, fmt.Errorf("switchyard: an event cannot be read: %w", err))
				return
			}
			if about.Type == "error" && about.Error != nil {
				yield(none, errorIn(response.StatusCode, response.Header, *about.Error))
				return
			}
			if err := json.Unmarshal(data, &event); err != nil {
				yield(none, fmt.Errorf("switchyard: an event cannot be read: %w", err))
				return
			}
			if about.Seq != nil {
				interrupted.After = *about.Seq
			}
			if !yield(event, nil) || about.Type == "end" || about.Final {
				return
			}
		}
	}
}

// nextData reads the data of the next event (https://html.spec.whatwg.org/multipage/server-sent-events.html). An event
// that the end of the stream cuts off is none.
func nextData(lines *bufio.Reader) ([]byte, error) {
	var data []string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" && len(data) > 0 {
			return []byte(strings.Join(data, "\n")), nil
		}
		if rest, found := strings.CutPrefix(line, "data:"); found {
			data = append(data, strings.TrimPrefix(rest, " "))
		}
	}
}
