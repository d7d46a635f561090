<?php

declare(strict_types=1);

// Composer's, or the one of Debian's package php-guzzlehttp-guzzle.
$composer = dirname(__DIR__) . '/vendor/autoload.php';
if (is_file($composer)) {
    require $composer;
} else {
    require '/usr/share/php/GuzzleHttp/autoload.php';
    spl_autoload_register(static function (string $class): void {
        foreach (['Docfetch\\Tests\\' => __DIR__, 'Docfetch\\' => dirname(__DIR__) . '/src'] as $prefix => $folder) {
            $file = $folder . '/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
            if (str_starts_with($class, $prefix) && is_file($file)) {
                require $file;

                return;
            }
        }
    });
}
