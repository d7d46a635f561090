<?php

// Downloads the large document and prints by how much the process grew in KiB, its size and digests.

declare(strict_types=1);

require __DIR__ . '/bootstrap.php';

$peak = static function (): int {
    preg_match('/VmHWM:\s+(\d+) kB/', file_get_contents('/proc/self/status'), $match);

    return (int) $match[1];
};
$client = new Docfetch\Docfetch(getenv('DOCFETCH_URL'), apiKey: getenv('DOCFETCH_LARGE_API_KEY'));
$client->environment->getEnvironment();
$before = $peak();
$digest = hash_init('sha256');
$size = 0;
$download = $client->downloadDocument(getenv('DOCFETCH_LARGE_UUID'));
foreach ($download as $chunk) {
    hash_update($digest, $chunk);
    $size += strlen($chunk);
}
echo implode(' ', [$peak() - $before, $size, hash_final($digest), $download->sha256]), "\n";
