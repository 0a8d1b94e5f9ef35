<?php
/** Calls the server with the client that OpenAPI Generator makes for PHP, over Debian's Guzzle. */

require 'GuzzleHttp/autoload.php';
spl_autoload_register(fn($name) => require 'client/lib/' . strtr(substr($name, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php');

use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Api\{AgentsApi, ChatApi, FactoryJobsApi};
use OpenAPI\Client\Model\{ChatMessage, ChatRequest, ChatStreamRequest, ErrorCode, JobRequest, JobStatus};

function expect(bool $fits, mixed $value): void
{
    if (!$fits) throw new Exception('unexpected: ' . print_r($value, true));
}

$configuration = (new Configuration())->setAccessToken(getenv('API_KEY'))->setApiKey('X-API-Key', getenv('API_KEY'));
$chat = new ChatApi(null, $configuration);

$answer = $chat->createChat(new ChatRequest(['model' => 'sandbox/echo', 'message' => 'Hello']));
expect($answer->getContent() === 'Hello' && $answer->getUsage()->getTotalTokens() > 0, $answer);

$messages = [new ChatMessage(['role' => 'user', 'content' => 'Hello again'])];
$answer = $chat->createChat(new ChatRequest(['model' => 'sandbox/echo', 'messages' => $messages]));
expect($answer->getContent() === 'Hello again', $answer);

$stream = $chat->streamChat(new ChatStreamRequest(['model' => 'sandbox/echo', 'message' => 'Hello']));
expect(str_starts_with($stream, "event: start\n") && str_contains($stream, "event: end\n"), $stream);

$builds = new FactoryJobsApi(null, $configuration);
$job = $builds->createFactoryJob(new JobRequest(['prompt' => 'a packing list']));
$builds->streamFactoryJobEvents($job->getId());
$job = $builds->getFactoryJob($job->getId());
expect($job->getStatus() === JobStatus::JOB_STATUS_SUCCEEDED && $job->getArtifact()->getBytes() > 0, $job);

try {
    (new AgentsApi(null, $configuration))->getAgent('nobody');
    expect(false, 'found an agent that is not there');
} catch (ApiException $failure) {
    $reply = $failure->getResponseObject();
    expect($failure->getCode() === 404 && $reply->getError()->getCode() === ErrorCode::NOT_FOUND, $failure);
}
