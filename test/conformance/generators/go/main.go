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

	_, response, err := client.AgentsAPI.GetAgent(ctx, "nobody").Execute()
	var failure *openapi.GenericOpenAPIError
	expect(errors.As(err, &failure) && response.StatusCode == 404, err)
	model, isError := failure.Model().(openapi.ErrorResponse)
	expect(isError && model.Error.Code == openapi.NOT_FOUND, failure.Model())
}
