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
            self::check(is_array($value) && array_is_list($value));

            return array_map(static fn (mixed $one): mixed => self::read(substr($type, 0, -2), $one), $value);
        }
        if ($type === '\DateTimeInterface') {
            return $value instanceof \DateTimeInterface ? $value : self::time($value);
        }
        if (is_subclass_of($type, Model::class)) {
            self::check(is_array($value) || $value instanceof $type);

            return is_array($value) ? new $type($value) : $value;
        }
        self::check(match (true) {
            $type === 'string' => is_string($value),
            $type === 'int' => is_int($value),
            $type === 'float' => is_float($value) || is_int($value),
            $type === 'bool' => is_bool($value),
            str_starts_with($type, 'array<') => is_array($value),
            default => true,
        });

        return $value;
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

    private static function check(bool $isOfType): void
    {
        if (!$isOfType) { // Without the value, which may be secret.
            throw new \UnexpectedValueException('A member is not of its type.');
        }
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
