<?php

namespace Switchyard\Error;

/** The server could not be reached, went away, or took too long. */
class ConnectionException extends \RuntimeException
{
}
