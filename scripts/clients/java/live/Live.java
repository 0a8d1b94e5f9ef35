import io.switchyard.client.ApiException;
import io.switchyard.client.SwitchyardClient;
import io.switchyard.client.SwitchyardException;
// if runAgent
import io.switchyard.client.model.AgentRun;
import io.switchyard.client.model.AgentRunRequest;
import io.switchyard.client.model.AgentRunRequestInput;
import io.switchyard.client.model.RunStatus;
// end if
// if useFeature
import io.switchyard.client.model.AiCall;
import io.switchyard.client.model.AiFeature;
import io.switchyard.client.model.AiResult;
import io.switchyard.client.model.KeywordsCall;
import io.switchyard.client.model.KeywordsInput;
import io.switchyard.client.model.KeywordsResult;
// end if
import io.switchyard.client.model.ChatMessage;
import io.switchyard.client.model.ChatMessage.RoleEnum;
import io.switchyard.client.model.ChatMessageRequest;
import io.switchyard.client.model.ChatMessagesRequest;
import io.switchyard.client.model.ChatRequest;
import io.switchyard.client.model.ChatResponse;
import io.switchyard.client.model.FinishReason;
import io.switchyard.client.model.Model;
import io.switchyard.client.model.RequestList;
import io.switchyard.client.model.RequestRecord;
import io.switchyard.client.model.UsageReport;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;

/** The live test. Ends with a line that counts, or with an exception. */
public final class Live {
    private static int checks = 0;

