<?php

/** The live test. Ends with a line that counts, or with an exception. */

use GuzzleHttp\Client;
use GuzzleHttp\Handler\CurlHandler;
use GuzzleHttp\HandlerStack;
use Switchyard\Error\AuthenticationException;
use Switchyard\Error\ConnectionException;
use Switchyard\Error\InvalidRequestException;
use Switchyard\Error\NotFoundException;
use Switchyard\Error\RateLimitException;
use Switchyard\Error\ServerException;
use Switchyard\Error\StreamInterruptedException;
use Switchyard\Error\SwitchyardException;
use Switchyard\Model\AgentMessage;
use Switchyard\Model\AgentRunRequest;
use Switchyard\Model\AppSpec;
use Switchyard\Model\ChatDeltaEvent;
use Switchyard\Model\ChatEndEvent;
use Switchyard\Model\ChatMessageRequest;
use Switchyard\Model\ChatMessageStreamRequest;
use Switchyard\Model\ChatStartEvent;
use Switchyard\Model\ErrorCode;
use Switchyard\Model\FactoryJob;
use Switchyard\Model\FinishReason;
use Switchyard\Model\JobRequest;
use Switchyard\Model\JobSucceededEvent;
use Switchyard\Model\ModelStep;
use Switchyard\Model\PlanRequest;
use Switchyard\Model\RevisionRequest;
use Switchyard\Model\RunStatus;
use Switchyard\Switchyard;

require __DIR__ . '/vendor/autoload.php';

$checks = 0;
function check(bool $holds, string $what): void
{
    global $checks;
    $checks++;
    $holds || throw new AssertionError($what);
}

/** @param class-string<Throwable> $kind */
function fails(string $kind, callable $call): Throwable
{
    try {
        $call();
    } catch (RuntimeException $error) {
        check($error instanceof $kind, "$kind was expected, not " . $error::class . ': ' . $error->getMessage());
        return $error;
    }
    throw new AssertionError("$kind was expected");
}

$baseUrl = getenv('SWITCHYARD_BASE_URL');
$switchyard = new Switchyard(baseUrl: $baseUrl);
$cut = new Switchyard(baseUrl: getenv('SWITCHYARD_CUT_URL'));
$asking = fn (string $model) => new ChatMessageRequest(message: 'Hello', model: $model);
$streaming = fn (string $model) => new ChatMessageStreamRequest(message: 'Hello', model: $model);

$answer = $switchyard->chat->createChat($asking('sandbox/echo'));
check($answer->content === 'Hello' && str_starts_with($answer->id, 'chat-'), 'an answer');
check($answer->finishReason === FinishReason::STOP && $answer->usage->totalTokens > 1, 'its end');
$run = $switchyard->agents->runAgent('assistant', new AgentRunRequest(
    input: [new AgentMessage(role: 'user', content: 'What is 17 * 23?')],
));
check($run->status === RunStatus::SUCCEEDED && $run->steps[0] instanceof ModelStep, 'a run');
check($run->createdAt instanceof DateTimeImmutable, 'a time');
$zip = $switchyard->jobs->getFactoryJobArtifact(getenv('JOB_ID'));
check(str_ends_with($zip->name, '.zip') && str_starts_with($zip->contents(), 'PK'), 'an archive');
$id = 'php-live-' . hrtime(true);
(new Switchyard(baseUrl: $baseUrl, headers: ['X-Request-Id' => $id]))->chat->createChat($asking('sandbox'));
check($switchyard->usage->getRequest($id)->requestId === $id, 'a header of one\'s own');

$text = '';
$ends = 0;
foreach ($switchyard->chat->streamChat($streaming('sandbox/echo')) as $event) {
    $text .= $event instanceof ChatDeltaEvent ? $event->content : '';
    $ends += $event instanceof ChatEndEvent ? 1 : 0;
}
check($text === 'Hello' && $ends === 1, "$text, $ends ends");

$events = [];
$error = fails(SwitchyardException::class, function () use ($switchyard, $streaming, &$events) {
    foreach ($switchyard->chat->streamChat($streaming('sandbox/cut-stream')) as $event) {
        $events[] = $event;
    }
});
check($error->error->code === ErrorCode::PROVIDER_STREAM_INTERRUPTED && count($events) > 1, 'an error event');

$events = [];
fails(StreamInterruptedException::class, function () use ($cut, $streaming, &$events) {
    foreach ($cut->chat->streamChat($streaming('sandbox')) as $event) {
        $events[] = $event;
    }
});
check(count($events) === 3, 'three events, not ' . count($events));

