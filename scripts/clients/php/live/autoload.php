<?php

/** What Composer's autoloader does, without Composer: of Debian's Guzzle, and of the package in SWITCHYARD_PACKAGE. */

set_error_handler(fn (int $level, string $message) => throw new ErrorException($message, 0, $level));
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = getenv('SWITCHYARD_PACKAGE') . '/src/' . strtr(substr($class, strlen('Switchyard\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Switchyard\\') && is_file($file)) {
        require $file;
    }
});
