<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use PHPUnit\Framework\TestCase;

/** The package that users install, and its README. */
final class PackageTest extends TestCase
{
    public function testHasTheSourcesAndNothingOfTheTests(): void
    {
        $folder = sys_get_temp_dir() . '/docfetch-' . bin2hex(random_bytes(8));
        $arguments = array_map(escapeshellarg(...), [dirname(__DIR__), $folder]);
        $options = vsprintf('--no-interaction --working-dir=%s --format=tar --dir=%s --file=package', $arguments);
        exec("COMPOSER_ALLOW_SUPERUSER=1 composer archive $options 2>&1", $output, $status);
        self::assertSame(0, $status, implode("\n", $output));
        exec("tar --list --file=$arguments[1]/package.tar", $paths);
        unlink("$folder/package.tar");
        rmdir($folder);
        $files = preg_grep('~/$~', $paths, PREG_GREP_INVERT);
        $expected = ['README.md', 'composer.json', 'src/Api/Identity.php', 'src/Docfetch.php', 'src/Internal/Transport.php'];
        self::assertSame([], array_diff($expected, $files));
        self::assertSame(['README.md', 'composer.json'], array_values(preg_grep('~^src/.*\.php$~', $files, PREG_GREP_INVERT)));
    }

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
