<?php

namespace Switchyard\Error;

use Psr\Http\Message\ResponseInterface;
use Switchyard\Model;
use Switchyard\Model\ErrorObject;

/** An error reply. Its HTTP status is the exception's code. */
class SwitchyardException extends \RuntimeException
{
    /**
     * @param ErrorObject|null $error what the reply says; null when it did not come from Switchyard
     */
    final public function __construct(
        public readonly int $status,
        public readonly ?ErrorObject $error,
        public readonly ResponseInterface $response,
    ) {
        parent::__construct($error?->message ?? "the server answered $status without saying why", $status);
    }

    /** Whether the same request may succeed later. */
    public function isRetryable(): bool
    {
        return $this->error?->retryable ?? $this->status >= 502;
    }

    /** Seconds to wait before the same request may succeed; null where the server does not know. */
    public function getRetryAfter(): ?int
    {
        $value = $this->response->getHeaderLine('retry-after');
        return $value === '' ? null : (int) $value;
    }

    /** The exception that a reply stands for, whose body is given. */
    public static function of(ResponseInterface $response, string $body): self
    {
        $status = $response->getStatusCode();
        $kind = match (true) {
            $status === 400 => InvalidRequestException::class,
            $status === 401 => AuthenticationException::class,
            $status === 403 => PermissionException::class,
            $status === 404 => NotFoundException::class,
            $status === 429 => RateLimitException::class,
            $status >= 500 => ServerException::class,
            default => self::class,
        };
        $error = json_decode($body, true)['error'] ?? null;
        return new $kind($status, is_array($error) ? Model::read(ErrorObject::class, $error) : null, $response);
    }
}
