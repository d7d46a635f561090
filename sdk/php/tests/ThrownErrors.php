<?php

declare(strict_types=1);

namespace Docfetch\Tests;

trait ThrownErrors
{
    /**
     * @template T of \Throwable
     * @param class-string<T> $class
     * @return T
     */
    private static function thrown(string $class, \Closure $act): \Throwable
    {
        try {
            $act();
        } catch (\Throwable $error) {
            self::assertInstanceOf($class, $error, (string) $error);

            return $error;
        }
        self::fail("no $class");
    }
}