foreach ($switchyard->chat->streamChat($streaming('sandbox/slow')) as $event) {
    check($event instanceof ChatStartEvent, 'a start');
    break;
}
$hasty = new Switchyard(baseUrl: $baseUrl, timeout: 0.1, maxRetries: 0);
fails(ConnectionException::class, fn () => $hasty->chat->createChat($asking('sandbox/slow')));
// Before the stream or in it.
fails(RuntimeException::class, fn () => iterator_to_array($hasty->chat->streamChat($streaming('sandbox/slow')), false));

/** How many events of a build there are up to its end or to where the stream breaks off, and whether that was its end. */
function watch(Switchyard $switchyard, int $after): array
{
    $count = 0;
    try {
        foreach ($switchyard->jobs->streamFactoryJobEvents(getenv('JOB_ID'), $after) as $event) {
            $count++;
        }
    } catch (StreamInterruptedException $broken) {
        check($broken->after === $after + $count, 'the number of the last event');
        return [$count, false];
    }
    check($event instanceof JobSucceededEvent, 'a build');
    return [$count, true];
}
[$whole] = watch($switchyard, 0);
check($whole > 7, 'a whole build');
$count = 0;
do {
    [$part, $done] = watch($cut, $count);
    check($part > 0 && $part <= 3, "at most three events, not $part");
    $count += $part;
} while (!$done);
check($count === $whole, "$count events, not $whole");

/** A build as it is once it is done. */
function built(Switchyard $switchyard, FactoryJob $job): FactoryJob
{
    foreach ($switchyard->jobs->streamFactoryJobEvents($job->id) as $event) {
    }
    check($event instanceof JobSucceededEvent, 'a build');
    return $event->job;
}
$revise = fn (FactoryJob $job, RevisionRequest $change) =>
    built($switchyard, $switchyard->jobs->createFactoryRevision($job->id, $change));
$planned = $switchyard->jobs->createFactoryPlan(new PlanRequest(prompt: 'a list of books'))->spec;
check($planned->settings === [] && $planned->entity->fields !== [], 'a plan');
$planned->name = 'Shelf';
$first = built($switchyard, $switchyard->jobs->createFactoryJob(new JobRequest(spec: $planned)));
check($first->plan->spec == $planned, 'the plan that was sent');
$second = $revise($first, new RevisionRequest(spec: new AppSpec(tagline: 'What I have read')));
check($second->plan->spec->tagline === 'What I have read' && $second->title === 'Shelf', 'part of a spec');
$third = $revise($second, new RevisionRequest(patch: ['tagline' => null, 'name' => 'Books']));
check($third->plan->spec->tagline !== 'What I have read' && $third->title === 'Books', 'a patch that deletes');
$fourth = $revise($third, new RevisionRequest(restore: 2));
check($fourth->plan->spec == $second->plan->spec && $fourth->revision->change->restored === 2, 'a revision taken again');
$late = fails(SwitchyardException::class, fn () => $revise($first, new RevisionRequest(instruction: 'call it Late')));
check($late->status === 409 && $late->error->details[0]->code === 'newest_id', 'which is the newest');

$hot = new ChatMessageRequest(message: 'Hello', temperature: 3);
$error = fails(InvalidRequestException::class, fn () => $switchyard->chat->createChat($hot));
check($error->status === 400 && $error->error->param === 'temperature', 'what was wrong');
$stranger = new Switchyard('wrong', $baseUrl);
fails(AuthenticationException::class, fn () => $stranger->models->listModels());
fails(NotFoundException::class, fn () => $switchyard->usage->getRequest('req_none'));
fails(NotFoundException::class, fn () => $switchyard->jobs->streamFactoryJobEvents('job_00000000000000000000000000'));
$nobody = new Switchyard(baseUrl: 'http://127.0.0.1:9', maxRetries: 0);
fails(ConnectionException::class, fn () => $nobody->models->listModels());

$limited = new Switchyard(getenv('SWITCHYARD_LIMITED_API_KEY'), $baseUrl, maxRetries: 0);
$limited->chat->createChat($asking('sandbox'));
$error = fails(RateLimitException::class, fn () => $limited->chat->createChat($asking('sandbox')));
check($error->getRetryAfter() > 0, 'when to come back');

$sent = 0;
$curl = new CurlHandler();
$client = new Client(['handler' => HandlerStack::create(function ($request, $options) use (&$sent, $curl) {
    $sent++;
    return $curl($request, $options);
})]);
$counting = new Switchyard(baseUrl: $baseUrl, client: $client);
fails(ServerException::class, fn () => $counting->chat->createChat($asking('sandbox/error')));
check($sent === 3, "sent three times, not $sent");
fails(InvalidRequestException::class, fn () => $counting->chat->createChat(new ChatMessageRequest(message: '')));
check($sent === 4, "sent once, not $sent");

echo "$checks checks passed\n";
