<?php

/** The live test: `php live.php <folder of the package>`. Ends with a line that counts, or with an exception. */

use GuzzleHttp\Handler\CurlHandler;
use Switchyard\Error\AuthenticationException;
use Switchyard\Error\InvalidRequestException;
use Switchyard\Error\NotFoundException;
use Switchyard\Error\RateLimitException;
use Switchyard\Error\ServerException;
use Switchyard\Error\SwitchyardException;
// if runAgent
use Switchyard\Model\AgentRunRequest;
// end if
// if useFeature
use Switchyard\Model\AiCall;
use Switchyard\Model\KeywordsCall;
use Switchyard\Model\KeywordsInput;
// end if
use Switchyard\Model\ChatMessage;
use Switchyard\Model\ChatMessageRequest;
use Switchyard\Model\ChatMessagesRequest;
use Switchyard\Switchyard;

set_error_handler(fn (int $level, string $message) => throw new ErrorException($message, 0, $level));
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($argv): void {
    $file = $argv[1] . '/src/' . strtr(substr($class, strlen('Switchyard\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Switchyard\\') && is_file($file)) {
        require $file;
    }
});

$checks = 0;
function check(bool $holds, string $what): void
{
    global $checks;
    $checks++;
    $holds || throw new AssertionError($what);
}

/** @param class-string<SwitchyardException> $kind */
function fails(string $kind, callable $call): SwitchyardException
{
    try {
        $call();
    } catch (SwitchyardException $error) {
        check($error instanceof $kind, "$kind was expected, not " . $error::class);
        return $error;
    }
    throw new AssertionError("$kind was expected");
}

$baseUrl = getenv('SWITCHYARD_BASE_URL');
$hello = new ChatMessageRequest(['message' => 'Hello']);

// sample start
$switchyard = new Switchyard(
    apiKey: getenv('SWITCHYARD_API_KEY'),
    baseUrl: getenv('SWITCHYARD_BASE_URL') ?: 'http://127.0.0.1:8080',
);
// end

// sample createChat: A conversation (variant A)
$answer = $switchyard->chat->createChat(new ChatMessagesRequest([
    'model' => 'sandbox',
    'messages' => [
        new ChatMessage(['role' => 'system', 'content' => 'You answer in one sentence.']),
        new ChatMessage(['role' => 'user', 'content' => 'Why is the sky blue?']),
    ],
    'temperature' => 0.7,
]));
echo $answer->getContent(), ' ', $answer->getUsage()->getTotalTokens(), "\n";
// end
check(str_starts_with($answer->getId(), 'chat-'), 'an id');
check($answer->getUsage()->getTotalTokens() > 1, 'tokens');

// sample createChat: A single message (variant B)
$answer = $switchyard->chat->createChat(new ChatMessageRequest(['message' => 'Why is the sky blue?']));
echo $answer->getContent(), "\n";
// end
check($answer->getFinishReason() === 'stop', 'a reason');

// sample listModels
foreach ($switchyard->models->listModels()->getData() as $model) {
    echo $model->getId(), ' ', $model->getProvider(), "\n";
}
// end
// sample getUsage
$usage = $switchyard->usage->getUsage(from: '2026-11-01');
echo $usage->getPlan(), ' ', $usage->getTotal()->getRequests(), "\n";
// end
check($usage->getTotal()->getRequests() > 0, 'requests');
// sample listRequests
$page = $switchyard->usage->listRequests(limit: 10);
foreach ($page->getData() as $request) {
    echo $request->getRequestId(), ' ', $request->getStatus(), "\n";
}
// end
$requestId = $page->getData()[0]->getRequestId();
// sample getRequest
$request = $switchyard->usage->getRequest($requestId);
echo $request->getStatus(), ' ', count($request->getAttempts()), "\n";
// end
check($request->getRequestId() === $requestId, 'the request');

// if useFeature
// sample listFeatures
foreach ($switchyard->features->listFeatures()->getData() as $feature) {
    echo $feature->getId(), ' ', $feature->getAvailability(), "\n";
}
// end
// sample keywords
$result = $switchyard->features->keywords(new KeywordsCall([
    'input' => new KeywordsInput(['text' => 'Solar panels turn sunlight into electricity.', 'limit' => 2]),
]));
foreach ($result->getOutput()->getKeywords() as $keyword) {
    echo $keyword->getKeyword(), ' ', $keyword->getScore(), "\n";
}
// end
check(count($result->getOutput()->getKeywords()) === 2, 'two keywords');
// sample useFeature
$used = $switchyard->features->useFeature('keywords', new AiCall([
    'input' => ['text' => 'Solar panels turn sunlight into electricity.', 'limit' => 2],
]));
print_r($used->getOutput());
// end
check($used->getFeature() === 'keywords', 'the feature');
// end if
// if runAgent
// sample runAgent
$run = $switchyard->agents->runAgent('assistant', new AgentRunRequest(['input' => 'What is 17 * 23?']));
echo $run->getStatus(), ' ', $run->getOutput(), "\n";
// end
check($run->getStatus() === 'succeeded', 'an answer');
// end if

// sample errors
try {
    $switchyard->chat->createChat(new ChatMessageRequest(['message' => 'Hello', 'temperature' => 3]));
} catch (RateLimitException $error) {
    echo 'come back in ', $error->getRetryAfter(), " seconds\n";
} catch (SwitchyardException $error) {
    echo $error->status, ' ', $error->error?->getCode(), ' ', $error->getMessage(), "\n";
}
// end
$hot = new ChatMessageRequest(['message' => 'Hello', 'temperature' => 3]);
$error = fails(InvalidRequestException::class, fn () => $switchyard->chat->createChat($hot));
check($error->status === 400 && $error->error->getParam() === 'temperature', 'what was wrong');
$stranger = new Switchyard('wrong', $baseUrl);
fails(AuthenticationException::class, fn () => $stranger->models->listModels());
fails(NotFoundException::class, fn () => $switchyard->usage->getRequest('req_none'));

$limited = new Switchyard(getenv('SWITCHYARD_LIMITED_API_KEY'), $baseUrl, maxRetries: 0);
$limited->chat->createChat($hello);
$error = fails(RateLimitException::class, fn () => $limited->chat->createChat($hello));
check($error->getRetryAfter() > 0, 'when to come back');

$sent = 0;
$curl = new CurlHandler();
$counting = new Switchyard(baseUrl: $baseUrl, handler: function ($request, $options) use (&$sent, $curl) {
    $sent++;
    return $curl($request, $options);
});
$failing = new ChatMessageRequest(['model' => 'sandbox/error', 'message' => 'Hello']);
fails(ServerException::class, fn () => $counting->chat->createChat($failing));
check($sent === 3, "sent three times, not $sent");
fails(InvalidRequestException::class, fn () => $counting->chat->createChat(new ChatMessageRequest(['message' => ''])));
check($sent === 4, "sent once, not $sent");

echo "$checks checks passed\n";
