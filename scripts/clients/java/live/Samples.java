// The samples of the documentation. Each is printed after `start` as a whole program, and run as it is printed.
// @formatter:off

// sample start
import io.switchyard.client.*;
import io.switchyard.client.model.*;

SwitchyardClient switchyard = SwitchyardClient.builder()
    .apiKey(System.getenv("SWITCHYARD_API_KEY"))
    .baseUrl(System.getenv().getOrDefault("SWITCHYARD_BASE_URL", "http://127.0.0.1:8080"))
    .build();
// end

// sample createChat: A conversation (variant A)
ChatResponse answer = switchyard.chat().createChat(new ChatRequest(new ChatMessagesRequest()
    .model("sandbox")
    .addMessagesItem(new ChatMessage().role("system").content("You answer in one sentence."))
    .addMessagesItem(new ChatMessage().role("user").content("Why is the sky blue?"))
    .temperature(0.7)));
System.out.println(answer.getContent() + " " + answer.getUsage().getTotalTokens());
// end

// sample createChat: A single message (variant B)
ChatResponse reply = switchyard.chat().createChat(new ChatRequest(
    new ChatMessageRequest().message("Why is the sky blue?")));
System.out.println(reply.getContent());
// end

// sample createEstimate
DryRunReport estimate = switchyard.chat().createEstimate(new ChatRequest(
    new ChatMessageRequest().message("Why is the sky blue?")));
System.out.println(estimate.getRefused() + " " + estimate.getTargets().get(0).getModel()
    + " " + estimate.getTokens().getPrompt());
// end

// sample createChatAlias
ChatResponse answer = switchyard.chat().createChatAlias(new ChatRequest(
    new ChatMessageRequest().message("Why is the sky blue?")));
System.out.println(answer.getContent());
// end

// sample streamChat
var body = new ChatStreamRequest(new ChatMessageStreamRequest().message("Why is the sky blue?"));
try (EventStream<ChatStreamEvent> events = switchyard.chat().streamChat(body)) {
    for (ChatStreamEvent event : events) {
        if (event.value() instanceof ChatDeltaEvent delta) {
            System.out.print(delta.getContent());
        } else if (event.value() instanceof ChatEndEvent end) {
            System.out.println("\n" + end.getUsage().getTotalTokens() + " tokens");
        }
    }
}
// end

// sample listModels
for (Model model : switchyard.models().listModels().getData()) {
    System.out.println(model.getId() + " " + model.getProvider());
}
// end

// sample getUsage
UsageReport usage = switchyard.usage().getUsage(null, null, null);
System.out.println(usage.getPlan() + " " + usage.getTotal().getRequests());
// end

// sample exportUsage
System.out.println(switchyard.usage().exportUsage(null, null, null));
// end

// sample listOwnBudgets
for (Budget budget : switchyard.usage().listOwnBudgets(null, null).getData()) {
    System.out.println(budget.getLabel() + " " + budget.getState().getUsed() + " " + budget.getLimit());
}
// end

// sample listRequests
RequestList page = switchyard.usage().listRequests(null, 10, null);
for (RequestRecord request : page.getData()) {
    System.out.println(request.getRequestId() + " " + request.getStatus());
}
// end

// sample getRequest
String id = switchyard.usage().listRequests(null, 1, null).getData().get(0).getRequestId();
RequestRecord request = switchyard.usage().getRequest(id);
System.out.println(request.getStatus() + " " + request.getAttempts().size());
// end

// sample listFeatures
for (AiFeature feature : switchyard.features().listFeatures().getData()) {
    System.out.println(feature.getId() + " " + feature.getAvailability());
}
// end

// sample useFeature
import java.util.Map;

AiResult result = switchyard.features().useFeature("keywords", new AiCall()
    .input(Map.of("text", "Solar panels turn sunlight into electricity.", "limit", 2)));
System.out.println(result.getOutput());
// end

// sample streamFeature
import java.util.Map;

var call = new AiStreamCall()
    .input(Map.of("text", "Solar panels turn sunlight into electricity. They have no moving parts."))
    .engine(AiEngine.LOCAL);
try (EventStream<AiStreamEvent> events = switchyard.features().streamFeature("summarize", call)) {
    for (AiStreamEvent event : events) {
        if (event.value() instanceof AiEndEvent end) {
            System.out.println(end.getOutput());
        }
    }
}
// end

