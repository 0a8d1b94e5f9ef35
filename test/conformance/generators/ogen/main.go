// Calls the server with the client that ogen makes.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"program/api"
)

func expect(fits bool, value any) {
	if !fits {
		fmt.Fprintf(os.Stderr, "unexpected: %+v\n", value)
		os.Exit(1)
	}
}

// keys gives the API key in both schemes that are used here.
type keys struct{ api.SecuritySource }

func (keys) BearerAuth(context.Context, api.OperationName) (api.BearerAuth, error) {
	return api.BearerAuth{Token: os.Getenv("API_KEY")}, nil
}

func (keys) ApiKeyAuth(context.Context, api.OperationName) (api.ApiKeyAuth, error) {
	return api.ApiKeyAuth{APIKey: os.Getenv("API_KEY")}, nil
}

func main() {
	ctx := context.Background()
	client, err := api.NewClient(os.Getenv("SERVER_URL"), keys{})
	expect(err == nil, err)

	model := api.NewOptModelName("sandbox/echo")
	single := api.NewChatMessageRequestChatRequest(api.ChatMessageRequest{Model: model, Message: "Hello"})
	reply, err := client.CreateChat(ctx, single, api.CreateChatParams{})
	expect(err == nil, err)
	answer, isAnswer := reply.(*api.ChatResponseHeaders)
	expect(isAnswer && answer.Response.Content == "Hello" && answer.Response.Usage.TotalTokens > 0, reply)

	content := api.NewOptChatMessageContent(api.NewStringChatMessageContent("Hello again"))
	messages := []api.ChatMessage{{Role: api.ChatMessageRoleUser, Content: content}}
	conversation := api.NewChatMessagesRequestChatRequest(api.ChatMessagesRequest{Model: "sandbox/echo", Messages: messages})
	reply, err = client.CreateChat(ctx, conversation, api.CreateChatParams{})
	expect(err == nil, err)
	answer, isAnswer = reply.(*api.ChatResponseHeaders)
	expect(isAnswer && answer.Response.Content == "Hello again", reply)

	streamed := api.ChatMessageStreamRequest{Model: model, Message: "Hello"}
	stream, err := client.StreamChat(ctx, api.NewChatMessageStreamRequestChatStreamRequest(streamed), api.StreamChatParams{})
	expect(err == nil, err)
	events, isStream := stream.(*api.StreamChatOKHeaders)
	expect(isStream, stream)
	text, err := io.ReadAll(events.Response)
	expect(err == nil && strings.HasPrefix(string(text), "event: start\n"), string(text))
	expect(strings.Contains(string(text), "event: end\n"), string(text))

	build := api.JobRequest{Prompt: api.NewOptPrompt("a packing list")}
	accepted, err := client.CreateFactoryJob(ctx, &build, api.CreateFactoryJobParams{})
	expect(err == nil, err)
	id := accepted.(*api.AcceptedJobHeaders).Response.ID
	watched, err := client.StreamFactoryJobEvents(ctx, api.StreamFactoryJobEventsParams{JobID: id})
	expect(err == nil, err)
	_, err = io.ReadAll(watched.(*api.StreamPublicDemoEventsReply200Headers).Response)
	expect(err == nil, err)
	ended, err := client.GetFactoryJob(ctx, api.GetFactoryJobParams{JobID: id})
	expect(err == nil, err)
	job := ended.(*api.GetPublicDemoReply200Headers).Response
	expect(job.Status == api.JobStatusSucceeded && job.Artifact.Value.Bytes > 0, job)

	found, err := client.GetAgent(ctx, api.GetAgentParams{AgentID: "nobody"})
	expect(err == nil, err)
	missing, isMissing := found.(*api.NotFoundHeaders)
	expect(isMissing && missing.Response.Error.Code == api.ErrorCodeNotFound, found)
}
