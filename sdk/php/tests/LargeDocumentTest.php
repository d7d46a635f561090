<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use PHPUnit\Framework\TestCase;

final class LargeDocumentTest extends TestCase
{
    private const ALLOWED_KIB = 8 * 1024;

    /** In a process of its own, because the peak of this one is that of all tests. */
    public function testDownloadsADocumentOf100MibInConstantMemory(): void
    {
        exec(escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(__DIR__ . '/large-download.php') . ' 2>&1', $lines, $status);
        self::assertSame(0, $status, implode("\n", $lines));
        [$growth, $size, $digest, $announced] = explode(' ', $lines[0]);
        self::assertSame(getenv('DOCFETCH_LARGE_BYTES'), $size);
        self::assertSame([getenv('DOCFETCH_LARGE_SHA256'), $digest], [$digest, $announced]);
        self::assertLessThan(self::ALLOWED_KIB, (int) $growth);
    }
}
