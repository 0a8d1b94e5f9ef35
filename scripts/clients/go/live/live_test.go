package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/switchyard/switchyard-go"
)

var ctx = context.Background()

func connect(options switchyard.Options) *switchyard.Client {
	if options.BaseURL == "" {
		options.BaseURL = os.Getenv("SWITCHYARD_BASE_URL")
	}
	return switchyard.New(os.Getenv("SWITCHYARD_API_KEY"), options)
}

func asking(model string) switchyard.ChatRequest {
	return switchyard.ChatRequest{Value: switchyard.ChatMessageRequest{Message: "Hello", Model: switchyard.Ptr(model)}}
}

func streaming(model string) switchyard.ChatStreamRequest {
	return switchyard.ChatStreamRequest{Value: switchyard.ChatMessageStreamRequest{Message: "Hello", Model: switchyard.Ptr(model)}}
}

func TestAnswers(t *testing.T) {
	client := connect(switchyard.Options{})
	answer, err := client.CreateChat(ctx, asking("sandbox/echo"))
	if err != nil || answer.Content != "Hello" || !strings.HasPrefix(answer.Id, "chat-") || answer.Usage.TotalTokens < 2 {
		t.Fatalf("unexpected answer: %+v, %v", answer, err)
	}
	if answer.FinishReason != switchyard.FinishReasonStop {
		t.Errorf("unexpected reason: %s", answer.FinishReason)
	}
	run, err := client.RunAgent(ctx, "assistant", switchyard.AgentRunRequest{
		Input: switchyard.AgentRunRequestInput{Value: []switchyard.AgentMessage{{Role: "user", Content: "What is 17 * 23?"}}},
	})
	if err != nil || run.Status != switchyard.RunStatusSucceeded {
		t.Fatalf("unexpected run: %+v, %v", run, err)
	}
	if _, ok := run.Steps[0].Value.(*switchyard.ModelStep); !ok {
		t.Errorf("unexpected step: %T", run.Steps[0].Value)
	}
}

func TestStream(t *testing.T) {
	text, ends := "", 0
	for event, err := range connect(switchyard.Options{}).StreamChat(ctx, streaming("sandbox/echo")) {
		if err != nil {
			t.Fatal(err)
		}
		switch event := event.Value.(type) {
		case *switchyard.ChatDeltaEvent:
			text += event.Content
		case *switchyard.ChatEndEvent:
			ends++
		}
	}
	if text != "Hello" || ends != 1 {
		t.Errorf("%q, %d ends", text, ends)
	}
}

func TestStreamWithAnErrorEvent(t *testing.T) {
	var failures []error
	deltas := 0
	for event, err := range connect(switchyard.Options{}).StreamChat(ctx, streaming("sandbox/cut-stream")) {
		if err != nil {
			failures = append(failures, err)
		} else if _, ok := event.Value.(*switchyard.ChatDeltaEvent); ok {
			deltas++
		}
	}
	var failed *switchyard.APIError
	if len(failures) != 1 || !errors.As(failures[0], &failed) || failed.Code != switchyard.ErrorCodeProviderStreamInterrupted {
		t.Errorf("unexpected errors: %v", failures)
	}
	if deltas == 0 {
		t.Error("nothing came before the error")
	}
}

func TestStreamThatBreaksOff(t *testing.T) {
	client := connect(switchyard.Options{BaseURL: os.Getenv("SWITCHYARD_CUT_URL")})
	events := 0
	var broken *switchyard.StreamInterruptedError
	for _, err := range client.StreamChat(ctx, streaming("sandbox")) {
		if err == nil {
			events++
		} else if !errors.As(err, &broken) {
			t.Fatal(err)
		}
	}
	if events != 3 || broken == nil {
		t.Errorf("%d events, then %v", events, broken)
	}
}

func TestStreamThatIsLeft(t *testing.T) {
	for event, err := range connect(switchyard.Options{}).StreamChat(ctx, streaming("sandbox/slow")) {
		if _, ok := event.Value.(*switchyard.ChatStartEvent); !ok || err != nil {
			t.Errorf("unexpected event: %T, %v", event.Value, err)
		}
		break
	}
}

