<?php

/** The samples of the documentation. Each is printed after `start` as a whole program, and run as it is printed. */

// sample start
use Switchyard\Switchyard;

$switchyard = new Switchyard(
    apiKey: getenv('SWITCHYARD_API_KEY'),
    baseUrl: getenv('SWITCHYARD_BASE_URL') ?: 'http://127.0.0.1:8080',
);
// end

// sample createChat: A conversation (variant A)
use Switchyard\Model\ChatMessage;
use Switchyard\Model\ChatMessagesRequest;

$answer = $switchyard->chat->createChat(new ChatMessagesRequest(
    model: 'sandbox',
    messages: [
        new ChatMessage(role: 'system', content: 'You answer in one sentence.'),
        new ChatMessage(role: 'user', content: 'Why is the sky blue?'),
    ],
    temperature: 0.7,
));
echo $answer->content, ' ', $answer->usage->totalTokens, "\n";
// end

// sample createChat: A single message (variant B)
use Switchyard\Model\ChatMessageRequest;

$answer = $switchyard->chat->createChat(new ChatMessageRequest(message: 'Why is the sky blue?'));
echo $answer->content, "\n";
// end

// sample createEstimate
use Switchyard\Model\ChatMessageRequest;

$estimate = $switchyard->chat->createEstimate(new ChatMessageRequest(message: 'Why is the sky blue?'));
echo $estimate->refused ? 'refused' : $estimate->targets[0]->model, ' ', $estimate->tokens->prompt, "\n";
// end

// sample createChatAlias
use Switchyard\Model\ChatMessageRequest;

$answer = $switchyard->chat->createChatAlias(new ChatMessageRequest(message: 'Why is the sky blue?'));
echo $answer->content, "\n";
// end

// sample streamChat
use Switchyard\Model\ChatDeltaEvent;
use Switchyard\Model\ChatEndEvent;
use Switchyard\Model\ChatMessageStreamRequest;

$events = $switchyard->chat->streamChat(new ChatMessageStreamRequest(message: 'Why is the sky blue?'));
foreach ($events as $event) {
    if ($event instanceof ChatDeltaEvent) {
        echo $event->content;
    } elseif ($event instanceof ChatEndEvent) {
        echo "\n", $event->usage->totalTokens, " tokens\n";
    }
}
// end

// sample listModels
foreach ($switchyard->models->listModels()->data as $model) {
    echo $model->id, ' ', $model->provider, "\n";
}
// end

// sample getUsage
$usage = $switchyard->usage->getUsage();
echo $usage->plan, ' ', $usage->total->requests, "\n";
// end

// sample exportUsage
echo $switchyard->usage->exportUsage();
// end

// sample listOwnBudgets
foreach ($switchyard->usage->listOwnBudgets()->data as $budget) {
    echo $budget->label, ' ', $budget->state->used, ' ', $budget->limit, "\n";
}
// end

// sample listRequests
foreach ($switchyard->usage->listRequests(limit: 10)->data as $request) {
    echo $request->requestId, ' ', $request->status, "\n";
}
// end

// sample getRequest
$page = $switchyard->usage->listRequests(limit: 1);
$request = $switchyard->usage->getRequest($page->data[0]->requestId);
echo $request->status, ' ', count($request->attempts), "\n";
// end

// sample listFeatures
foreach ($switchyard->features->listFeatures()->data as $feature) {
    echo $feature->id, ' ', $feature->availability, "\n";
}
// end

// sample useFeature
use Switchyard\Model\AiCall;

$result = $switchyard->features->useFeature('keywords', new AiCall(
    input: ['text' => 'Solar panels turn sunlight into electricity.', 'limit' => 2],
));
print_r($result->output);
// end

// sample streamFeature
use Switchyard\Model\AiEndEvent;
use Switchyard\Model\AiStreamCall;

$events = $switchyard->features->streamFeature('summarize', new AiStreamCall(
    input: ['text' => 'Solar panels turn sunlight into electricity. They have no moving parts.'],
    engine: 'local',
));
foreach ($events as $event) {
    if ($event instanceof AiEndEvent) {
        print_r($event->output);
    }
}
// end

// sample classify
use Switchyard\Model\ClassifyCall;
use Switchyard\Model\ClassifyInput;
use Switchyard\Model\ClassifyInputLabelsItem;

