<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Api\AcknowledgementResult;
use Docfetch\Api\ConnectionStatus;
use Docfetch\Api\CreateConnectionRequest;
use Docfetch\Api\CreateIdentityRequest;
use Docfetch\Api\ErrorCode;
use Docfetch\Api\FetchStatus;
use Docfetch\Api\IdentityType;
use Docfetch\Api\ProvisioningStatus;
use Docfetch\Api\Transaction;
use Docfetch\Docfetch;
use Docfetch\Exception\NotFoundException;
use Docfetch\Exception\RateLimitException;
use PHPUnit\Framework\TestCase;

/** The main flows: one story, whose steps build on each other. */
final class ServiceTest extends TestCase
{
    private const DOCUMENTS = 5;

    private static Docfetch $client;
    private static Docfetch $endUser;
    private static string $identity;
    private static string $connection;

    /** @var list<Transaction> */
    private static array $transactions = [];

    public static function setUpBeforeClass(): void
    {
        self::$client = self::backend();
    }

    private static function backend(?string $lang = null): Docfetch
    {
        return new Docfetch(getenv('DOCFETCH_URL'), apiKey: getenv('DOCFETCH_API_KEY'), lang: $lang);
    }

    private static function eventually(string $what, \Closure $holds): void
    {
        $end = microtime(true) + 60;
        while (!$holds()) {
            self::assertLessThan($end, microtime(true), "It did not happen: $what");
            usleep(100_000);
        }
    }

    public function testCreatesAnIdentityOnceAndListsAllOverSeveralPages(): void
    {
        $body = (new CreateIdentityRequest())
            ->setClientIdentifier('customer-1')
            ->setDisplayName('Müller & Söhne')
            ->setType(IdentityType::COMPANY);
        self::$identity = self::$client->identities->createIdentity($body)->getData()->getIdentityUuid();
        $again = self::$client->identities->createIdentity($body)->getData();
        self::assertSame([self::$identity, 'Müller & Söhne'], [$again->getIdentityUuid(), $again->getDisplayName()]);
        foreach (range(2, 5) as $number) {
            self::$client->identities->createIdentity(['client_identifier' => "customer-$number"]);
        }
        $names = [];
        foreach (self::$client->identities->listIdentitiesPaginator(limit: 2) as $identity) {
            $names[] = $identity->getClientIdentifier();
        }
        $names = array_values(preg_grep('/^customer-/', $names)); // without those of other tests
        self::assertSame(['customer-1', 'customer-2', 'customer-3', 'customer-4', 'customer-5'], $names);
        $changed = self::$client->identities->updateIdentity(self::$identity, ['display_name' => null])->getData();
        self::assertNull($changed->getDisplayName());
    }

    /** @depends testCreatesAnIdentityOnceAndListsAllOverSeveralPages */
    public function testOpensTheHostedUiWhoseTokenIsThatOfAnEndUser(): void
    {
        $opened = self::$client->uiToken->createToken(
            ['identity_uuid' => self::$identity, 'return_url' => getenv('DOCFETCH_RETURN_URL')],
        )->getData();
        self::assertStringContainsString('token=' . $opened->getToken(), $opened->getUiUrl());
        self::assertGreaterThan(new \DateTimeImmutable(), $opened->getExpiresAt());
        self::$endUser = new Docfetch(getenv('DOCFETCH_URL'), token: $opened->getToken(), lang: 'de');
    }

    /** @depends testOpensTheHostedUiWhoseTokenIsThatOfAnEndUser */
    public function testTextsAreInTheLanguageOfTheClient(): void
    {
        foreach (['Password' => self::$client, 'Passwort' => self::$endUser] as $label => $client) {
            $fields = $client->integrations->getIntegration('sandbox')->getData()->getStep1Fields();
            $labels = array_map(static fn ($field): string => $field->getLabel(), $fields);
            self::assertContains($label, $labels);
        }
    }

