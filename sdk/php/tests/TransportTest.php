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
use PHPUnit\Framework\TestCase;

final class TransportTest extends TestCase
{
    use ThrownErrors;

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
        [$server, $client] = self::client(null, ScriptedServer::error(503, 'X', '0'), ScriptedServer::error(500, 'X', '0'));
        self::thrown(InternalException::class, static fn () => $client->identities->createIdentity(['client_identifier' => 'ü']));
        $keys = [];
        for ($count = 0; $count < 3; $count++) {
            $request = $server->request();
            $keys[] = $request['headers']['idempotency-key'];
            self::assertSame('{"client_identifier":"ü"}', $request['body']);
        }
        self::assertCount(1, array_unique($keys));
    }

    /**
     * @testWith [429]
     *           [500]
     *           [502]
     *           [503]
     *           [504]
     */
    public function testRepeatsARequestAfterATransientError(int $status): void
    {
        [$server, $client] = self::client(ScriptedServer::error($status, 'X', '0'), self::queued());
        self::assertSame(self::ID, $client->fetches->fetchNow(self::ID)->getUuid());
    }

    /**
     * @testWith [408]
     *           [501]
     *           [505]
     *           [520]
     */
    public function testDoesNotRepeatARequestAfterAnotherError(int $status): void
    {
        [$server, $client] = self::client(ScriptedServer::error($status, 'X', '0'), self::queued());
        $error = self::thrown(DocfetchException::class, static fn () => $client->fetches->fetchNow(self::ID));
        self::assertSame($status, $error->status);
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

    public function testDoesNotFollowRedirects(): void
    {
        [$server, $client] = self::client(ScriptedServer::answer(302, '', ['Location' => 'http://127.0.0.1:9/']));
        $error = self::thrown(DocfetchException::class, static fn () => $client->fetches->fetchNow(self::ID));
        self::assertSame([302, DocfetchException::UNEXPECTED_ANSWER], [$error->status, $error->errorCode]);
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
        array_push($urls, 'https://x.example.com/?pass', 'https://x.example.com/#pass');

        return array_map(static fn (string $url): array => [$url], $urls);
    }
}
