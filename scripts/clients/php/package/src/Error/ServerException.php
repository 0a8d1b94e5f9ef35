<?php

namespace Switchyard\Error;

/** 5xx: the server or the model provider failed. */
class ServerException extends SwitchyardException
{
}
