<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Api\CreateConnectionRequest;
use Docfetch\Api\UiTokenResponse;
use Docfetch\Api\UpdateIdentityRequest;
use Docfetch\Api\WebhookEventType;
use Docfetch\Docfetch;
use Docfetch\Verifier;
use PHPUnit\Framework\TestCase;

final class BodiesTest extends TestCase
{
    private const ID = '0198f6a0-7d5c-7000-8000-000000000002';
    private const SECRET = 'df_live_confidential';

    public function testKeepsValuesAndPropertiesOfLaterVersions(): void
    {
        $event = [
            'event_uuid' => self::ID, 'type' => 'something.new', 'created_at' => '2026-11-20T08:30:00.000Z',
            'data' => ['anything' => 1], 'deliveries' => [], 'added_later' => ['x' => true],
        ];
        $meta = ['next_cursor' => null, 'has_more' => false, 'poll_cursor' => 'p'];
        $server = new ScriptedServer(ScriptedServer::answer(200, json_encode(['data' => [$event], 'meta' => $meta])));
        $found = (new Docfetch($server->url, apiKey: 'k'))->webhooks->listEvents()->getData()[0];
        self::assertSame('something.new', $found->getType());
        self::assertSame('document.available', WebhookEventType::DOCUMENT_AVAILABLE);
        self::assertSame(['added_later' => ['x' => true]], $found->getAdditionalProperties());
        self::assertEquals(new \DateTimeImmutable('2026-11-20 08:30 UTC'), $found->getCreatedAt());
    }

    public function testNullIsSentWhenItWasSetAndAnEmptyObjectIsNoList(): void
    {
        $identity = [
            'identity_uuid' => self::ID, 'client_identifier' => 'c', 'type' => 'COMPANY', 'metadata' => new \stdClass(),
            'connections' => ['total' => 0, 'active' => 0, 'needs_attention' => 0],
            'created_at' => '2026-11-20T08:30:00.000Z', 'updated_at' => '2026-11-20T08:30:00.000Z',
        ];
        $identity = ScriptedServer::answer(200, json_encode(['data' => $identity]));
        $server = new ScriptedServer($identity, $identity, $identity);
        $api = (new Docfetch($server->url, apiKey: 'k'))->identities;
        $api->updateIdentity(self::ID, (new UpdateIdentityRequest())->setDisplayName(null)->setMetadata(['gone' => null]));
        $api->updateIdentity(self::ID, new UpdateIdentityRequest());
        $api->updateIdentity(self::ID, ['metadata' => []]);
        $sent = [$server->request()['body'], $server->request()['body'], $server->request()['body']];
        self::assertSame(['{"display_name":null,"metadata":{"gone":null}}', '{}', '{"metadata":{}}'], $sent);
    }

    public function testSendsTimesAndTextsAsTheServiceReadsThem(): void
    {
        $page = '{"data":[],"meta":{"next_cursor":null,"has_more":false,"poll_cursor":"p"}}';
        $server = new ScriptedServer(ScriptedServer::answer(200, $page));
        $since = new \DateTimeImmutable('2026-11-20T08:00:00+02:00');
        $api = (new Docfetch($server->url, apiKey: 'k'))->transactions;
        $api->listTransactions(createdFrom: $since, externalId: 'a b+c&ü');
        $query = 'created_from=2026-11-20T08%3A00%3A00.000%2B02%3A00&external_id=a%20b%2Bc%26%C3%BC';
        self::assertSame("GET /v1/transactions?$query HTTP/1.1", $server->request()['line']);
    }

    public function testNeitherExceptionsNorDebuggersShowACredential(): void
    {
        $body = json_encode(['data' => ['token' => self::SECRET, 'expires_at' => self::SECRET]]);
        $server = new ScriptedServer(ScriptedServer::answer(201, $body));
        $acts = [
            static fn () => (new Docfetch('http://127.0.0.1:9', apiKey: self::SECRET . "\n"))->identities->listIdentities(),
            static fn () => (new Docfetch('http://127.0.0.1:9', apiKey: self::SECRET . 'ü'))->identities->listIdentities(),
            static fn () => (new Docfetch('http://127.0.0.1:9', self::SECRET, self::SECRET, maxRetries: 0))
                ->connections->createConnection(['fields' => ['password' => self::SECRET]]),
            static fn () => (new Docfetch($server->url, apiKey: 'k'))->uiToken->createToken([]),
            static fn () => new Verifier('whsec_' . self::SECRET . '!'),
        ];
        foreach ($acts as $act) {
            try {
                $act();
                self::fail('no exception');
            } catch (\RuntimeException|\InvalidArgumentException $error) {
                $frames = array_filter($error->getTrace(), static fn (array $one): bool => isset($one['class']));
                $ours = array_filter($frames, static fn (array $one): bool => str_starts_with($one['class'], 'Docfetch\\'));
                $shown = $error->getMessage() . print_r(array_column($ours, 'args'), true);
                self::assertStringNotContainsString('confidential', $shown);
                self::assertNull($error->getPrevious());
            }
        }
        $shown = print_r(new Docfetch('http://127.0.0.1:9', apiKey: self::SECRET), true);
        $shown .= print_r(new CreateConnectionRequest(['fields' => ['password' => self::SECRET]]), true);
        $shown .= print_r(new UiTokenResponse(['data' => ['token' => self::SECRET, 'ui_url' => self::SECRET]]), true);
        self::assertStringNotContainsString('confidential', $shown);
    }
}