// sample classify
ClassifyResult result = switchyard.features().classify(new ClassifyCall().input(new ClassifyInput()
    .text("My parcel has not arrived.")
    .addLabelsItem(new ClassifyInputLabelsItem().name("delivery"))
    .addLabelsItem(new ClassifyInputLabelsItem().name("payment"))));
System.out.println(result.getOutput().getLabels() + " " + result.getOutput().getReason());
// end

// sample extract
import java.util.Map;

ExtractResult result = switchyard.features().extract(new ExtractCall().input(new ExtractInput()
    .text("Ada Lovelace, born in 1815")
    .schema(Map.of("type", "object", "properties", Map.of("name", Map.of("type", "string"))))));
System.out.println(result.getOutput().getData());
// end

// sample moderate
ModerateResult result = switchyard.features().moderate(new ModerateCall().input(
    new ModerateInput().text("Have a nice day.")));
System.out.println(result.getOutput().getFlagged());
// end

// sample rewrite
RewriteResult result = switchyard.features().rewrite(new RewriteCall().input(
    new RewriteInput().text("Send it now.").tone("friendly")));
System.out.println(result.getOutput().getText());
// end

// sample translate
TranslateResult result = switchyard.features().translate(new TranslateCall().input(
    new TranslateInput().text("Good morning").to("de")));
System.out.println(result.getOutput().getTranslation());
// end

// sample compare
CompareResult result = switchyard.features().compare(new CompareCall().input(
    new CompareInput().a("Solar panels make power.").b("Solar panels make electric power.")));
System.out.println(result.getOutput().getSimilarity() + " " + result.getOutput().getVerdict());
// end

// sample detectLanguage
DetectLanguageResult result = switchyard.features().detectLanguage(new DetectLanguageCall().input(
    new DetectLanguageInput().text("Sonnenkollektoren machen aus Licht elektrischen Strom.")));
System.out.println(result.getOutput().getLanguage());
// end

// sample keywords
KeywordsResult result = switchyard.features().keywords(new KeywordsCall().input(
    new KeywordsInput().text("Solar panels turn sunlight into electricity.").limit(2)));
result.getOutput().getKeywords().forEach(keyword ->
    System.out.println(keyword.getKeyword() + " " + keyword.getScore()));
// end

// sample sentiment
SentimentResult result = switchyard.features().sentiment(new SentimentCall().input(
    new SentimentInput().text("The new panels work wonderfully.")));
System.out.println(result.getOutput().getSentiment() + " " + result.getOutput().getScore());
// end

// sample summarize
SummarizeResult result = switchyard.features().summarize(new SummarizeCall().engine("local").input(
    new SummarizeInput().text("Solar panels turn sunlight into electricity. They have no moving parts.")));
System.out.println(result.getOutput().getSummary());
// end

// sample listAgents
for (Agent agent : switchyard.agents().listAgents().getData()) {
    System.out.println(agent.getId() + " " + agent.getName());
}
// end

// sample getAgent
Agent agent = switchyard.agents().getAgent("assistant");
System.out.println(agent.getName() + " " + agent.getTools().size());
// end

// sample runAgent
AgentRun run = switchyard.agents().runAgent("assistant", new AgentRunRequest()
    .input(new AgentRunRequestInput("What is 17 * 23?")));
System.out.println(run.getStatus() + " " + run.getOutput());
// end

// sample runAssistant
AgentRun run = switchyard.agents().runAssistant(new TextRunRequest()
    .input(new TextRunRequestInput("What is 17 * 23?")));
System.out.println(run.getStatus() + " " + run.getOutput());
// end

// sample runAppBuilder
AgentRun run = switchyard.agents().runAppBuilder(new TextRunRequest()
    .input(new TextRunRequestInput("Build a to-do list for a family")));
System.out.println(run.getStatus() + " " + run.getOutput());
// end

// sample runAnalyst
AgentRun run = switchyard.agents().runAnalyst(new TextRunRequest()
    .input(new TextRunRequestInput("What is the mean of 3, 5 and 10?")));
System.out.println(run.getStatus() + " " + run.getOutput());
// end

// sample streamAgentRun
var body = new AgentStreamRequest().input(new AgentRunRequestInput("What is 17 * 23?"));
try (EventStream<AgentRunEvent> events = switchyard.agents().streamAgentRun("assistant", body)) {
    for (AgentRunEvent event : events) {
        if (event.value() instanceof RunDeltaEvent delta) {
            System.out.print(delta.getContent());
        } else if (event.value() instanceof RunEndEvent end) {
            System.out.println("\n" + end.getRun().getStatus());
        }
    }
}
// end