func TestResumedBuild(t *testing.T) {
	whole := numbers(t, connect(switchyard.Options{}), 0)
	client := connect(switchyard.Options{BaseURL: os.Getenv("SWITCHYARD_CUT_URL")})
	var parts []int64
	for len(parts) < len(whole) {
		after := int64(0)
		if len(parts) > 0 {
			after = parts[len(parts)-1]
		}
		next := numbers(t, client, after)
		if len(next) == 0 || len(next) > 3 {
			t.Fatalf("%d events after %d", len(next), after)
		}
		parts = append(parts, next...)
	}
	if len(whole) < 8 || len(parts) != len(whole) || parts[len(parts)-1] != whole[len(whole)-1] {
		t.Errorf("%v is not %v", parts, whole)
	}
}

// numbers are those of a build's events, up to its end or to where the stream broke off.
func numbers(t *testing.T, client *switchyard.Client, after int64) []int64 {
	t.Helper()
	var all []int64
	options := &switchyard.StreamFactoryJobEventsOptions{After: after}
	for event, err := range client.StreamFactoryJobEvents(ctx, os.Getenv("JOB_ID"), options) {
		var broken *switchyard.StreamInterruptedError
		if errors.As(err, &broken) && broken.After == all[len(all)-1] {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		var marks struct {
			Seq *int64 `json:"seq"`
		}
		text, _ := json.Marshal(event)
		if err := json.Unmarshal(text, &marks); err != nil {
			t.Fatal(err)
		}
		if marks.Seq != nil {
			all = append(all, *marks.Seq)
		}
	}
	return all
}

func TestErrors(t *testing.T) {
	client := connect(switchyard.Options{})
	var invalid *switchyard.InvalidRequestError
	hot := switchyard.ChatMessageRequest{Message: "Hello", Temperature: switchyard.Ptr(3.0)}
	_, err := client.CreateChat(ctx, switchyard.ChatRequest{Value: hot})
	if !errors.As(err, &invalid) || *invalid.Param != "temperature" || invalid.StatusCode != 400 {
		t.Errorf("no InvalidRequestError: %v", err)
	}
	var missing *switchyard.NotFoundError
	if _, err := client.GetRequest(ctx, "req_none"); !errors.As(err, &missing) {
		t.Errorf("no NotFoundError: %v", err)
	}
	for _, err := range client.StreamFactoryJobEvents(ctx, "job_00000000000000000000000000", nil) {
		if !errors.As(err, &missing) {
			t.Errorf("no NotFoundError: %v", err)
		}
	}
	stranger := switchyard.New("wrong", switchyard.Options{BaseURL: os.Getenv("SWITCHYARD_BASE_URL")})
	var refused *switchyard.AuthenticationError
	if _, err := stranger.ListModels(ctx); !errors.As(err, &refused) {
		t.Errorf("no AuthenticationError: %v", err)
	}
	nobody := connect(switchyard.Options{BaseURL: "http://127.0.0.1:9", MaxRetries: -1})
	var unreachable *switchyard.ConnectionError
	if _, err := nobody.ListModels(ctx); !errors.As(err, &unreachable) {
		t.Errorf("no ConnectionError: %v", err)
	}
}

func TestSpentLimit(t *testing.T) {
	client := switchyard.New(os.Getenv("SWITCHYARD_LIMITED_API_KEY"), switchyard.Options{
		BaseURL:    os.Getenv("SWITCHYARD_BASE_URL"),
		MaxRetries: -1,
	})
	if _, err := client.CreateChat(ctx, asking("sandbox")); err != nil {
		t.Fatal(err)
	}
	_, err := client.CreateChat(ctx, asking("sandbox"))
	var limited *switchyard.RateLimitError
	if !errors.As(err, &limited) || limited.RetryAfter() <= 0 {
		t.Errorf("no RateLimitError: %v", err)
	}
}

type counting struct{ sent int }

func (c *counting) Do(request *http.Request) (*http.Response, error) {
	c.sent++
	return http.DefaultClient.Do(request)
}

func TestRetries(t *testing.T) {
	counter := &counting{}
	client := connect(switchyard.Options{HTTPClient: counter})
	_, err := client.CreateChat(ctx, asking("sandbox/error"))
	var failed *switchyard.ServerError
	if !errors.As(err, &failed) || counter.sent != 3 {
		t.Errorf("sent %d times: %v", counter.sent, err)
	}
	var invalid *switchyard.InvalidRequestError
	empty := switchyard.ChatRequest{Value: switchyard.ChatMessageRequest{}}
	if _, err := client.CreateChat(ctx, empty); !errors.As(err, &invalid) || counter.sent != 4 {
		t.Errorf("sent %d times: %v", counter.sent, err)
	}
}

func TestSilence(t *testing.T) {
	client := connect(switchyard.Options{Timeout: 100 * time.Millisecond, MaxRetries: -1})
	_, err := client.CreateChat(ctx, asking("sandbox/slow"))
	var silent *switchyard.ConnectionError
	if !errors.As(err, &silent) || !strings.Contains(err.Error(), "silent") {
		t.Errorf("no ConnectionError: %v", err)
	}
}

func TestHeadersOfOnesOwn(t *testing.T) {
	client := connect(switchyard.Options{})
	id := "go-live-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if _, err := client.CreateChat(switchyard.WithHeader(ctx, "X-Request-Id", id), asking("sandbox")); err != nil {
		t.Fatal(err)
	}
	if _, err := client.GetRequest(ctx, id); err != nil {
		t.Error(err)
	}
}

