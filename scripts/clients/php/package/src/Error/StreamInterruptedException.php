<?php

namespace Switchyard\Error;

/** A stream ended before its last event: the connection broke, or the server closed it. */
class StreamInterruptedException extends \RuntimeException
{
    /** @param int $after the number of the last event that arrived, from which a build or a run can be watched on; 0 for none */
    public function __construct(public readonly int $after, ?\Throwable $cause = null)
    {
        parent::__construct('the stream ended before its last event', 0, $cause);
    }
}