// sample listAgentRuns
for (AgentRunSummary run : switchyard.agents().listAgentRuns("assistant", 10, null).getData()) {
    System.out.println(run.getId() + " " + run.getStatus());
}
// end

// sample getAgentRun
String id = switchyard.agents().listAgentRuns("assistant", 1, null).getData().get(0).getId();
AgentRun run = switchyard.agents().getAgentRun("assistant", id);
System.out.println(run.getStatus() + " " + run.getSteps().size());
// end

// sample streamAgentRunEvents
AgentRun run = switchyard.agents().runAgent("assistant", new AgentRunRequest()
    .input(new AgentRunRequestInput("What is 17 * 23?"))
    .background(true));
Long after = 0L; // the number of the last event that has arrived
while (after != null) {
    try (EventStream<AgentRunEvent> events = switchyard.agents().streamAgentRunEvents("assistant", run.getId(), after)) {
        for (AgentRunEvent event : events) {
            System.out.println(event.value().getClass().getSimpleName());
        }
        after = null;
    } catch (SwitchyardException.StreamInterrupted broken) {
        after = Math.max(after, broken.getAfter());
    }
}
// end

// sample cancelAgentRun
AgentRun run = switchyard.agents().runAgent("assistant", new AgentRunRequest()
    .input(new AgentRunRequestInput("What is 17 * 23?"))
    .background(true));
System.out.println(switchyard.agents().cancelAgentRun("assistant", run.getId()).getStatus());
// end

// sample getManifest
Manifest manifest = switchyard.factory().getManifest();
System.out.println(manifest.getName() + " " + manifest.getOperations().size());
// end

// sample getOpenApi
OpenApiDocument contract = switchyard.factory().getOpenApi();
System.out.println(contract.getOpenapi() + " " + contract.getInfo().getTitle());
// end

// sample getOpenApiJson
OpenApiDocument contract = switchyard.factory().getOpenApiJson();
System.out.println(contract.getOpenapi() + " " + contract.getInfo().getVersion());
// end

// sample getOpenApi30Json
OpenApiDocument contract = switchyard.factory().getOpenApi30Json();
System.out.println(contract.getOpenapi() + " " + contract.getInfo().getVersion());
// end

// sample getOpenApi32Json
OpenApiDocument contract = switchyard.factory().getOpenApi32Json();
System.out.println(contract.getOpenapi() + " " + contract.getInfo().getVersion());
// end

// sample getOpenApiYaml
try (Download file = switchyard.factory().getOpenApiYaml()) {
    System.out.println(file.readAllBytes().length + " bytes");
}
// end

// sample getPostmanCollection
PostmanCollection collection = switchyard.factory().getPostmanCollection();
System.out.println(collection.getInfo().getName() + " " + collection.getItem().size());
// end

// sample getPostmanEnvironment
PostmanEnvironment environment = switchyard.factory().getPostmanEnvironment();
System.out.println(environment.getName() + " " + environment.getValues().size());
// end

// sample getFactoryStatus
FactoryStatus status = switchyard.factory().getFactoryStatus();
System.out.println(status.getStatus() + " " + status.getVersion());
// end

// sample signUp
try {
    SignupReceived receipt = switchyard.factory().signUp(new SignupRequest()
        .email("ada@analytical.example")
        .orgName("Analytical Engines")
        .tier(PlanName.PRO));
    System.out.println(receipt.getStatus());
} catch (SwitchyardException.NotFound missing) {
    System.out.println("this server takes no sign-ups: " + missing.getMessage());
}
// end

// sample listPublicTemplates
for (BuildTemplate template : switchyard.demo().listPublicTemplates().getData()) {
    System.out.println(template.getId() + " " + template.getName());
}
// end

// sample createPublicDemo
var request = new DemoRequest().prompt("A to-do list for a family");
try (EventStream<BuildEvent> events = switchyard.demo().createPublicDemo(request)) {
    for (BuildEvent event : events) {
        if (event.value() instanceof FileCompletedEvent file) {
            System.out.println(file.getPath() + " " + file.getBytes());
        } else if (event.value() instanceof JobSucceededEvent done) {
            System.out.println(done.getJob().getPreview().getUrl());
        } else if (event.value() instanceof JobFailedEvent failed) {
            System.out.println(failed.getMessage());
        }
    }
}
// end