func TestArchive(t *testing.T) {
	zip, err := connect(switchyard.Options{}).GetFactoryJobArtifact(ctx, os.Getenv("JOB_ID"))
	if err != nil {
		t.Fatal(err)
	}
	defer zip.Close()
	var data bytes.Buffer
	if _, err := data.ReadFrom(zip); err != nil || !bytes.HasPrefix(data.Bytes(), []byte("PK")) || !strings.HasSuffix(zip.Name, ".zip") {
		t.Errorf("no archive: %q, %d bytes, %v", zip.Name, data.Len(), err)
	}
}

func TestRevisions(t *testing.T) {
	client := connect(switchyard.Options{})
	plan, err := client.CreateFactoryPlan(ctx, switchyard.PlanRequest{Prompt: switchyard.Ptr("a list of books")})
	if err != nil {
		t.Fatal(err)
	}
	plan.Spec.Features = []switchyard.AppFeature{} // a list that is left out would be filled in
	started, err := client.CreateFactoryJob(ctx, switchyard.JobRequest{Spec: &plan.Spec})
	if err != nil {
		t.Fatal(err)
	}
	first := done(t, client, started)
	if !reflect.DeepEqual(*first.Plan.Spec, plan.Spec) {
		t.Errorf("%+v is not %+v", *first.Plan.Spec, plan.Spec)
	}
	patched := revised(t, client, first, switchyard.RevisionRequest{Patch: map[string]any{"name": "Shelf", "tagline": nil}})
	diff, err := client.GetFactoryJobDiff(ctx, patched.Id, nil)
	if err != nil || diff.From.Number != 1 || diff.Spec[0].Path != "name" || diff.Spec[0].After != "Shelf" {
		t.Errorf("unexpected difference: %+v, %v", diff, err)
	}
	var late *switchyard.APIError
	call := switchyard.RevisionRequest{Instruction: switchyard.Ptr("call it Stack")}
	if _, err := client.CreateFactoryRevision(ctx, first.Id, call); !errors.As(err, &late) || late.Code != switchyard.ErrorCodeConflict {
		t.Errorf("no conflict: %v", err)
	}
	restored := revised(t, client, patched, switchyard.RevisionRequest{Restore: switchyard.Ptr(int64(1))})
	if *restored.Title != *first.Title || *restored.Revision.Change.Restored != 1 || restored.Revision.Number != 3 {
		t.Errorf("unexpected revision: %+v", restored.Revision)
	}
}

func revised(t *testing.T, client *switchyard.Client, job *switchyard.FactoryJob, body switchyard.RevisionRequest) *switchyard.FactoryJob {
	t.Helper()
	started, err := client.CreateFactoryRevision(ctx, job.Id, body)
	if err != nil {
		t.Fatal(err)
	}
	return done(t, client, started)
}

// done is a build as it is when it has succeeded.
func done(t *testing.T, client *switchyard.Client, job *switchyard.FactoryJob) *switchyard.FactoryJob {
	t.Helper()
	for event, err := range client.StreamFactoryJobEvents(ctx, job.Id, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if end, ok := event.Value.(*switchyard.JobSucceededEvent); ok {
			return &end.Job
		}
	}
	t.Fatal("the build did not succeed")
	return nil
}
