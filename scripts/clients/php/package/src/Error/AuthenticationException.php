<?php

namespace Switchyard\Error;

/** 401: the key is missing or invalid. */
class AuthenticationException extends SwitchyardException
{
}