    private static void check(boolean holds, String what) {
        checks++;
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private interface Call {
        void run() throws ApiException;
    }

    private static <E extends SwitchyardException> E fails(Class<E> kind, Call call) throws ApiException {
        try {
            call.run();
        } catch (SwitchyardException error) {
            check(kind.isInstance(error), kind + " was expected, not " + error);
            return kind.cast(error);
        }
        throw new AssertionError(kind + " was expected");
    }

    public static void main(String[] arguments) throws ApiException {
        Map<String, String> env = System.getenv();
        String baseUrl = env.get("SWITCHYARD_BASE_URL");
        ChatRequest hello = new ChatRequest(new ChatMessageRequest().message("Hello"));

        // sample start
        SwitchyardClient switchyard = SwitchyardClient.builder()
            .apiKey(System.getenv("SWITCHYARD_API_KEY"))
            .baseUrl(System.getenv("SWITCHYARD_BASE_URL"))
            .build();
        // end

        // sample createChat: A conversation (variant A)
        ChatResponse answer = switchyard.chat().createChat(new ChatRequest(
            new ChatMessagesRequest()
                .model("sandbox")
                .addMessagesItem(new ChatMessage().role(RoleEnum.SYSTEM).content("You answer in one sentence."))
                .addMessagesItem(new ChatMessage().role(RoleEnum.USER).content("Why is the sky blue?"))
                .temperature(new BigDecimal("0.7"))));
        System.out.println(answer.getContent() + " " + answer.getUsage().getTotalTokens());
        // end
        check(answer.getId().startsWith("chat-"), "an id");
        check(answer.getUsage().getTotalTokens() > 1, "tokens");

        // sample createChat: A single message (variant B)
        ChatResponse reply = switchyard.chat().createChat(
            new ChatRequest(new ChatMessageRequest().message("Why is the sky blue?")));
        System.out.println(reply.getContent());
        // end
        check(reply.getFinishReason() == FinishReason.STOP, "a reason");

        // sample listModels
        for (Model model : switchyard.models().listModels().getData()) {
            System.out.println(model.getId() + " " + model.getProvider());
        }
        // end
        // sample getUsage
        UsageReport usage = switchyard.usage().getUsage(LocalDate.parse("2026-11-01"), null);
        System.out.println(usage.getPlan() + " " + usage.getTotal().getRequests());
        // end
        check(usage.getTotal().getRequests() > 0, "requests");
        // sample listRequests
        RequestList page = switchyard.usage().listRequests(10, null);
        for (RequestRecord request : page.getData()) {
            System.out.println(request.getRequestId() + " " + request.getStatus());
        }
        // end
        String requestId = page.getData().get(0).getRequestId();
        // sample getRequest
        RequestRecord request = switchyard.usage().getRequest(requestId);
        System.out.println(request.getStatus() + " " + request.getAttempts());
        // end
        check(request.getRequestId().equals(requestId), "the request");

        // if useFeature
        // sample listFeatures
        for (AiFeature feature : switchyard.features().listFeatures().getData()) {
            System.out.println(feature.getId() + " " + feature.getAvailability());
        }
        // end
        // sample keywords
        KeywordsResult keywords = switchyard.features().keywords(new KeywordsCall().input(
            new KeywordsInput().text("Solar panels turn sunlight into electricity.").limit(2)));
        System.out.println(keywords.getOutput().getKeywords());
        // end
        check(keywords.getOutput().getKeywords().size() == 2, "two keywords");
        // sample useFeature
        AiResult used = switchyard.features().useFeature("keywords", new AiCall()
            .putInputItem("text", "Solar panels turn sunlight into electricity.")
            .putInputItem("limit", 2));
        System.out.println(used.getOutput());
        // end
        check(used.getFeature().equals("keywords"), "the feature");
        // end if
        // if runAgent
        // sample runAgent
        AgentRun agentRun = switchyard.agents().runAgent("assistant", new AgentRunRequest().input(
            new AgentRunRequestInput("What is 17 * 23?")));
        System.out.println(agentRun.getStatus() + " " + agentRun.getOutput());
        // end
        check(agentRun.getStatus() == RunStatus.SUCCEEDED, "an answer");
        // end if

        ChatRequest hot = new ChatRequest(new ChatMessageRequest().message("Hello").temperature(new BigDecimal(3)));
        // sample errors
        try {
            switchyard.chat().createChat(hot);
        } catch (SwitchyardException.RateLimit error) {
            System.out.println("come back in " + error.getRetryAfter() + " seconds");
        } catch (SwitchyardException error) {
            System.out.println(error.getCode() + " " + error.getError() + " " + error.getMessage());
        }
        // end
        SwitchyardException invalid =
            fails(SwitchyardException.InvalidRequest.class, () -> switchyard.chat().createChat(hot));
        check(invalid.getCode() == 400 && invalid.getError().get().getParam().equals("temperature"), "what was wrong");
        SwitchyardClient stranger = SwitchyardClient.builder().apiKey("wrong").baseUrl(baseUrl).build();
        fails(SwitchyardException.Authentication.class, () -> stranger.models().listModels());
        fails(SwitchyardException.NotFound.class, () -> switchyard.usage().getRequest("req_none"));

        SwitchyardClient limited = SwitchyardClient.builder()
            .apiKey(env.get("SWITCHYARD_LIMITED_API_KEY")).baseUrl(baseUrl).maxRetries(0).build();
        limited.chat().createChat(hello);
        SwitchyardException spent =
            fails(SwitchyardException.RateLimit.class, () -> limited.chat().createChat(hello));
        check(spent.getRetryAfter().get() > 0, "when to come back");

        AtomicInteger sent = new AtomicInteger();
        OkHttpClient counting = new OkHttpClient.Builder().addInterceptor(chain -> {
            sent.incrementAndGet();
            return chain.proceed(chain.request());
        }).build();
        SwitchyardClient retrying = SwitchyardClient.builder().baseUrl(baseUrl).httpClient(counting).build();
        fails(SwitchyardException.Server.class, () -> retrying.chat().createChat(
            new ChatRequest(new ChatMessageRequest().model("sandbox/error").message("Hello"))));
        check(sent.get() == 3, "sent three times, not " + sent);
        fails(SwitchyardException.InvalidRequest.class, () -> retrying.chat().createChat(
            new ChatRequest(new ChatMessageRequest().message(""))));
        check(sent.get() == 4, "sent once, not " + sent);

        System.out.println(checks + " checks passed");
    }
}
