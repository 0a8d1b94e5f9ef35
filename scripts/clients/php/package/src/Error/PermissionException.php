<?php

namespace Switchyard\Error;

/** 403: the key lacks the scope that the operation needs. */
class PermissionException extends SwitchyardException
{
}
