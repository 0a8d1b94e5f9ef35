<?php

namespace Switchyard;

use GuzzleHttp\ClientInterface;
use GuzzleHttp\Exception\GuzzleException;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;
use Switchyard\Error\ConnectionException;
use Switchyard\Error\StreamInterruptedException;
use Switchyard\Error\SwitchyardException;

/** Carries operations out. Every error reply is thrown as a SwitchyardException. */
final class Caller
{
    /** Seconds; longer waits are the caller's to decide. */
    private const LONGEST_WAIT = 60;

    /** @param array<string, string> $headers of every request */
    public function __construct(
        private readonly ClientInterface $client,
        private readonly string $baseUrl,
        private readonly ?string $apiKey,
        private readonly int $maxRetries,
        private readonly float $timeout,
        private readonly array $headers,
    ) {
    }

    /** An operation whose reply is JSON, or plain text for a string, or nothing. */
    public function call(string $credentials, string $method, string $path, array $values, array $query, mixed $body, string $type): mixed
    {
        $response = $this->open($credentials, $method, $this->target($path, $values, $query), $body, 'application/json, text/plain;q=0.9', false);
        $text = (string) $response->getBody();
        return match ($type) {
            'void' => null,
            'string' => $text,
            default => Model::read($type, json_decode($text, true, 512, JSON_THROW_ON_ERROR)),
        };
    }

    /** An operation whose reply is a file. */
    public function download(string $credentials, string $method, string $path, array $values, array $query, mixed $body): Download
    {
        return new Download($this->open($credentials, $method, $this->target($path, $values, $query), $body, '*/*', true));
    }

    /** An operation whose reply is a stream of events. */
    public function stream(string $credentials, string $method, string $path, array $values, array $query, mixed $body, string $type): \Generator
    {
        $target = $this->target($path, $values, $query);
        return $this->events($this->open($credentials, $method, $target, $body, 'text/event-stream', true), $type);
    }

    private function target(string $path, array $values, array $query): string
    {
        foreach ($values as $name => $value) {
            $path = str_replace('{' . $name . '}', rawurlencode($value), $path);
        }
        $text = http_build_query($query);
        return rtrim($this->baseUrl, '/') . $path . ($text === '' ? '' : "?$text");
    }

    /**
     * Sends a request until it is answered or no retry is worth it. An error reply that says `"retryable": true` is, as long as
     * the server asks to wait (`Retry-After`) or else after 0.5 s, 1 s, 2 s, … with jitter. A reply with `x-should-retry: false`
     * is final. A connection that failed is tried again for GET only, since another request may have been carried out.
     */
    private function open(string $credentials, string $method, string $target, mixed $body, string $accept, bool $streams): ResponseInterface
    {
        $options = [
            'http_errors' => false,
            'headers' => ['Accept' => $accept] + $this->credentials($credentials) + ($body === null ? [] : ['Content-Type' => 'application/json']),
            'body' => $body === null ? null : json_encode($body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION),
            'stream' => $streams,
            'timeout' => $this->timeout,
            'read_timeout' => $this->timeout,
        ];
        $options['headers'] = $this->headers + $options['headers'];
        for ($attempt = 0;; $attempt++) {
            $wait = 0.5 * 2 ** $attempt * random_int(75, 125) / 100;
            try {
                $response = $this->client->request($method, $target, $options);
            } catch (GuzzleException $failure) {
                if ($attempt >= $this->maxRetries || $method !== 'GET') {
                    throw new ConnectionException($failure->getMessage(), 0, $failure);
                }
                usleep((int) (1e6 * $wait));
                continue;
            }
            if ($response->getStatusCode() < 300) {
                return $response;
            }
            $error = SwitchyardException::of($response, $response->getBody()->getContents());
            $wait = $error->getRetryAfter() ?? $wait;
            $mayRetry = $error->isRetryable() && $response->getHeaderLine('x-should-retry') !== 'false';
            if (!$mayRetry || $attempt >= $this->maxRetries || $wait > self::LONGEST_WAIT) {
                throw $error;
            }
            usleep((int) (1e6 * $wait));
        }
    }

    /** @return array<string, string> */
    private function credentials(string $scheme): array
    {
        return match (true) {
            $scheme === '' || $this->apiKey === null => [],
            $scheme === 'apiKeyAuth' => ['X-API-Key' => $this->apiKey],
            default => ['Authorization' => "Bearer $this->apiKey"],
        };
    }

    /**
     * The events as they arrive. The last event of the contract ends them; an error event is thrown as a SwitchyardException, and
     * a stream that ends before its last event as a StreamInterruptedException. To let go of the generator closes the connection.
     */
    private function events(ResponseInterface $response, string $type): \Generator
    {
        $after = 0;
        $body = $response->getBody();
        try {
            foreach ($this->data($body) as $data) {
                $event = json_decode($data, true, 512, JSON_THROW_ON_ERROR);
                if ($event['type'] === 'error' && isset($event['error'])) {
                    throw SwitchyardException::of($response, $data);
                }
                $after = $event['seq'] ?? $after;
                yield Model::read($type, $event);
                if ($event['type'] === 'end' || ($event['final'] ?? false)) {
                    return;
                }
            }
        } catch (ConnectionException $broken) {
            throw new StreamInterruptedException($after, $broken);
        } finally {
            $body->close();
        }
        throw new StreamInterruptedException($after);
    }

    /** The data of each event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
    private function data(StreamInterface $body): \Generator
    {
        $rest = '';
        $data = [];
        while (!$body->eof()) {
            try {
                $rest .= $body->read(8192);
            } catch (\RuntimeException $failure) {
                throw new ConnectionException($failure->getMessage(), 0, $failure);
            }
            if ($body->getMetadata('timed_out')) {
                throw new ConnectionException('the server was silent for too long');
            }
            $lines = explode("\n", $rest);
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                $line = rtrim($line, "\r");
                if ($line === '' && $data !== []) {
                    yield implode("\n", $data);
                    $data = [];
                } elseif (str_starts_with($line, 'data:')) {
                    $data[] = substr($line, str_starts_with($line, 'data: ') ? 6 : 5);
                }
            }
        }
    }
}
