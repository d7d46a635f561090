<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Api\Identity;
use Docfetch\Docfetch;
use Docfetch\Exception\DocfetchException;
use Docfetch\Exception\UnauthorizedException;
use PHPUnit\Framework\TestCase;

/** Responses of other programs, such as a proxy, also with a status of success. */
final class ForeignAnswersTest extends TestCase
{
    use ThrownErrors;

    private const ID = '0198f6a0-7d5c-7000-8000-000000000002';
    private const META = '"meta":{"next_cursor":null,"has_more":false}';

    /** @param \Closure(Docfetch): mixed $act */
    private static function unexpected(int $status, string $answer, \Closure $act): DocfetchException
    {
        $server = new ScriptedServer($answer);
        $client = new Docfetch($server->url, apiKey: 'k');
        $error = self::thrown(DocfetchException::class, static fn () => $act($client));
        self::assertSame([$status, DocfetchException::UNEXPECTED_ANSWER], [$error->status, $error->errorCode]);

        return $error;
    }

    private static function login(): string
    {
        return ScriptedServer::answer(200, '<html>login</html>', ['Content-Type' => 'text/html']);
    }

    /** @dataProvider foreignErrors */
    public function testAnErrorOfAnotherProgramIsAnErrorToo(string $body): void
    {
        $act = static fn (Docfetch $client) => $client->environment->getEnvironment();
        $error = self::unexpected(401, ScriptedServer::answer(401, $body), $act);
        self::assertInstanceOf(UnauthorizedException::class, $error);
        self::assertSame([[], null], [$error->errors, $error->requestId]);
    }

    /** @return list<array{string}> */
    public static function foreignErrors(): array
    {
        return [['<html>'], ['[]'], ['{"code": 1}'], ['null'], ['']];
    }

    /** @dataProvider foreignSuccesses */
    public function testASuccessWithoutWhatTheOperationReturnsIsAnError(string $body): void
    {
        $act = static fn (Docfetch $client) => $client->fetches->listFetches(self::ID);
        self::unexpected(200, ScriptedServer::answer(200, $body), $act);
    }

    /** @return list<array{string}> */
    public static function foreignSuccesses(): array
    {
        $data = ['5', '"text"', '{"a":{}}', '[1]', '[{}]', '[{"uuid":5}]'];
        $pages = array_map(static fn (string $value): array => ['{"data":' . $value . ',' . self::META . '}'], $data);

        return [[''], ['null'], ['[]'], ['{"other":true}'], ['{"data":['], ['{"data":[],"meta":{}}'], ...$pages];
    }

    public function testAPageInsteadOfAnAnswerIsAnError(): void
    {
        $list = static fn (Docfetch $client) => $client->fetches->listFetches(self::ID);
        self::unexpected(200, self::login(), $list);
        self::unexpected(200, ScriptedServer::answer(200, '<html>', ['Content-Type' => '']), $list);
        self::unexpected(200, self::login(), static fn (Docfetch $client) => $client->connections->deleteConnection(self::ID));
        self::unexpected(200, self::login(), static fn (Docfetch $client) => $client->downloadDocument(self::ID));
    }

    public function testAnAnswerWithoutContentIsAnErrorIfTheOperationHasNone(): void
    {
        $empty = "HTTP/1.1 204 X\r\nConnection: close\r\n\r\n";
        self::unexpected(204, $empty, static fn (Docfetch $client) => $client->fetches->listFetches(self::ID));
        $server = new ScriptedServer($empty);
        (new Docfetch($server->url, apiKey: 'k'))->connections->deleteConnection(self::ID);
        self::assertSame('DELETE /v1/connections/' . self::ID . ' HTTP/1.1', $server->request()['line']);
    }

    public function testAGetterNamesTheMemberThatIsMissing(): void
    {
        $error = self::thrown(\UnexpectedValueException::class, static fn () => (new Identity())->getIdentityUuid());
        self::assertStringContainsString('identity_uuid is missing', $error->getMessage());
        self::assertNull((new Identity())->getDisplayName());
    }
}