$result = $switchyard->features->classify(new ClassifyCall(input: new ClassifyInput(
    text: 'My parcel has not arrived.',
    labels: [new ClassifyInputLabelsItem(name: 'delivery'), new ClassifyInputLabelsItem(name: 'payment')],
)));
echo implode(', ', $result->output->labels), ' ', $result->output->reason, "\n";
// end

// sample extract
use Switchyard\Model\ExtractCall;
use Switchyard\Model\ExtractInput;

$result = $switchyard->features->extract(new ExtractCall(input: new ExtractInput(
    text: 'Ada Lovelace, born in 1815',
    schema: ['type' => 'object', 'properties' => ['name' => ['type' => 'string']]],
)));
print_r($result->output->data);
// end

// sample moderate
use Switchyard\Model\ModerateCall;
use Switchyard\Model\ModerateInput;

$result = $switchyard->features->moderate(new ModerateCall(input: new ModerateInput(text: 'Have a nice day.')));
echo $result->output->flagged ? 'flagged' : 'fine', "\n";
// end

// sample rewrite
use Switchyard\Model\RewriteCall;
use Switchyard\Model\RewriteInput;

$result = $switchyard->features->rewrite(new RewriteCall(
    input: new RewriteInput(text: 'Send it now.', tone: 'friendly'),
));
echo $result->output->text, "\n";
// end

// sample translate
use Switchyard\Model\TranslateCall;
use Switchyard\Model\TranslateInput;

$result = $switchyard->features->translate(new TranslateCall(
    input: new TranslateInput(text: 'Good morning', to: 'de'),
));
echo $result->output->translation, "\n";
// end

// sample compare
use Switchyard\Model\CompareCall;
use Switchyard\Model\CompareInput;

$result = $switchyard->features->compare(new CompareCall(
    input: new CompareInput(a: 'Solar panels make power.', b: 'Solar panels make electric power.'),
));
echo $result->output->similarity, ' ', $result->output->verdict, "\n";
// end

// sample detectLanguage
use Switchyard\Model\DetectLanguageCall;
use Switchyard\Model\DetectLanguageInput;

$result = $switchyard->features->detectLanguage(new DetectLanguageCall(
    input: new DetectLanguageInput(text: 'Sonnenkollektoren machen aus Licht elektrischen Strom.'),
));
echo $result->output->language, "\n";
// end

// sample keywords
use Switchyard\Model\KeywordsCall;
use Switchyard\Model\KeywordsInput;

$result = $switchyard->features->keywords(new KeywordsCall(
    input: new KeywordsInput(text: 'Solar panels turn sunlight into electricity.', limit: 2),
));
foreach ($result->output->keywords as $keyword) {
    echo $keyword->keyword, ' ', $keyword->score, "\n";
}
// end

// sample sentiment
use Switchyard\Model\SentimentCall;
use Switchyard\Model\SentimentInput;

$result = $switchyard->features->sentiment(new SentimentCall(
    input: new SentimentInput(text: 'The new panels work wonderfully.'),
));
echo $result->output->sentiment, ' ', $result->output->score, "\n";
// end

// sample summarize
use Switchyard\Model\SummarizeCall;
use Switchyard\Model\SummarizeInput;

$result = $switchyard->features->summarize(new SummarizeCall(
    input: new SummarizeInput(text: 'Solar panels turn sunlight into electricity. They have no moving parts.'),
    engine: 'local',
));
echo $result->output->summary, "\n";
// end

// sample listAgents
foreach ($switchyard->agents->listAgents()->data as $agent) {
    echo $agent->id, ' ', $agent->name, "\n";
}
// end

// sample getAgent
$agent = $switchyard->agents->getAgent('assistant');
echo $agent->name, ' ', count($agent->tools), "\n";
// end

// sample runAgent
use Switchyard\Model\AgentRunRequest;

$run = $switchyard->agents->runAgent('assistant', new AgentRunRequest(input: 'What is 17 * 23?'));
echo $run->status, ' ', $run->output, "\n";
// end

// sample runAssistant
use Switchyard\Model\TextRunRequest;

$run = $switchyard->agents->runAssistant(new TextRunRequest(input: 'What is 17 * 23?'));
echo $run->status, ' ', $run->output, "\n";
// end

// sample runAppBuilder
use Switchyard\Model\TextRunRequest;

$run = $switchyard->agents->runAppBuilder(new TextRunRequest(input: 'Build a to-do list for a family'));
echo $run->status, ' ', $run->output, "\n";
// end

