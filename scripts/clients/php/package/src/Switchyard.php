<?php

namespace Switchyard;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use GuzzleHttp\RequestOptions;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
// if runAgent
use Switchyard\Api\AgentsApi;
// end if
// if useFeature
use Switchyard\Api\AIFeaturesApi;
// end if
use Switchyard\Api\ChatApi;
use Switchyard\Api\ModelsApi;
use Switchyard\Api\UsageApi;
use Switchyard\Error\SwitchyardException;

/** The client: one property for each part of the interface. */
final class Switchyard
{
    /** Waits longer than this, in seconds, are the caller's to decide. */
    private const LONGEST_WAIT = 60;

    public readonly ChatApi $chat;
    public readonly ModelsApi $models;
    public readonly UsageApi $usage;
    // if useFeature
    public readonly AIFeaturesApi $features;
    // end if
    // if runAgent
    public readonly AgentsApi $agents;
    // end if

    /**
     * @param string|null $apiKey by default the environment variable SWITCHYARD_API_KEY
     * @param string $baseUrl where the server is reached
     * @param int $maxRetries how often a request is repeated after an error that is worth it, 0 for never
     * @param float $timeout seconds that a call may take
     * @param callable|null $handler sends the requests, see Guzzle
     */
    public function __construct(
        ?string $apiKey = null,
        string $baseUrl = 'http://127.0.0.1:8080',
        int $maxRetries = 2,
        float $timeout = 300,
        ?callable $handler = null,
    ) {
        $config = (new Configuration())
            ->setHost(rtrim($baseUrl, '/'))
            ->setAccessToken($apiKey ?? (string) getenv('SWITCHYARD_API_KEY'));
        $stack = HandlerStack::create($handler);
        $stack->push(Middleware::mapResponse(self::throwError(...)));
        $stack->push(Middleware::retry(self::isWorthIt($maxRetries), self::delay(...)));
        $client = new Client([
            'handler' => $stack,
            RequestOptions::HTTP_ERRORS => false,
            RequestOptions::TIMEOUT => $timeout,
        ]);
        $this->chat = new ChatApi($client, $config);
        $this->models = new ModelsApi($client, $config);
        $this->usage = new UsageApi($client, $config);
        // if useFeature
        $this->features = new AIFeaturesApi($client, $config);
        // end if
        // if runAgent
        $this->agents = new AgentsApi($client, $config);
        // end if
    }

    private static function throwError(ResponseInterface $response): ResponseInterface
    {
        if ($response->getStatusCode() >= 400) {
            throw SwitchyardException::of($response);
        }
        return $response;
    }

    /**
     * An error reply is tried again if it says `"retryable": true`, unless it also says `x-should-retry: false` or asks to
     * wait for longer than a minute. A connection that failed is tried again for GET only, since another request may have
     * been carried out.
     */
    private static function isWorthIt(int $maxRetries): callable
    {
        return function (int $retries, RequestInterface $request, $response, $failure) use ($maxRetries): bool {
            if ($retries >= $maxRetries) {
                return false;
            }
            if ($response instanceof ResponseInterface && $response->getStatusCode() >= 400) {
                $error = SwitchyardException::of($response);
                return $error->isRetryable()
                    && $response->getHeaderLine('x-should-retry') !== 'false'
                    && ($error->getRetryAfter() ?? 0) <= self::LONGEST_WAIT;
            }
            return $failure instanceof ConnectException && $request->getMethod() === 'GET';
        };
    }

    /** Milliseconds until the next attempt: as the server asks, or else 0.5 s, 1 s, 2 s, … with jitter. */
    private static function delay(int $retries, ?ResponseInterface $response): int
    {
        $asked = $response?->getHeaderLine('retry-after') ?? '';
        return $asked !== '' ? 1000 * (int) $asked : (int) (500 * 2 ** ($retries - 1) * random_int(75, 125) / 100);
    }
}
