import io.switchyard.client.Download;
import io.switchyard.client.EventStream;
import io.switchyard.client.SwitchyardClient;
import io.switchyard.client.SwitchyardException;
import io.switchyard.client.Transport;
import io.switchyard.client.model.*;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The live test. Ends with a line that counts, or with an exception. */
public final class LiveTest {
    private static final String BASE_URL = System.getenv("SWITCHYARD_BASE_URL");
    private static final String JOB = System.getenv("JOB_ID");
    private static int checks = 0;

    private static void check(boolean holds, String what) {
        checks++;
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static <E extends SwitchyardException> E fails(Class<E> kind, Runnable call) {
        try {
            call.run();
        } catch (SwitchyardException error) {
            check(kind.isInstance(error), kind + " was expected, not " + error);
            return kind.cast(error);
        }
        throw new AssertionError(kind + " was expected");
    }

    private static SwitchyardClient.Builder client() {
        return SwitchyardClient.builder().apiKey(System.getenv("SWITCHYARD_API_KEY")).baseUrl(BASE_URL);
    }

    private static SwitchyardClient cut() {
        return client().baseUrl(System.getenv("SWITCHYARD_CUT_URL")).build();
    }

    private static ChatRequest asking(String model) {
        return new ChatRequest(new ChatMessageRequest().message("Hello").model(model));
    }

    private static ChatStreamRequest streaming(String model) {
        return new ChatStreamRequest(new ChatMessageStreamRequest().message("Hello").model(model));
    }

    public static void main(String[] arguments) throws Exception {
        answers(client().build());
        streams(client().build());
        resumes(client().build());
        revises(client().build());
        errors(client().build());
        retries();
        System.out.println(checks + " checks passed");
    }

    private static void answers(SwitchyardClient switchyard) throws Exception {
        ChatResponse answer = switchyard.chat().createChat(asking("sandbox/echo"));
        check(answer.getContent().equals("Hello") && answer.getId().startsWith("chat-"), "an answer");
        check(answer.getFinishReason() == FinishReason.STOP && answer.getUsage().getTotalTokens() > 1, "its end");
        AgentRun run = switchyard.agents().runAgent("assistant", new AgentRunRequest().input(
            new AgentRunRequestInput(List.of(new AgentMessage().role("user").content("What is 17 * 23?")))));
        check(run.getStatus() == RunStatus.SUCCEEDED, "a run");
        check(run.getSteps().get(0).value() instanceof ModelStep, "a step");
        try (Download zip = switchyard.jobs().getFactoryJobArtifact(JOB)) {
            check(zip.read() == 'P' && zip.name().orElse("").endsWith(".zip"), "an archive");
        }
        String id = "java-live-" + System.nanoTime();
        client().header("X-Request-Id", id).build().chat().createChat(asking("sandbox"));
        check(switchyard.usage().getRequest(id).getRequestId().equals(id), "a header of one's own");
    }

    private static void streams(SwitchyardClient switchyard) {
        StringBuilder text = new StringBuilder();
        int ends = 0;
        for (ChatStreamEvent event : switchyard.chat().streamChat(streaming("sandbox/echo"))) {
            if (event.value() instanceof ChatDeltaEvent delta) {
                text.append(delta.getContent());
            } else if (event.value() instanceof ChatEndEvent) {
                ends++;
            }
        }
        check(text.toString().equals("Hello") && ends == 1, text + ", " + ends + " ends");

        List<Object> events = new ArrayList<>();
        EventStream<ChatStreamEvent> failing = switchyard.chat().streamChat(streaming("sandbox/cut-stream"));
        SwitchyardException failed = fails(SwitchyardException.class, () -> failing.forEach(events::add));
        check(failed.getError().get().getCode() == ErrorCode.PROVIDER_STREAM_INTERRUPTED, "an error event");
        check(events.size() > 1 && !failing.hasNext(), "events before it, none after it");

        events.clear();
        EventStream<ChatStreamEvent> broken = cut().chat().streamChat(streaming("sandbox"));
        fails(SwitchyardException.StreamInterrupted.class, () -> broken.forEach(events::add));
        check(events.size() == 3 && !broken.hasNext(), "three events, not " + events.size());

        try (EventStream<ChatStreamEvent> left = switchyard.chat().streamChat(streaming("sandbox/slow"))) {
            check(left.next().value() instanceof ChatStartEvent, "a start");
        }
        SwitchyardClient hasty = client().timeout(Duration.ofMillis(100)).maxRetries(0).build();
        fails(SwitchyardException.Connection.class, () -> hasty.chat().createChat(asking("sandbox/slow")));
        // Before the stream or in it.
        SwitchyardException silent = fails(SwitchyardException.class,
            () -> hasty.chat().streamChat(streaming("sandbox/slow")).forEach(event -> {}));
        check(silent.getStatus() == 0, "no reply to be read, not " + silent);
    }

    /** The events of a build, up to its end or to where the stream breaks off. */
    private static int[] watch(SwitchyardClient switchyard, long after) {
        int[] found = {0, 0};
        try (EventStream<BuildEvent> events = switchyard.jobs().streamFactoryJobEvents(JOB, after)) {
            while (events.hasNext()) {
                found[1] = events.next().value() instanceof JobSucceededEvent ? 1 : 0;
                found[0]++;
            }
        } catch (SwitchyardException.StreamInterrupted broken) {
            check(broken.getAfter() == after + found[0], "the number of the last event");
        }
        return found;
    }

    private static void resumes(SwitchyardClient switchyard) {
        int[] whole = watch(switchyard, 0);
        check(whole[0] > 7 && whole[1] == 1, "a whole build");
        int count = 0;
        boolean done = false;
        while (!done) {
            int[] part = watch(cut(), count);
            check(part[0] > 0 && part[0] <= 3, "at most three events, not " + part[0]);
            count += part[0];
            done = part[1] == 1;
        }
        check(count == whole[0], count + " events, not " + whole[0]);
    }

    /** A build as it is once it is done. */
    private static FactoryJob built(SwitchyardClient switchyard, FactoryJob job) {
        try (EventStream<BuildEvent> events = switchyard.jobs().streamFactoryJobEvents(job.getId(), null)) {
            for (BuildEvent event : events) {
                if (event.value() instanceof JobSucceededEvent done) {
                    return done.getJob();
                }
            }
        }
        throw new AssertionError("a build was expected");
    }

    private static FactoryJob revise(SwitchyardClient switchyard, FactoryJob job, RevisionRequest change) {
        return built(switchyard, switchyard.jobs().createFactoryRevision(job.getId(), change));
    }

    private static void revises(SwitchyardClient switchyard) {
        AppSpec planned = switchyard.jobs().createFactoryPlan(new PlanRequest().prompt("a list of books")).getSpec();
        check(!planned.getEntity().getFields().isEmpty(), "a plan");
        FactoryJob first = built(switchyard,
            switchyard.jobs().createFactoryJob(new JobRequest().spec(planned.name("Shelf"))));
        check(first.getTitle().equals("Shelf"), "the plan that was sent");
        FactoryJob second = revise(switchyard, first,
            new RevisionRequest().spec(new AppSpec().tagline("What I have read")));
        check(second.getPlan().getSpec().getTagline().equals("What I have read"), "part of a spec");
        Map<String, Object> patch = new HashMap<>();
        patch.put("name", "Books");
        patch.put("tagline", null);
        FactoryJob third = revise(switchyard, second, new RevisionRequest().patch(patch));
        check(third.getTitle().equals("Books"), "a patch");
        check(!third.getPlan().getSpec().getTagline().equals("What I have read"), "a patch that deletes");
        FactoryJob fourth = revise(switchyard, third, new RevisionRequest().restore(2));
        check(fourth.getPlan().getSpec().getTagline().equals("What I have read"), "a revision taken again");
        SwitchyardException late = fails(SwitchyardException.class,
            () -> revise(switchyard, first, new RevisionRequest().instruction("call it Late")));
        check(late.getStatus() == 409, "a conflict, not " + late);
        check(late.getError().get().getDetails().get(0).getCode().equals("newest_id"), "which is the newest");
    }

    private static void errors(SwitchyardClient switchyard) {
        ChatRequest hot = new ChatRequest(new ChatMessageRequest().message("Hello").temperature(3.0));
        SwitchyardException invalid =
            fails(SwitchyardException.InvalidRequest.class, () -> switchyard.chat().createChat(hot));
        check(invalid.getStatus() == 400 && invalid.getError().get().getParam().equals("temperature"), "what was wrong");
        SwitchyardClient stranger = client().apiKey("wrong").build();
        fails(SwitchyardException.Authentication.class, () -> stranger.models().listModels());
        fails(SwitchyardException.NotFound.class, () -> switchyard.usage().getRequest("req_none"));
        fails(SwitchyardException.NotFound.class,
            () -> switchyard.jobs().streamFactoryJobEvents("job_00000000000000000000000000", null));
        SwitchyardClient nobody = client().baseUrl("http://127.0.0.1:9").maxRetries(0).build();
        fails(SwitchyardException.Connection.class, () -> nobody.models().listModels());

        SwitchyardClient limited =
            client().apiKey(System.getenv("SWITCHYARD_LIMITED_API_KEY")).maxRetries(0).build();
        limited.chat().createChat(asking("sandbox"));
        SwitchyardException spent =
            fails(SwitchyardException.RateLimit.class, () -> limited.chat().createChat(asking("sandbox")));
        check(spent.getRetryAfter().get() > 0, "when to come back");
    }

    private static void retries() {
        AtomicInteger sent = new AtomicInteger();
        HttpClient http = HttpClient.newHttpClient();
        Transport counting = request -> {
            sent.incrementAndGet();
            return http.send(request, BodyHandlers.ofInputStream());
        };
        SwitchyardClient switchyard = client().transport(counting).build();
        fails(SwitchyardException.Server.class, () -> switchyard.chat().createChat(asking("sandbox/error")));
        check(sent.get() == 3, "sent three times, not " + sent);
        fails(SwitchyardException.InvalidRequest.class,
            () -> switchyard.chat().createChat(new ChatRequest(new ChatMessageRequest().message(""))));
        check(sent.get() == 4, "sent once, not " + sent);
    }
}