// sample runAnalyst
use Switchyard\Model\TextRunRequest;

$run = $switchyard->agents->runAnalyst(new TextRunRequest(input: 'What is the mean of 3, 5 and 10?'));
echo $run->status, ' ', $run->output, "\n";
// end

// sample streamAgentRun
use Switchyard\Model\AgentStreamRequest;
use Switchyard\Model\RunDeltaEvent;
use Switchyard\Model\RunEndEvent;

$request = new AgentStreamRequest(input: 'What is 17 * 23?');
foreach ($switchyard->agents->streamAgentRun('assistant', $request) as $event) {
    if ($event instanceof RunDeltaEvent) {
        echo $event->content;
    } elseif ($event instanceof RunEndEvent) {
        echo "\n", $event->run->status, "\n";
    }
}
// end

// sample listAgentRuns
foreach ($switchyard->agents->listAgentRuns('assistant', limit: 10)->data as $run) {
    echo $run->id, ' ', $run->status, "\n";
}
// end

// sample getAgentRun
$page = $switchyard->agents->listAgentRuns('assistant', limit: 1);
$run = $switchyard->agents->getAgentRun('assistant', $page->data[0]->id);
echo $run->status, ' ', count($run->steps), "\n";
// end

// sample streamAgentRunEvents
use Switchyard\Error\StreamInterruptedException;
use Switchyard\Model\AgentRunRequest;

$run = $switchyard->agents->runAgent('assistant', new AgentRunRequest(input: 'What is 17 * 23?', background: true));
$after = 0; // the number of the last event that has arrived
do {
    $broken = false;
    try {
        foreach ($switchyard->agents->streamAgentRunEvents('assistant', $run->id, $after) as $event) {
            echo $event->type, "\n";
        }
    } catch (StreamInterruptedException $interruption) {
        $broken = true;
        $after = max($after, $interruption->after);
    }
} while ($broken);
// end

// sample cancelAgentRun
use Switchyard\Model\AgentRunRequest;

$run = $switchyard->agents->runAgent('assistant', new AgentRunRequest(input: 'What is 17 * 23?', background: true));
echo $switchyard->agents->cancelAgentRun('assistant', $run->id)->status, "\n";
// end

// sample getManifest
$manifest = $switchyard->factory->getManifest();
echo $manifest->name, ' ', count($manifest->operations), "\n";
// end

// sample getOpenApi
$contract = $switchyard->factory->getOpenApi();
echo $contract->openapi, ' ', $contract->info->title, "\n";
// end

// sample getOpenApiJson
$contract = $switchyard->factory->getOpenApiJson();
echo $contract->openapi, ' ', $contract->info->version, "\n";
// end

// sample getOpenApi30Json
$contract = $switchyard->factory->getOpenApi30Json();
echo $contract->openapi, ' ', $contract->info->version, "\n";
// end

// sample getOpenApi32Json
$contract = $switchyard->factory->getOpenApi32Json();
echo $contract->openapi, ' ', $contract->info->version, "\n";
// end

// sample getOpenApiYaml
echo strlen($switchyard->factory->getOpenApiYaml()->contents()), " bytes\n";
// end

// sample getPostmanCollection
$collection = $switchyard->factory->getPostmanCollection();
echo $collection->info->name, ' ', count($collection->item), "\n";
// end

// sample getPostmanEnvironment
$environment = $switchyard->factory->getPostmanEnvironment();
echo $environment->name, ' ', count($environment->values), "\n";
// end

// sample getFactoryStatus
$status = $switchyard->factory->getFactoryStatus();
echo $status->status, ' ', $status->version, "\n";
// end

// sample signUp
use Switchyard\Error\NotFoundException;
use Switchyard\Model\PlanName;
use Switchyard\Model\SignupRequest;

try {
    $receipt = $switchyard->factory->signUp(new SignupRequest(
        email: 'ada@analytical.example',
        orgName: 'Analytical Engines',
        tier: PlanName::PRO,
    ));
    echo $receipt->status, "\n";
} catch (NotFoundException $missing) {
    echo 'this server takes no sign-ups: ', $missing->getMessage(), "\n";
}
// end

// sample listPublicTemplates
foreach ($switchyard->demo->listPublicTemplates()->data as $template) {
    echo $template->id, ' ', $template->name, "\n";
}
// end

