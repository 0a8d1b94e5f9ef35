<?php

namespace Switchyard\Error;

/** 400: a field is wrong, or the model is not known. */
class InvalidRequestException extends SwitchyardException
{
}
