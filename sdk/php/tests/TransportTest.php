<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Api\ErrorCode;
use Docfetch\Docfetch;
use Docfetch\Exception\ConflictException;
use Docfetch\Exception\ConnectionException;
use Docfetch\Exception\DocfetchException;
use Docfetch\Exception\InternalException;
use Docfetch\Exception\RateLimitException;
use Docfetch\Exception\UnauthorizedException;
use PHPUnit\Framework\TestCase;

final class TransportTest extends TestCase
{
    private const ID = '0198f6a0-7d5c-7000-8000-000000000002';

    private static function queued(): string
    {
        return ScriptedServer::answer(202, '{"uuid":"' . self::ID . '"}');
    }

    /** @return array{ScriptedServer, Docfetch} */
    private static function client(?string ...$answers): array
    {
        $server = new ScriptedServer(...$answers);

        return [$server, new Docfetch($server->url, apiKey: 'df_test_x')];
    }

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

    public function testSendsTheCredentialsThatTheEndpointAcceptsAndTheLanguage(): void
    {
        $empty = ScriptedServer::answer(200, '{"data":[],"meta":{"next_cursor":null,"has_more":false}}');
        $server = new ScriptedServer($empty, $empty);
        $client = new Docfetch($server->url . '/', apiKey: 'key', token: static fn (): string => 'token', lang: 'de');
        $client->fetches->listFetches(self::ID);
        $client->connections->listConnections(lang: 'en'); // with a token only
        $seen = [];
        foreach ([$server->request(), $server->request()] as $request) {
            $headers = $request['headers'];
            $seen[] = [$request['line'], $headers['x-api-key'] ?? null, $headers['x-token'], $headers['lang']];
        }
        self::assertSame(
            [
                ['GET /v1/connections/' . self::ID . '/fetches HTTP/1.1', 'key', 'token', 'de'],
                ['GET /v1/connections HTTP/1.1', null, 'token', 'en'],
            ],
            $seen,
        );
    }

    public function testRepeatsAPostWithItsBodyAndTheSameIdempotencyKey(): void
    {
        $truncated = substr(ScriptedServer::answer(200, '{"data":{}}'), 0, -5);
        $errors = [ScriptedServer::error(503, 'X', '0'), ScriptedServer::error(520, 'X', '0')];
        $server = new ScriptedServer(null, ...$errors, ...[$truncated]);
        $client = new Docfetch($server->url, apiKey: 'k', maxRetries: 3);
        self::thrown(ConnectionException::class, static fn () => $client->identities->createIdentity(['client_identifier' => 'ü']));
        $keys = [];
        for ($count = 0; $count < 4; $count++) {
            $request = $server->request();
            $keys[] = $request['headers']['idempotency-key'];
            self::assertSame('{"client_identifier":"ü"}', $request['body']);
        }
        self::assertCount(1, array_unique($keys));
    }

    public function testKeepsAnIdempotencyKeyOfTheCaller(): void
    {
        [$server, $client] = self::client(self::queued());
        $client->fetches->fetchNow(self::ID, idempotencyKey: 'mine');
        self::assertSame('mine', $server->request()['headers']['idempotency-key']);
    }

    public function testWaitsForARequestWithTheSameKeyThatIsStillRunning(): void
    {
        [$server, $client] = self::client(ScriptedServer::error(409, 'IDEMPOTENCY_IN_PROGRESS', '0'), self::queued());
        self::assertSame(self::ID, $client->fetches->fetchNow(self::ID)->getUuid());
    }

    public function testDoesNotRepeatAConflict(): void
    {
        [$server, $client] = self::client(ScriptedServer::error(409, 'SCHEDULED_FETCH_DUE', '50'), self::queued());
        $error = self::thrown(ConflictException::class, static fn () => $client->fetches->fetchNow(self::ID));
        self::assertSame([ErrorCode::SCHEDULED_FETCH_DUE, 50], [$error->errorCode, $error->retryAfter]);
    }

    public function testDoesNotRepeatAPostWithoutAKey(): void
    {
        [$server, $client] = self::client(ScriptedServer::error(500, 'INTERNAL_ERROR'), ScriptedServer::answer(204, ''));
        $act = static fn () => $client->transactions->acknowledgeTransaction(self::ID, ['result' => 'ACCEPTED']);
        self::thrown(InternalException::class, $act);
        self::assertArrayNotHasKey('idempotency-key', $server->request()['headers']);
    }