// sample createPublicDemo
use Switchyard\Model\DemoRequest;
use Switchyard\Model\FileCompletedEvent;
use Switchyard\Model\JobFailedEvent;
use Switchyard\Model\JobSucceededEvent;

foreach ($switchyard->demo->createPublicDemo(new DemoRequest(prompt: 'A to-do list for a family')) as $event) {
    if ($event instanceof FileCompletedEvent) {
        echo $event->path, ' ', $event->bytes, "\n";
    } elseif ($event instanceof JobSucceededEvent) {
        echo $event->job->preview->url, "\n";
    } elseif ($event instanceof JobFailedEvent) {
        echo $event->message, "\n";
    }
}
// end

// sample getPublicDemo
$job = $switchyard->demo->getPublicDemo(getenv('DEMO_JOB_ID'));
echo $job->status, "\n";
foreach ($job->files as $file) {
    echo $file->path, ' ', $file->bytes, "\n";
}
// end

// sample streamPublicDemoEvents
$after = 5; // the number of the last event that is known
foreach ($switchyard->demo->streamPublicDemoEvents(getenv('DEMO_JOB_ID'), $after) as $event) {
    echo $event->type, "\n";
}
// end

// sample getPublicDemoArtifact
$zip = $switchyard->demo->getPublicDemoArtifact(getenv('DEMO_JOB_ID'));
echo $zip->name, ' ', $zip->saveTo('app.zip'), "\n";
// end

// sample createPublicPlan
use Switchyard\Model\PlanRequest;

$plan = $switchyard->demo->createPublicPlan(new PlanRequest(prompt: 'A reading list where I can rate books'));
echo $plan->spec->kind, ' ', $plan->spec->name, "\n";
foreach ($plan->spec->entity->fields ?? [] as $field) {
    echo $field->label, ' ', $field->type, "\n";
}
echo 'not taken up: ', implode(', ', $plan->notTakenUp), "\n";
// end

// sample createPublicDemoRevision
use Switchyard\Model\JobFailedEvent;
use Switchyard\Model\JobSucceededEvent;
use Switchyard\Model\RevisionRequest;

$change = new RevisionRequest(instruction: 'call it Shelf');
foreach ($switchyard->demo->createPublicDemoRevision(getenv('DEMO_JOB_ID'), $change) as $event) {
    if ($event instanceof JobSucceededEvent) {
        echo $event->job->revision->number, ' ', $event->job->preview->url, "\n";
    } elseif ($event instanceof JobFailedEvent) {
        echo $event->message, "\n";
    }
}
// end

// sample listPublicDemoRevisions
foreach ($switchyard->demo->listPublicDemoRevisions(getenv('DEMO_JOB_ID'), limit: 10)->data as $job) {
    echo $job->revision->number, ' ', $job->revision->change->type, ' ', $job->status, "\n";
}
// end

// sample getNewestPublicDemo
$job = $switchyard->demo->getNewestPublicDemo(getenv('DEMO_JOB_ID'));
echo $job->id, ' ', $job->revision->number, ' ', $job->title, "\n";
// end

// sample getPublicDemoDiff
$newest = $switchyard->demo->getNewestPublicDemo(getenv('DEMO_JOB_ID'));
$diff = $switchyard->demo->getPublicDemoDiff($newest->id, against: '1'); // with the first build
foreach ($diff->spec as $change) {
    echo $change->path, ': ', json_encode($change->before), ' -> ', json_encode($change->after), "\n";
}
foreach ($diff->files as $file) {
    echo $file->status, ' ', $file->path, "\n", $file->diff;
}
// end

// sample listPublicDemoFiles
foreach ($switchyard->demo->listPublicDemoFiles(getenv('DEMO_JOB_ID'))->data as $file) {
    echo $file->path, ' ', substr_count($file->text, "\n"), " lines\n";
}
// end

// sample createFactoryJob
use Switchyard\Model\JobRequest;

$job = $switchyard->jobs->createFactoryJob(new JobRequest(prompt: 'A to-do list for a family'));
echo $job->id, ' ', $job->status, "\n";
// end

// sample listFactoryJobs
foreach ($switchyard->jobs->listFactoryJobs(limit: 10)->data as $job) {
    echo $job->id, ' ', $job->status, "\n";
}
// end

// sample getFactoryJob
$job = $switchyard->jobs->getFactoryJob(getenv('JOB_ID'));
echo $job->status, "\n";
foreach ($job->files as $file) {
    echo $file->path, ' ', $file->bytes, "\n";
}
// end