// sample getPublicDemo
FactoryJob job = switchyard.demo().getPublicDemo(System.getenv("DEMO_JOB_ID"));
System.out.println(job.getStatus());
for (BuildFile file : job.getFiles()) {
    System.out.println(file.getPath() + " " + file.getBytes());
}
// end

// sample streamPublicDemoEvents
long after = 5; // the number of the last event that is known
String id = System.getenv("DEMO_JOB_ID");
try (EventStream<BuildEvent> events = switchyard.demo().streamPublicDemoEvents(id, after)) {
    for (BuildEvent event : events) {
        System.out.println(event.value().getClass().getSimpleName());
    }
}
// end

// sample getPublicDemoArtifact
import java.nio.file.*;

try (Download zip = switchyard.demo().getPublicDemoArtifact(System.getenv("DEMO_JOB_ID"))) {
    long size = Files.copy(zip, Path.of("app.zip"), StandardCopyOption.REPLACE_EXISTING);
    System.out.println(zip.name().orElse("a file") + " " + size);
}
// end

// sample createPublicPlan
FactoryPlan plan = switchyard.demo().createPublicPlan(new PlanRequest()
    .prompt("A reading list where I can rate books"));
System.out.println(plan.getSpec().getKind() + " " + plan.getSpec().getName());
if (plan.getSpec().getEntity() != null) {
    for (AppField field : plan.getSpec().getEntity().getFields()) {
        System.out.println(field.getLabel() + " " + field.getType());
    }
}
System.out.println("not taken up: " + plan.getNotTakenUp());
// end

// sample createPublicDemoRevision
var change = new RevisionRequest().instruction("call it Shelf");
String id = System.getenv("DEMO_JOB_ID");
try (EventStream<BuildEvent> events = switchyard.demo().createPublicDemoRevision(id, change)) {
    for (BuildEvent event : events) {
        if (event.value() instanceof JobSucceededEvent done) {
            FactoryJob job = done.getJob();
            System.out.println(job.getRevision().getNumber() + " " + job.getPreview().getUrl());
        } else if (event.value() instanceof JobFailedEvent failed) {
            System.out.println(failed.getMessage());
        }
    }
}
// end

// sample listPublicDemoRevisions
for (FactoryJob job : switchyard.demo().listPublicDemoRevisions(System.getenv("DEMO_JOB_ID"), 10, null).getData()) {
    BuildRevision revision = job.getRevision();
    System.out.println(revision.getNumber() + " " + revision.getChange().getType() + " " + job.getStatus());
}
// end

// sample getNewestPublicDemo
FactoryJob job = switchyard.demo().getNewestPublicDemo(System.getenv("DEMO_JOB_ID"));
System.out.println(job.getId() + " " + job.getRevision().getNumber() + " " + job.getTitle());
// end

// sample getPublicDemoDiff
FactoryJob newest = switchyard.demo().getNewestPublicDemo(System.getenv("DEMO_JOB_ID"));
FactoryDiff diff = switchyard.demo().getPublicDemoDiff(newest.getId(), "1"); // with the first build
for (SpecChange change : diff.getSpec()) {
    System.out.println(change.getPath() + ": " + change.getBefore() + " -> " + change.getAfter());
}
for (FileChange file : diff.getFiles()) {
    System.out.println(file.getStatus() + " " + file.getPath());
    if (file.getDiff() != null) {
        System.out.println(file.getDiff());
    }
}
// end

// sample listPublicDemoFiles
for (FileText file : switchyard.demo().listPublicDemoFiles(System.getenv("DEMO_JOB_ID")).getData()) {
    System.out.println(file.getPath() + " " + file.getText().lines().count() + " lines");
}
// end

// sample createFactoryJob
FactoryJob job = switchyard.jobs().createFactoryJob(new JobRequest().prompt("A to-do list for a family"));
System.out.println(job.getId() + " " + job.getStatus());
// end

// sample listFactoryJobs
for (FactoryJob job : switchyard.jobs().listFactoryJobs(10, null).getData()) {
    System.out.println(job.getId() + " " + job.getStatus());
}
// end

// sample getFactoryJob
FactoryJob job = switchyard.jobs().getFactoryJob(System.getenv("JOB_ID"));
System.out.println(job.getStatus());
for (BuildFile file : job.getFiles()) {
    System.out.println(file.getPath() + " " + file.getBytes());
}
// end

