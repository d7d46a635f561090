<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use PHPUnit\Framework\TestCase;

final class ReadmeTest extends TestCase
{
    /** Executed as they are, in a folder of their own and with the address of the service. Those of a web page are only parsed. */
    public function testEveryExampleWorks(): void
    {
        preg_match_all('/^```php\n(.*?)^```/ms', file_get_contents(dirname(__DIR__) . '/README.md'), $match);
        self::assertGreaterThanOrEqual(6, count($match[1]));
        $folder = sys_get_temp_dir() . '/docfetch-' . bin2hex(random_bytes(8));
        mkdir($folder);
        chdir($folder);
        foreach ($match[1] as $number => $example) {
            self::assertStringContainsString("require 'vendor/autoload.php';", $example);
            $texts = [
                "'vendor/autoload.php'" => var_export(__DIR__ . '/bootstrap.php', true),
                'customer-1' => 'readme',
                "'https://docfetch.example.com'" => var_export(getenv('DOCFETCH_URL'), true),
            ];
            file_put_contents("$number.php", strtr($example, $texts));
            $isPage = str_contains($example, 'http_response_code');
            exec(escapeshellarg(PHP_BINARY) . ($isPage ? ' -l' : '') . " $number.php 2>&1", $lines, $status);
            self::assertSame(0, $status, implode("\n", $lines));
        }
        chdir('/');
        array_map(unlink(...), glob("$folder/*"));
        rmdir($folder);
        self::assertStringContainsString('token=', implode("\n", $lines));
    }
}