    /** @depends testOpensTheHostedUiWhoseTokenIsThatOfAnEndUser */
    public function testAnEndUserConnectsAPortalInTwoSteps(): void
    {
        $fields = ['user' => 'sdk', 'password' => 'p', 'documents' => self::DOCUMENTS, 'new_per_fetch' => 0];
        $created = self::$endUser->connections->createConnection(
            new CreateConnectionRequest(['integration_id' => 'sandbox', 'name' => 'Portal', 'fields' => $fields]),
        )->getData();
        self::$connection = $created->getUuid();
        self::assertSame(ConnectionStatus::PENDING, $created->getStatus());
        self::assertArrayNotHasKey('password', $created->getFields());
        $more = self::$endUser->connections->loadMoreOptions(self::$connection, 'folders', ['parent_id' => 'shared']);
        $option = $more->getData()->getOptions()[0];
        self::assertSame('Büro & Buchhaltung', $option->getLabel());
        $chosen = ['fields' => ['folders' => ['inbox', $option->getValue()]]];
        self::assertNull(self::$endUser->connections->saveStep2(self::$connection, $chosen));
        self::eventually('the first fetch succeeds', static function (): bool {
            $last = self::$client->connections->getConnection(self::$connection)->getData()->getLastFetch();

            return $last?->getStatus() === FetchStatus::SUCCEEDED;
        });
    }

    /** @depends testAnEndUserConnectsAPortalInTwoSteps */
    public function testFollowsTheFeedAndReceivesEachDocumentOnce(): void
    {
        $cursor = null;
        foreach (self::$client->pollTransactions(untilCaughtUp: true, limit: 2) as $page) {
            array_push(self::$transactions, ...$page->transactions);
            $cursor = $page->cursor;
        }
        self::assertCount(self::DOCUMENTS, self::$transactions);
        self::assertSame([], iterator_to_array(self::$client->pollTransactions($cursor, untilCaughtUp: true)));
        $since = new \DateTimeImmutable('-1 hour', new \DateTimeZone('+02:00'));
        $listed = self::$client->transactions->listTransactionsPaginator(
            limit: 2,
            connectionUuid: self::$connection,
            createdFrom: $since,
        );
        self::assertEquals(self::$transactions, iterator_to_array($listed, false));
    }

    /** @depends testFollowsTheFeedAndReceivesEachDocumentOnce */
    public function testPullsADocumentAsJsonAsBytesAndInPart(): void
    {
        $first = self::$transactions[0];
        $uuid = $first->getTransactionUuid();
        $document = self::$client->transactions->pullDocument($uuid)->getData()->getDocument();
        $content = base64_decode($document->getBase64(), true);
        $file = sys_get_temp_dir() . '/docfetch-' . bin2hex(random_bytes(8));
        $download = self::$client->downloadDocument($uuid);
        self::assertSame(
            [$document->getFilename(), strlen($content), $first->getDocument()->getSha256()],
            [$download->filename, $download->size, $download->sha256],
        );
        self::assertSame(strlen($content), $download->saveTo($file));
        self::assertSame($content, file_get_contents($file));
        unlink($file);
        $part = self::$client->downloadDocument($uuid, 'bytes=10-');
        self::assertSame([true, substr($content, 10)], [$part->isPartial, implode('', iterator_to_array($part))]);
        try {
            self::$client->downloadDocument(self::$identity);
            self::fail('found');
        } catch (NotFoundException $error) {
            self::assertSame(ErrorCode::TRANSACTION_NOT_FOUND, $error->errorCode);
        }
    }

    /** @depends testFollowsTheFeedAndReceivesEachDocumentOnce */
    public function testAcknowledgesADocument(): void
    {
        $uuid = self::$transactions[0]->getTransactionUuid();
        self::$client->transactions->acknowledgeTransaction($uuid, ['result' => AcknowledgementResult::ACCEPTED]);
        $found = self::$client->transactions->getTransaction($uuid)->getData();
        self::assertSame(ProvisioningStatus::ACKNOWLEDGED, $found->getProvisioning()->getStatus());
    }

    /** @depends testAnEndUserConnectsAPortalInTwoSteps */
    public function testFetchesOnRequestUntilTheQuotaIsUsed(): void
    {
        $queued = self::$client->fetches->fetchNow(self::$connection)->getUuid();
        self::eventually(
            'the fetch succeeds',
            static fn (): bool => self::$client->fetches->getFetch($queued)->getData()->getStatus() === FetchStatus::SUCCEEDED,
        );
        try {
            for ($count = 0; $count < 20; $count++) {
                self::backend('de')->fetches->fetchNow(self::$connection);
            }
            self::fail('no limit');
        } catch (RateLimitException $error) {
            self::assertSame(ErrorCode::FETCH_QUOTA_EXCEEDED, $error->errorCode);
            self::assertGreaterThan(30, $error->retryAfter);
        }
    }
}
