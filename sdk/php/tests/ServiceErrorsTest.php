<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Api\ConnectionStatus;
use Docfetch\Api\ErrorCode;
use Docfetch\Api\FieldErrorCode;
use Docfetch\Api\WebhookEventType;
use Docfetch\Docfetch;
use Docfetch\Exception\NotFoundException;
use Docfetch\Exception\UnauthorizedException;
use Docfetch\Exception\ValidationException;
use Docfetch\Verifier;
use PHPUnit\Framework\TestCase;

final class ServiceErrorsTest extends TestCase
{
    /**
     * @testWith ["en", "required", "is required"]
     *           ["de", "fehlen", "ist erforderlich"]
     */
    public function testErrorsHaveCodesAndMessagesInBothLanguages(string $lang, string $detail, string $message): void
    {
        $client = new Docfetch(getenv('DOCFETCH_URL'), apiKey: getenv('DOCFETCH_API_KEY'), lang: $lang);
        $identity = $client->identities->createIdentity(['client_identifier' => 'errors'])->getData()->getIdentityUuid();
        $body = ['integration_id' => 'sandbox', 'name' => 'x', 'identity_uuid' => $identity, 'fields' => []];
        try {
            $client->connections->createConnection($body);
            self::fail('created');
        } catch (ValidationException $error) {
            self::assertSame([422, ErrorCode::MISSING_REQUIRED_FIELDS], [$error->status, $error->errorCode]);
            $codes = [];
            foreach ($error->errors as $one) {
                $codes[$one->getField()] = $one->getCode();
                self::assertStringContainsString($message, $one->getMessage());
            }
            $expected = ['fields.user' => FieldErrorCode::REQUIRED, 'fields.password' => FieldErrorCode::REQUIRED];
            self::assertEquals($expected, $codes);
            self::assertStringContainsString($detail, $error->detail);
            self::assertStringStartsWith('req_', $error->requestId);
            self::assertStringEndsWith('#MISSING_REQUIRED_FIELDS', $error->type);
        } finally {
            $client->identities->deleteIdentity($identity);
        }
    }

    public function testCredentialsThatAreNotValidAreAnError(): void
    {
        $cases = [
            [ErrorCode::INVALID_API_KEY, 'df_test_wrong', 'API-Schlüssel'],
            [ErrorCode::MISSING_CREDENTIALS, null, 'X-API-KEY'],
        ];
        foreach ($cases as [$code, $key, $detail]) {
            try {
                (new Docfetch(getenv('DOCFETCH_URL'), apiKey: $key, lang: 'de'))->identities->listIdentities();
                self::fail('accepted');
            } catch (UnauthorizedException $error) {
                self::assertSame($code, $error->errorCode);
                self::assertStringContainsString($detail, $error->detail);
            }
        }
    }

    public function testReceivesAndVerifiesAWebhook(): void
    {
        $receiver = new ScriptedServer(ScriptedServer::answer(200, ''));
        $webhooks = (new Docfetch(getenv('DOCFETCH_URL'), apiKey: getenv('DOCFETCH_API_KEY')))->webhooks;
        $body = ['url' => $receiver->url . '/events', 'events' => [WebhookEventType::DOCUMENT_AVAILABLE]];
        $webhook = $webhooks->createWebhook($body)->getData();
        self::assertNull($webhooks->testWebhook($webhook->getUuid())->getData()->getError());
        ['headers' => $headers, 'body' => $received] = $receiver->request();
        $message = (new Verifier($webhook->getSecret()))->verifyWebhook($received, $headers);
        self::assertSame('webhook.test', $message['type']);
        self::assertSame($webhook->getUuid(), $webhooks->listWebhooksPaginator()->current()->getUuid());
        $webhooks->deleteWebhook($webhook->getUuid());
    }

    public function testARequestThatIsRepeatedWithItsKeyIsExecutedOnce(): void
    {
        $client = new Docfetch(getenv('DOCFETCH_URL'), apiKey: getenv('DOCFETCH_API_KEY'));
        $identity = $client->identities->createIdentity(['client_identifier' => 'keys'])->getData()->getIdentityUuid();
        $api = $client->connections;
        $body = ['integration_id' => 'sandbox', 'name' => 'Once', 'fields' => ['user' => 'u', 'password' => 'p']];
        $body['identity_uuid'] = $identity;
        $uuid = $api->createConnection($body, idempotencyKey: 'once')->getData()->getUuid();
        self::assertSame($uuid, $api->createConnection($body, idempotencyKey: 'once')->getData()->getUuid());
        $api->disableConnection($uuid);
        self::assertSame(ConnectionStatus::DISABLED, $api->getConnection($uuid)->getData()->getStatus());
        $api->deleteConnection($uuid);
        try {
            $api->getConnection($uuid);
            self::fail('found');
        } catch (NotFoundException $error) {
            self::assertSame(ErrorCode::CONNECTION_NOT_FOUND, $error->errorCode);
        }
    }
}
