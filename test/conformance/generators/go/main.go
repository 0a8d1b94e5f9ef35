// Calls the server with the client that OpenAPI Generator makes for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	openapi "github.com/switchyard/client"
)

func expect(fits bool, value any) {
	if !fits {
		fmt.Fprintf(os.Stderr, "unexpected: %+v\n", value)
		os.Exit(1)
	}
}

func main() {
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("API_KEY"))
	keys := map[string]openapi.APIKey{"apiKeyAuth": {Key: os.Getenv("API_KEY")}}
	ctx = context.WithValue(ctx, openapi.ContextAPIKeys, keys)
	client := openapi.NewAPIClient(openapi.NewConfiguration())

	single := openapi.NewChatMessageRequest("Hello")
	single.SetModel("sandbox/echo")
	answer, _, err := client.ChatAPI.CreateChat(ctx).ChatRequest(openapi.ChatMessageRequestAsChatRequest(single)).Execute()
	expect(err == nil && answer.Content == "Hello" && answer.Usage.TotalTokens > 0, err)

	message := openapi.NewChatMessage("user")
	message.SetContent(openapi.StringAsChatMessageContent(openapi.PtrString("Hello again")))
	conversation := openapi.NewChatMessagesRequest("sandbox/echo", []openapi.ChatMessage{*message})
	answer, _, err = client.ChatAPI.CreateChat(ctx).ChatRequest(openapi.ChatMessagesRequestAsChatRequest(conversation)).Execute()
	expect(err == nil && answer.Content == "Hello again", err)

	streamed := openapi.NewChatMessageStreamRequest("Hello")
	streamed.SetModel("sandbox/echo")
	request := openapi.ChatMessageStreamRequestAsChatStreamRequest(streamed)
	stream, _, err := client.ChatAPI.StreamChat(ctx).ChatStreamRequest(request).Execute()
	expect(err == nil && strings.HasPrefix(stream, "event: start\n") && strings.Contains(stream, "event: end\n"), stream)

	build := openapi.NewJobRequest()
	build.SetPrompt("a packing list")
	job, _, err := client.FactoryJobsAPI.CreateFactoryJob(ctx).JobRequest(*build).Execute()
	expect(err == nil, err)
	_, _, err = client.FactoryJobsAPI.StreamFactoryJobEvents(ctx, job.Id).Execute()
	expect(err == nil, err)
	job, _, err = client.FactoryJobsAPI.GetFactoryJob(ctx, job.Id).Execute()
	expect(err == nil && job.Status == openapi.JOB_STATUS_SUCCEEDED && job.Artifact.Get().Bytes > 0, job)

	_, response, err := client.AgentsAPI.GetAgent(ctx, "nobody").Execute()
	var failure *openapi.GenericOpenAPIError
	expect(errors.As(err, &failure) && response.StatusCode == 404, err)
	model, isError := failure.Model().(openapi.ErrorResponse)
	expect(isError && model.Error.Code == openapi.NOT_FOUND, failure.Model())
}
