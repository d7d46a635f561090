<?php

declare(strict_types=1);

namespace Docfetch\Internal;

use Docfetch\Model;

/**
 * A request of the generated code.
 *
 * @internal
 */
final class Call
{
    public readonly string $path;

    /** @var array<string, string> */
    public readonly array $headers;

    /**
     * @param array<string, string> $path
     * @param array<string, mixed> $query null is left out
     * @param array<string, string|null> $headers null is left out
     * @param list<string> $credentials the headers of the credentials that the operation accepts
     */
    public function __construct(
        public readonly string $method,
        string $template,
        array $path = [],
        array $query = [],
        array $headers = [],
        #[\SensitiveParameter] public readonly ?Model $body = null,
        public readonly array $credentials = [],
    ) {
        foreach ($path as $name => $value) {
            if ($value === '') {
                throw new \InvalidArgumentException("$name is empty.");
            }
            $template = str_replace('{' . $name . '}', rawurlencode($value), $template);
        }
        $texts = array_map(self::textOf(...), array_filter($query, static fn (mixed $value): bool => $value !== null));
        $this->path = $template . ($texts === [] ? '' : '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986));
        // A POST whose operation has this header gets a key if the caller has none.
        if ($method === 'POST' && array_key_exists('Idempotency-Key', $headers)) {
            $headers['Idempotency-Key'] ??= bin2hex(random_bytes(16));
        }
        $this->headers = array_filter($headers, static fn (?string $value): bool => $value !== null)
            + ['Accept' => 'application/json'];
    }

    /** Whether it can be repeated without doing anything twice (RFC 9110 9.2.2). */
    public function isIdempotent(): bool
    {
        return in_array($this->method, ['GET', 'PUT', 'DELETE'], true) || isset($this->headers['Idempotency-Key']);
    }

    /** For error messages. */
    public function __toString(): string
    {
        return $this->method . ' ' . explode('?', $this->path)[0];
    }

    private static function textOf(mixed $value): string
    {
        return match (true) {
            $value instanceof \DateTimeInterface => Members::timeText($value),
            is_bool($value) => $value ? 'true' : 'false',
            default => (string) $value,
        };
    }
}
