package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/switchyard/switchyard-go"
)

var ctx = context.Background()

func start(t *testing.T) *switchyard.ClientWithResponses {
	t.Helper()
	// sample start
	client, err := switchyard.New(os.Getenv("SWITCHYARD_API_KEY"), switchyard.Options{
		BaseURL: os.Getenv("SWITCHYARD_BASE_URL"),
	})
	// end
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func hello() switchyard.ChatRequest {
	return switchyard.Message(switchyard.ChatMessageRequest{Message: "Hello"})
}

func TestVariantA(t *testing.T) {
	client := start(t)
	// sample createChat: A conversation (variant A)
	answer, err := client.CreateChatWithResponse(ctx, switchyard.Conversation(switchyard.ChatMessagesRequest{
		Model: "sandbox",
		Messages: []switchyard.ChatMessage{
			{Role: switchyard.ChatMessageRoleSystem, Content: switchyard.Ptr("You answer in one sentence.")},
			{Role: switchyard.ChatMessageRoleUser, Content: switchyard.Ptr("Why is the sky blue?")},
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(answer.JSON200.Content, answer.JSON200.Usage.TotalTokens)
	// end
	if !strings.HasPrefix(answer.JSON200.Id, "chat-") || answer.JSON200.Usage.TotalTokens < 2 {
		t.Errorf("unexpected answer: %+v", answer.JSON200)
	}
}

func TestVariantB(t *testing.T) {
	client := start(t)
	// sample createChat: A single message (variant B)
	answer, err := client.CreateChatWithResponse(ctx, switchyard.Message(switchyard.ChatMessageRequest{
		Message: "Why is the sky blue?",
	}))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(answer.JSON200.Content)
	// end
	if answer.JSON200.FinishReason != switchyard.FinishReasonStop {
		t.Errorf("unexpected reason: %s", answer.JSON200.FinishReason)
	}
}

func TestModelsUsageAndRequests(t *testing.T) {
	client := start(t)
	if _, err := client.CreateChatWithResponse(ctx, hello()); err != nil {
		t.Fatal(err)
	}
	// sample listModels
	models, err := client.ListModelsWithResponse(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range models.JSON200.Data {
		fmt.Println(model.Id, model.Provider)
	}
	// end
	// sample getUsage
	usage, err := client.GetUsageWithResponse(ctx, &switchyard.GetUsageParams{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(usage.JSON200.Plan, usage.JSON200.Total.Requests)
	// end
	// sample listRequests
	page, err := client.ListRequestsWithResponse(ctx, &switchyard.ListRequestsParams{Limit: switchyard.Ptr(int32(10))})
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range page.JSON200.Data {
		fmt.Println(request.RequestId, request.Status)
	}
	// end
	id := page.JSON200.Data[0].RequestId
	// sample getRequest
	request, err := client.GetRequestWithResponse(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(request.JSON200.Status, request.JSON200.Attempts)
	// end
	if request.JSON200.RequestId != id || usage.JSON200.Total.Requests < 1 {
		t.Errorf("unexpected record: %+v", request.JSON200)
	}
}

// if useFeature
func TestFeatures(t *testing.T) {
	client := start(t)
	// sample listFeatures
	features, err := client.ListFeaturesWithResponse(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, feature := range features.JSON200.Data {
		fmt.Println(feature.Id, feature.Availability)
	}
	// end
	// sample keywords
	result, err := client.KeywordsWithResponse(ctx, switchyard.KeywordsCall{
		Input: switchyard.KeywordsInput{Text: "Solar panels turn sunlight into electricity.", Limit: switchyard.Ptr(int32(2))},
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(result.JSON200.Output.Keywords)
	// end
	// sample useFeature
	used, err := client.UseFeatureWithResponse(ctx, "keywords", switchyard.AiCall{
		Input: map[string]any{"text": "Solar panels turn sunlight into electricity.", "limit": 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(used.JSON200.Output)
	// end
	if len(result.JSON200.Output.Keywords) != 2 || used.JSON200.Feature != "keywords" {
		t.Errorf("unexpected output: %+v", result.JSON200.Output)
	}
}

// end if
// if runAgent
func TestAgents(t *testing.T) {
	client := start(t)
	// sample runAgent
	request := switchyard.AgentRunRequest{}
	if err := request.Input.FromAgentText("What is 17 * 23?"); err != nil {
		t.Fatal(err)
	}
	agentRun, err := client.RunAgentWithResponse(ctx, "assistant", request)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(agentRun.JSON200.Status, *agentRun.JSON200.Output)
	// end
	if agentRun.JSON200.Status != switchyard.RunStatusSucceeded {
		t.Errorf("unexpected run: %+v", agentRun.JSON200)
	}
}

// end if
func TestErrors(t *testing.T) {
	client := start(t)
	request := switchyard.Message(switchyard.ChatMessageRequest{Message: "Hello", Temperature: switchyard.Ptr(float32(3))})
	// sample errors
	_, err := client.CreateChatWithResponse(ctx, request)
	var limited *switchyard.RateLimitError
	var failed *switchyard.APIError
	switch {
	case errors.As(err, &limited):
		fmt.Println("come back in", limited.RetryAfter())
	case errors.As(err, &failed):
		fmt.Println(failed.StatusCode, failed.Code, failed.Message)
	}
	// end
	var invalid *switchyard.InvalidRequestError
	if !errors.As(err, &invalid) || *invalid.Param != "temperature" || invalid.StatusCode != 400 {
		t.Errorf("no InvalidRequestError: %v", err)
	}

	var missing *switchyard.NotFoundError
	if _, err := client.GetRequestWithResponse(ctx, "req_none"); !errors.As(err, &missing) {
		t.Errorf("no NotFoundError: %v", err)
	}

	stranger, _ := switchyard.New("wrong", switchyard.Options{BaseURL: os.Getenv("SWITCHYARD_BASE_URL")})
	var refused *switchyard.AuthenticationError
	if _, err := stranger.ListModelsWithResponse(ctx); !errors.As(err, &refused) {
		t.Errorf("no AuthenticationError: %v", err)
	}
}

func TestSpentLimit(t *testing.T) {
	client, _ := switchyard.New(os.Getenv("SWITCHYARD_LIMITED_API_KEY"), switchyard.Options{
		BaseURL:    os.Getenv("SWITCHYARD_BASE_URL"),
		MaxRetries: -1,
	})
	if _, err := client.CreateChatWithResponse(ctx, hello()); err != nil {
		t.Fatal(err)
	}
	_, err := client.CreateChatWithResponse(ctx, hello())
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
	client, _ := switchyard.New(os.Getenv("SWITCHYARD_API_KEY"), switchyard.Options{
		BaseURL:    os.Getenv("SWITCHYARD_BASE_URL"),
		HTTPClient: counter,
	})
	body := switchyard.Message(switchyard.ChatMessageRequest{Model: switchyard.Ptr("sandbox/error"), Message: "Hello"})
	_, err := client.CreateChatWithResponse(ctx, body)
	var failed *switchyard.ServerError
	if !errors.As(err, &failed) || counter.sent != 3 {
		t.Errorf("sent %d times: %v", counter.sent, err)
	}
	client.CreateChatWithResponse(ctx, switchyard.Message(switchyard.ChatMessageRequest{}))
	if counter.sent != 4 {
		t.Errorf("sent %d times", counter.sent)
	}
}
