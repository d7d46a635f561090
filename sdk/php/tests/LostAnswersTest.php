<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Docfetch;
use Docfetch\Exception\ConnectionException;
use GuzzleHttp\Client;
use GuzzleHttp\Handler\StreamHandler;
use PHPUnit\Framework\TestCase;

/** A server that stalls, or closes the connection too early. */
final class LostAnswersTest extends TestCase
{
    use ThrownErrors;

    private const ID = '0198f6a0-7d5c-7000-8000-000000000002';
    private const FILE = ['Content-Disposition' => 'attachment'];

    private static function emptyPage(): string
    {
        return ScriptedServer::answer(200, '{"data":[],"meta":{"next_cursor":null,"has_more":false}}');
    }

    public function testRepeatsARequestWhoseAnswerBrokeOff(): void
    {
        foreach ([null, new Client(['handler' => new StreamHandler()])] as $http) {
            $server = new ScriptedServer(substr(self::emptyPage(), 0, -5), self::emptyPage());
            $client = new Docfetch($server->url, apiKey: 'k', httpClient: $http);
            self::assertSame([], $client->fetches->listFetches(self::ID)->getData());
        }
    }

    public function testTheLongestWaitDoesNotLimitPausesOfItsOwn(): void
    {
        $server = new ScriptedServer(ScriptedServer::error(503, 'X'), self::emptyPage());
        $client = new Docfetch($server->url, apiKey: 'k', maxRetryWait: 0);
        self::assertSame([], $client->fetches->listFetches(self::ID)->getData());
    }

    public function testTheTimeLimitIsAnErrorOfTheConnection(): void
    {
        foreach (['STALL', 'STALL' . substr(self::emptyPage(), 0, -2)] as $answer) {
            $server = new ScriptedServer($answer);
            $client = new Docfetch($server->url, maxRetries: 0, timeout: 0.3);
            $error = self::thrown(ConnectionException::class, static fn () => $client->fetches->listFetches(self::ID));
            self::assertStringContainsString('timed out', $error->getMessage());
        }
    }

    /**
     * @testWith ["STALL", "interrupted after 15 bytes"]
     *           ["", "ended after 15 of 18 bytes"]
     */
    public function testADownloadThatStallsOrEndsTooEarlyIsAnErrorAndLeavesNoFile(string $how, string $message): void
    {
        $file = sys_get_temp_dir() . '/docfetch-' . bin2hex(random_bytes(8));
        $server = new ScriptedServer($how . substr(ScriptedServer::answer(200, 'the whole document', self::FILE), 0, -3));
        $client = new Docfetch($server->url, maxRetries: 0, timeout: 0.3);
        $error = self::thrown(ConnectionException::class, static fn () => $client->downloadDocument(self::ID)->saveTo($file));
        self::assertStringContainsString($message, $error->getMessage());
        self::assertFileDoesNotExist($file);
    }

    public function testADownloadWithoutALengthThatStallsIsNoCompleteDocument(): void
    {
        $server = new ScriptedServer('STALL' . "HTTP/1.1 200 X\r\nContent-Disposition: attachment\r\nConnection: close\r\n\r\nthe whole");
        $client = new Docfetch($server->url, maxRetries: 0, timeout: 0.3);
        $act = static fn () => iterator_to_array($client->downloadDocument(self::ID));
        self::assertStringContainsString('interrupted after 9 bytes', self::thrown(ConnectionException::class, $act)->getMessage());
    }

    public function testADownloadMayTakeLongerThanTheTimeLimitAsLongAsBytesArrive(): void
    {
        $server = new ScriptedServer('SLOWLY' . ScriptedServer::answer(200, 'the whole document', self::FILE));
        $client = new Docfetch($server->url, maxRetries: 0, timeout: 1);
        $begin = microtime(true);
        self::assertSame('the whole document', implode('', iterator_to_array($client->downloadDocument(self::ID))));
        self::assertGreaterThan(1, microtime(true) - $begin);
    }
}
