<?php

declare(strict_types=1);

namespace Docfetch;

use Docfetch\Exception\ConnectionException;
use Psr\Http\Message\ResponseInterface;

/**
 * The bytes of a document, read as they arrive, in constant memory: `foreach ($download as $chunk)`. They can be read once.
 *
 * @implements \IteratorAggregate<int, string>
 */
final class Download implements \IteratorAggregate
{
    private const CHUNK = 65536;

    /** The file name at the source. It comes from an e-mail or a portal: never use it as a path. */
    public readonly ?string $filename;

    /** The number of bytes in this response; null if unknown. */
    public readonly ?int $size;

    /** The SHA-256 of the whole document in hexadecimal. */
    public readonly ?string $sha256;

    /** Whether the bytes are those of the range that was requested. */
    public readonly bool $isPartial;

    /** @internal */
    public function __construct(private readonly ResponseInterface $response)
    {
        $length = $response->getHeaderLine('Content-Length');
        $this->filename = self::filenameOf($response->getHeaderLine('Content-Disposition'));
        $this->size = ctype_digit($length) ? (int) $length : null;
        $isDigest = preg_match('/\A"([0-9a-f]{64})"\z/', $response->getHeaderLine('ETag'), $match) === 1;
        $this->sha256 = $isDigest ? $match[1] : null;
        $this->isPartial = $response->getStatusCode() === 206;
    }

    /** @throws ConnectionException the download ended before the document did */
    public function getIterator(): \Generator
    {
        $body = $this->response->getBody();
        $count = 0;
        try {
            while (!$body->eof()) {
                $chunk = $body->read(self::CHUNK);
                if ($chunk === '') {
                    break;
                }
                $count += strlen($chunk);
                yield $chunk;
            }
        } catch (\RuntimeException) { // The connection was lost, or no data came within the time limit.
            throw new ConnectionException("The download was interrupted after $count bytes.");
        } finally {
            $body->close();
        }
        if ($this->size !== null && $count !== $this->size) {
            throw new ConnectionException("The download ended after $count of $this->size bytes.");
        }
    }

    /**
     * Writes all bytes into a new file, which is deleted again if the download fails, and returns their number.
     *
     * @throws ConnectionException the download ended before the document did
     * @throws \RuntimeException the file exists or cannot be written
     */
    public function saveTo(string $path): int
    {
        $file = @fopen($path, 'xb') ?: throw new \RuntimeException('The file exists or cannot be created.');
        $count = 0;
        $isComplete = false;
        try {
            foreach ($this as $chunk) {
                if (fwrite($file, $chunk) !== strlen($chunk)) {
                    throw new \RuntimeException('The file cannot be written.');
                }
                $count += strlen($chunk);
            }
            $isComplete = true;
        } finally {
            fclose($file);
            if (!$isComplete) {
                unlink($path);
            }
        }

        return $count;
    }

    /** The extended form, which supports all characters, takes precedence (RFC 6266). */
    private static function filenameOf(string $header): ?string
    {
        if (preg_match("/;\s*filename\*=UTF-8''([^;\s]+)/i", $header, $match) === 1) {
            $name = rawurldecode($match[1]);
            if (preg_match('//u', $name) === 1) {
                return $name;
            }
        }
        if (preg_match('/;\s*filename=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\s]+))/i', $header, $match) !== 1) {
            return null;
        }

        return isset($match[2]) ? $match[2] : preg_replace('/\\\\(.)/', '$1', $match[1]);
    }
}
