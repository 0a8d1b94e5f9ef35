<?php

namespace Switchyard;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;

/** A file that is being received. */
final class Download
{
    /** What the server calls the file; null if it does not say. */
    public readonly ?string $name;

    public readonly StreamInterface $body;

    public function __construct(ResponseInterface $response)
    {
        $found = preg_match('/filename="([^"]*)"/', $response->getHeaderLine('content-disposition'), $parts);
        $this->name = $found ? $parts[1] : null;
        $this->body = $response->getBody();
    }

    /** Everything that it holds, in memory. */
    public function contents(): string
    {
        return $this->body->getContents();
    }

    /** Writes it to a file and tells how many bytes that were. */
    public function saveTo(string $path): int
    {
        $file = fopen($path, 'wb') ?: throw new \RuntimeException("$path cannot be written");
        $size = 0;
        while (!$this->body->eof()) {
            $size += fwrite($file, $this->body->read(1 << 16));
        }
        fclose($file);
        return $size;
    }
}
