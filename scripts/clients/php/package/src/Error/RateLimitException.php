<?php

namespace Switchyard\Error;

/** 429: a limit is reached; `getRetryAfter()` says when to come back. */
class RateLimitException extends SwitchyardException
{
}
