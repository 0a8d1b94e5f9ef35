import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.Configuration;
import org.openapitools.client.api.AgentsApi;
import org.openapitools.client.api.ChatApi;
import org.openapitools.client.api.FactoryJobsApi;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.ChatMessage;
import org.openapitools.client.model.ChatMessageContent;
import org.openapitools.client.model.ChatMessageRequest;
import org.openapitools.client.model.ChatMessageStreamRequest;
import org.openapitools.client.model.ChatMessagesRequest;
import org.openapitools.client.model.ChatRequest;
import org.openapitools.client.model.ChatResponse;
import org.openapitools.client.model.ChatStreamRequest;
import org.openapitools.client.model.ErrorCode;
import org.openapitools.client.model.ErrorResponse;
import org.openapitools.client.model.FactoryJob;
import org.openapitools.client.model.JobRequest;
import org.openapitools.client.model.JobStatus;

/** Calls the server with the client that OpenAPI Generator makes for Java. */
public final class Program {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = Configuration.getDefaultApiClient();
    // Its own setBearerToken takes the first of several schemes.
    ((HttpBearerAuth) client.getAuthentication("bearerAuth")).setBearerToken(System.getenv("API_KEY"));
    ((ApiKeyAuth) client.getAuthentication("apiKeyAuth")).setApiKey(System.getenv("API_KEY"));
    ChatApi chat = new ChatApi(client);

    ChatMessageRequest single = new ChatMessageRequest().model("sandbox/echo").message("Hello");
    ChatResponse answer = chat.createChat(new ChatRequest(single), null, null);
    expect(answer.getContent().equals("Hello") && answer.getUsage().getTotalTokens() > 0, answer);

    ChatMessage message = new ChatMessage().role(ChatMessage.RoleEnum.USER).content(new ChatMessageContent("Hello again"));
    ChatMessagesRequest conversation = new ChatMessagesRequest().model("sandbox/echo").messages(List.of(message));
    answer = chat.createChat(new ChatRequest(conversation), null, null);
    expect(answer.getContent().equals("Hello again"), answer);

    ChatMessageStreamRequest streamed = new ChatMessageStreamRequest().model("sandbox/echo").message("Hello");
    String stream = chat.streamChat(new ChatStreamRequest(streamed), null, null);
    expect(stream.startsWith("event: start\n") && stream.contains("event: end\n"), stream);

    FactoryJobsApi builds = new FactoryJobsApi(client);
    FactoryJob job = builds.createFactoryJob(new JobRequest().prompt("a packing list"), null, null);
    builds.streamFactoryJobEvents(job.getId(), null, null);
    job = builds.getFactoryJob(job.getId(), null);
    expect(job.getStatus() == JobStatus.JOB_STATUS_SUCCEEDED && job.getArtifact().getBytes() > 0, job);

    try {
      new AgentsApi(client).getAgent("nobody");
      expect(false, "found an agent that is not there");
    } catch (ApiException failure) {
      ErrorResponse reply = ErrorResponse.fromJson(failure.getResponseBody());
      expect(failure.getCode() == 404 && reply.getError().getCode() == ErrorCode.NOT_FOUND, reply);
    }
    System.exit(0);
  }

  private static void expect(boolean fits, Object value) {
    if (!fits) throw new AssertionError("unexpected: " + value);
  }
}