// sample streamFactoryJobEvents
FactoryJob job = switchyard.jobs().createFactoryJob(new JobRequest().prompt("A to-do list for a family"));
Long after = 0L; // the number of the last event that has arrived
while (after != null) {
    try (EventStream<BuildEvent> events = switchyard.jobs().streamFactoryJobEvents(job.getId(), after)) {
        for (BuildEvent event : events) {
            if (event.value() instanceof FileCompletedEvent file) {
                System.out.println(file.getPath() + " " + file.getBytes());
            }
        }
        after = null;
    } catch (SwitchyardException.StreamInterrupted broken) {
        after = Math.max(after, broken.getAfter());
    }
}
// end

// sample getFactoryJobArtifact
import java.nio.file.*;

try (Download zip = switchyard.jobs().getFactoryJobArtifact(System.getenv("JOB_ID"))) {
    long size = Files.copy(zip, Path.of("app.zip"), StandardCopyOption.REPLACE_EXISTING);
    System.out.println(zip.name().orElse("a file") + " " + size);
}
// end

// sample cancelFactoryJob
FactoryJob job = switchyard.jobs().createFactoryJob(new JobRequest().prompt("A to-do list for a family"));
System.out.println(switchyard.jobs().cancelFactoryJob(job.getId()).getStatus());
// end

// sample createFactoryPlan
FactoryPlan plan = switchyard.jobs().createFactoryPlan(new PlanRequest()
    .prompt("A reading list where I can rate books"));
System.out.println(plan.getSpec().getKind() + " " + plan.getSpec().getName());

// Change it, and have it built
var request = new JobRequest().spec(plan.getSpec().name("Shelf"));
System.out.println(switchyard.jobs().createFactoryJob(request).getId());
// end

// sample createFactoryRevision
var change = new RevisionRequest().instruction("call it Shelf");
FactoryJob job = switchyard.jobs().createFactoryRevision(System.getenv("JOB_ID"), change);
System.out.println(job.getRevision().getNumber() + " " + job.getRevision().getUnderstood());
try (EventStream<BuildEvent> events = switchyard.jobs().streamFactoryJobEvents(job.getId(), null)) {
    for (BuildEvent event : events) {
        if (event.value() instanceof JobSucceededEvent done) {
            System.out.println(done.getJob().getPreview().getUrl());
        } else if (event.value() instanceof JobFailedEvent failed) {
            System.out.println(failed.getMessage());
        }
    }
}
// end

// sample listFactoryRevisions
for (FactoryJob job : switchyard.jobs().listFactoryRevisions(System.getenv("JOB_ID"), 10, null).getData()) {
    BuildRevision revision = job.getRevision();
    System.out.println(revision.getNumber() + " " + revision.getChange().getType() + " " + job.getStatus());
}
// end

// sample getNewestFactoryJob
FactoryJob job = switchyard.jobs().getNewestFactoryJob(System.getenv("JOB_ID"));
System.out.println(job.getId() + " " + job.getRevision().getNumber() + " " + job.getTitle());
// end

// sample getFactoryJobDiff
FactoryJob newest = switchyard.jobs().getNewestFactoryJob(System.getenv("JOB_ID"));
FactoryDiff diff = switchyard.jobs().getFactoryJobDiff(newest.getId(), "1"); // with the first build
for (SpecChange change : diff.getSpec()) {
    System.out.println(change.getPath() + ": " + change.getBefore() + " -> " + change.getAfter());
}
for (FileChange file : diff.getFiles()) {
    System.out.println(file.getStatus() + " " + file.getPath());
    if (file.getDiff() != null) {
        System.out.println(file.getDiff());
    }
}
// end

// sample listFactoryJobFiles
for (FileText file : switchyard.jobs().listFactoryJobFiles(System.getenv("JOB_ID")).getData()) {
    System.out.println(file.getPath() + " " + file.getText().lines().count() + " lines");
}
// end

// sample errors
try {
    switchyard.chat().createChat(new ChatRequest(
        new ChatMessageRequest().message("Hello").temperature(3.0)));
} catch (SwitchyardException.RateLimit error) {
    System.out.println("come back in " + error.getRetryAfter().orElse(60L) + " seconds");
} catch (SwitchyardException error) {
    System.out.println(error.getStatus() + " " + error.getMessage());
    error.getError().ifPresent(details -> System.out.println(details.getCode() + " " + details.getParam()));
}
// end