    public function testThrowsTheErrorAfterTheLastRetry(): void
    {
        $errors = array_map(static fn (string $code): string => ScriptedServer::error(503, $code, '0'), ['X', 'Y', 'Z']);
        [$server, $client] = self::client(...$errors);
        $error = self::thrown(DocfetchException::class, static fn () => $client->fetches->fetchNow(self::ID));
        self::assertSame('Z', $error->errorCode);
    }

    public function testThrowsTheErrorAtOnceWhenTheWaitIsTooLong(): void
    {
        foreach (['31', gmdate('D, d M Y H:i:s \G\M\T', time() + 3600)] as $after) {
            [$server, $client] = self::client(ScriptedServer::error(429, 'FETCH_QUOTA_EXCEEDED', $after), self::queued());
            $error = self::thrown(RateLimitException::class, static fn () => $client->fetches->fetchNow(self::ID));
            self::assertGreaterThan(30, $error->retryAfter);
        }
    }

    public function testALostConnectionIsAnErrorOfItsOwnWithoutTheParameters(): void
    {
        $server = new ScriptedServer(null);
        $client = new Docfetch($server->url, maxRetries: 0);
        $act = static fn () => $client->identities->listIdentities(clientIdentifier: 'personal');
        self::assertStringNotContainsString('personal', self::thrown(ConnectionException::class, $act)->getMessage());
    }

    public function testTheTimeLimitIsAnErrorOfTheConnection(): void
    {
        foreach (['STALL', 'STALL' . substr(ScriptedServer::answer(200, '{"data":[]}'), 0, -2)] as $answer) {
            $server = new ScriptedServer($answer);
            $client = new Docfetch($server->url, maxRetries: 0, timeout: 0.3);
            self::thrown(ConnectionException::class, static fn () => $client->fetches->listFetches(self::ID));
        }
    }

    public function testADownloadThatStallsOrEndsTooEarlyIsAnErrorAndLeavesNoFile(): void
    {
        $part = substr(ScriptedServer::answer(200, 'the whole document'), 0, -3);
        $file = sys_get_temp_dir() . '/docfetch-' . bin2hex(random_bytes(8));
        foreach (["STALL$part", $part] as $answer) {
            $server = new ScriptedServer($answer);
            $client = new Docfetch($server->url, maxRetries: 0, timeout: 0.3);
            self::thrown(ConnectionException::class, static fn () => $client->downloadDocument(self::ID)->saveTo($file));
            self::assertFileDoesNotExist($file);
        }
    }

    public function testDoesNotFollowRedirects(): void
    {
        [$server, $client] = self::client(ScriptedServer::answer(302, '', ['Location' => 'http://127.0.0.1:9/']));
        $error = self::thrown(DocfetchException::class, static fn () => $client->fetches->fetchNow(self::ID));
        self::assertSame([302, DocfetchException::UNEXPECTED_ANSWER], [$error->status, $error->errorCode]);
    }

    /** @dataProvider foreignBodies */
    public function testAResponseOfAnotherProgramIsAnErrorToo(string $body): void
    {
        [$server, $client] = self::client(ScriptedServer::answer(401, $body), ScriptedServer::answer(200, $body));
        $error = self::thrown(UnauthorizedException::class, static fn () => $client->environment->getEnvironment());
        self::assertSame(DocfetchException::UNEXPECTED_ANSWER, $error->errorCode);
        self::assertSame([[], null], [$error->errors, $error->requestId]);
        $error = self::thrown(DocfetchException::class, static fn () => $client->environment->getEnvironment());
        self::assertSame(200, $error->status);
    }

    /** @return list<array{string}> */
    public static function foreignBodies(): array
    {
        return [['<html>'], ['[]'], ['{"code": 1}'], ['null'], [''], ['{"data": "text"}']];
    }

    /** @dataProvider wrongAddresses */
    public function testRefusesAnAddressThatIsNoneWithoutRepeatingIt(string $url): void
    {
        $error = self::thrown(\InvalidArgumentException::class, static fn () => new Docfetch($url));
        self::assertStringNotContainsString('pass', $error->getMessage());
    }

    /** @return list<array{string}> */
    public static function wrongAddresses(): array
    {
        $urls = ['', 'docfetch.example.com', 'ftp://docfetch.example.com', 'https://', 'https://u:pass@x.example.com', 'https://x y'];

        return array_map(static fn (string $url): array => [$url], $urls);
    }
}
