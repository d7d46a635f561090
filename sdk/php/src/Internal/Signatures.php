<?php

declare(strict_types=1);

namespace Docfetch\Internal;

/**
 * HMAC-SHA256 by any of several secrets (Standard Webhooks).
 *
 * @internal
 */
final class Signatures
{
    /** @var list<string> */
    private array $keys = [];

    /** @param array<string> $secrets */
    public function __construct(#[\SensitiveParameter] array $secrets)
    {
        foreach ($secrets as $secret) {
            $key = self::decoded(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret);
            if ($key === null || $key === '') { // Anyone can sign with an empty key.
                throw new \InvalidArgumentException('A signing secret is empty or not base64.');
            }
            $this->keys[] = $key;
        }
        if ($this->keys === []) {
            throw new \InvalidArgumentException('A signing secret is missing.');
        }
    }

    /**
     * Verifies all pairs, each in constant time, so that the duration does not reveal which one matches.
     *
     * @param array<string> $signatures in base64
     */
    public function matchesOne(array $signatures, string $text): bool
    {
        $matches = false;
        foreach ($this->keys as $key) {
            $expected = hash_hmac('sha256', $text, $key, true);
            foreach ($signatures as $signature) {
                $mac = self::decoded($signature);
                $matches = ($mac !== null && hash_equals($expected, $mac)) || $matches;
            }
        }

        return $matches;
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return [];
    }

    /** Null for invalid base64, including non-canonical base64. */
    private static function decoded(string $text): ?string
    {
        $raw = base64_decode($text, true);

        return $raw !== false && base64_encode($raw) === $text ? $raw : null;
    }
}