// sample streamFactoryJobEvents
use Switchyard\Error\StreamInterruptedException;
use Switchyard\Model\FileCompletedEvent;
use Switchyard\Model\JobRequest;

$job = $switchyard->jobs->createFactoryJob(new JobRequest(prompt: 'A to-do list for a family'));
$after = 0; // the number of the last event that has arrived
do {
    $broken = false;
    try {
        foreach ($switchyard->jobs->streamFactoryJobEvents($job->id, $after) as $event) {
            if ($event instanceof FileCompletedEvent) {
                echo $event->path, ' ', $event->bytes, "\n";
            }
        }
    } catch (StreamInterruptedException $interruption) {
        $broken = true;
        $after = max($after, $interruption->after);
    }
} while ($broken);
// end

// sample getFactoryJobArtifact
$zip = $switchyard->jobs->getFactoryJobArtifact(getenv('JOB_ID'));
echo $zip->name, ' ', $zip->saveTo('app.zip'), "\n";
// end

// sample cancelFactoryJob
use Switchyard\Model\JobRequest;

$job = $switchyard->jobs->createFactoryJob(new JobRequest(prompt: 'A to-do list for a family'));
echo $switchyard->jobs->cancelFactoryJob($job->id)->status, "\n";
// end

// sample createFactoryPlan
use Switchyard\Model\JobRequest;
use Switchyard\Model\PlanRequest;

$plan = $switchyard->jobs->createFactoryPlan(new PlanRequest(prompt: 'A reading list where I can rate books'));
echo $plan->spec->kind, ' ', $plan->spec->name, "\n";

// Change it, and have it built
$plan->spec->name = 'Shelf';
echo $switchyard->jobs->createFactoryJob(new JobRequest(spec: $plan->spec))->id, "\n";
// end

// sample createFactoryRevision
use Switchyard\Model\JobFailedEvent;
use Switchyard\Model\JobSucceededEvent;
use Switchyard\Model\RevisionRequest;

$change = new RevisionRequest(instruction: 'call it Shelf');
$job = $switchyard->jobs->createFactoryRevision(getenv('JOB_ID'), $change);
echo $job->revision->number, ' ', implode(', ', $job->revision->understood), "\n";
foreach ($switchyard->jobs->streamFactoryJobEvents($job->id) as $event) {
    if ($event instanceof JobSucceededEvent) {
        echo $event->job->preview->url, "\n";
    } elseif ($event instanceof JobFailedEvent) {
        echo $event->message, "\n";
    }
}
// end

// sample listFactoryRevisions
foreach ($switchyard->jobs->listFactoryRevisions(getenv('JOB_ID'), limit: 10)->data as $job) {
    echo $job->revision->number, ' ', $job->revision->change->type, ' ', $job->status, "\n";
}
// end

// sample getNewestFactoryJob
$job = $switchyard->jobs->getNewestFactoryJob(getenv('JOB_ID'));
echo $job->id, ' ', $job->revision->number, ' ', $job->title, "\n";
// end

// sample getFactoryJobDiff
$newest = $switchyard->jobs->getNewestFactoryJob(getenv('JOB_ID'));
$diff = $switchyard->jobs->getFactoryJobDiff($newest->id, against: '1'); // with the first build
foreach ($diff->spec as $change) {
    echo $change->path, ': ', json_encode($change->before), ' -> ', json_encode($change->after), "\n";
}
foreach ($diff->files as $file) {
    echo $file->status, ' ', $file->path, "\n", $file->diff;
}
// end

// sample listFactoryJobFiles
foreach ($switchyard->jobs->listFactoryJobFiles(getenv('JOB_ID'))->data as $file) {
    echo $file->path, ' ', substr_count($file->text, "\n"), " lines\n";
}
// end

// sample errors
use Switchyard\Error\RateLimitException;
use Switchyard\Error\SwitchyardException;
use Switchyard\Model\ChatMessageRequest;

try {
    $switchyard->chat->createChat(new ChatMessageRequest(message: 'Hello', temperature: 3));
} catch (RateLimitException $error) {
    echo 'come back in ', $error->getRetryAfter(), " seconds\n";
} catch (SwitchyardException $error) {
    echo $error->status, ' ', $error->error?->code, ' ', $error->getMessage(), "\n";
}
// end
