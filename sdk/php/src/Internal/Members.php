<?php

declare(strict_types=1);

namespace Docfetch\Internal;

use Docfetch\Model;

/**
 * Reads and writes the members of bodies by their types: those of the generated code, e.g. `\Docfetch\Api\Identity[]`.
 *
 * @internal
 */
final class Members
{
    public static function read(string $type, mixed $value): mixed
    {
        if ($value === null) {
            return null;
        }
        if (str_ends_with($type, '[]')) {
            return array_map(static fn (mixed $one): mixed => self::read(substr($type, 0, -2), $one), self::arrayOf($value));
        }
        if (str_starts_with($type, 'array<')) {
            return self::arrayOf($value);
        }
        if ($type === '\DateTimeInterface') {
            return $value instanceof \DateTimeInterface ? $value : self::time($value);
        }
        if (!is_subclass_of($type, Model::class)) {
            return $value;
        }

        return $value instanceof $type ? $value : new $type(self::arrayOf($value));
    }

    public static function write(string $type, mixed $value): mixed
    {
        if ($value instanceof \DateTimeInterface) {
            return self::timeText($value);
        }
        // An empty array would become a list.
        if (str_starts_with($type, 'array<') && $value === []) {
            return new \stdClass();
        }

        return $value;
    }

    /** As RFC 3339 writes it, whose offset has a colon. */
    public static function timeText(\DateTimeInterface $time): string
    {
        return $time->format('Y-m-d\TH:i:s.vP');
    }

    /** @return array<mixed> */
    private static function arrayOf(mixed $value): array
    {
        return is_array($value) ? $value : throw new \UnexpectedValueException('A member is not of its type.');
    }

    private static function time(mixed $value): \DateTimeImmutable
    {
        try {
            return new \DateTimeImmutable(is_string($value) ? $value : throw new \UnexpectedValueException());
        } catch (\Exception) {
            throw new \UnexpectedValueException('A time is not of RFC 3339.');
        }
    }
}
