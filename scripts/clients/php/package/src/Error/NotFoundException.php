<?php

namespace Switchyard\Error;

/** 404: there is nothing of this id or at this path. */
class NotFoundException extends SwitchyardException
{
}
