<?php

declare(strict_types=1);

namespace Docfetch;

use Docfetch\Api\ConnectionsApi;
use Docfetch\Api\EnvironmentApi;
use Docfetch\Api\FetchesApi;
use Docfetch\Api\HealthApi;
use Docfetch\Api\IdentitiesApi;
use Docfetch\Api\IntegrationsApi;
use Docfetch\Api\SandboxApi;
use Docfetch\Api\TransactionsApi;
use Docfetch\Api\UITokenApi;
use Docfetch\Api\WebhooksApi;
use Docfetch\Internal\Call;
use Docfetch\Internal\Settings;
use Docfetch\Internal\Transport;
use GuzzleHttp\Client;
use GuzzleHttp\ClientInterface;

/** The client of a Docfetch service. Each operation sends those of the credentials that its endpoint accepts. */
final class Docfetch
{
    public readonly ConnectionsApi $connections;
    public readonly EnvironmentApi $environment;
    public readonly FetchesApi $fetches;
    public readonly HealthApi $health;
    public readonly IdentitiesApi $identities;
    public readonly IntegrationsApi $integrations;
    public readonly SandboxApi $sandbox;
    public readonly TransactionsApi $transactions;
    public readonly UITokenApi $uiToken;
    public readonly WebhooksApi $webhooks;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl of the service, e.g. `https://docfetch.example.com`
     * @param string|null $apiKey the API key of your environment: for backends only
     * @param string|\Closure(): string|null $token a UI token, or a function that returns one and is called before each request
     * @param string|null $lang the language of messages and labels, `en` or `de`
     * @param int $maxRetries the maximum number of retries of a request; 0 disables them
     * @param float $maxRetryWait if `Retry-After` is longer than these seconds, the error is thrown immediately
     * @param float $timeout the maximum seconds of an attempt; in a download, of each wait for data
     * @param ClientInterface|null $httpClient your own HTTP client, for example with a proxy
     * @throws \InvalidArgumentException the base URL is not an http(s) URL
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] ?string $apiKey = null,
        #[\SensitiveParameter] string|\Closure|null $token = null,
        ?string $lang = null,
        int $maxRetries = 2,
        float $maxRetryWait = 30,
        float $timeout = 60,
        ?ClientInterface $httpClient = null,
    ) {
        $credentials = ['X-API-KEY' => $apiKey, 'X-TOKEN' => $token];
        $http = $httpClient ?? new Client();
        $this->transport = new Transport(
            new Settings(rtrim($baseUrl, '/'), $http, $credentials, $lang, $maxRetries, $maxRetryWait, $timeout),
        );
        $this->connections = new ConnectionsApi($this->transport);
        $this->environment = new EnvironmentApi($this->transport);
        $this->fetches = new FetchesApi($this->transport);
        $this->health = new HealthApi($this->transport);
        $this->identities = new IdentitiesApi($this->transport);
        $this->integrations = new IntegrationsApi($this->transport);
        $this->sandbox = new SandboxApi($this->transport);
        $this->transactions = new TransactionsApi($this->transport);
        $this->uiToken = new UITokenApi($this->transport);
        $this->webhooks = new WebhooksApi($this->transport);
    }

    /**
     * Downloads the bytes of a document as they arrive.
     *
     * @param string|null $range a part, e.g. `bytes=100-`
     */
    public function downloadDocument(string $transactionUuid, ?string $range = null): Download
    {
        return $this->download(
            '/v1/transactions/{transaction_uuid}/document',
            ['transaction_uuid' => $transactionUuid],
            ['Accept' => 'application/octet-stream', 'Range' => $range],
        );
    }

    /** Like {@see downloadDocument}, for a rendition of the document. */
    public function downloadRendition(string $transactionUuid, string $renditionId, ?string $range = null): Download
    {
        return $this->download(
            '/v1/transactions/{transaction_uuid}/renditions/{rendition_id}',
            ['transaction_uuid' => $transactionUuid, 'rendition_id' => $renditionId],
            ['Accept' => '*/*', 'Range' => $range],
        );
    }

    /**
     * Polls the feed of documents, oldest first (provisioning strategy `POLLING`), until the loop is left. After an exception,
     * continue from the last cursor that you saved.
     *
     * @param string|null $cursor that you saved last. Null: from the first document; `now`: only new documents
     * @param float $interval seconds between two requests at the end of the feed
     * @param bool $untilCaughtUp ends at the end of the feed instead of waiting for new documents
     * @param int|null $limit the maximum number of documents on a page
     * @return \Generator<int, PolledPage>
     */
    public function pollTransactions(
        ?string $cursor = null,
        float $interval = 30,
        bool $untilCaughtUp = false,
        ?int $limit = null,
    ): \Generator {
        while (true) {
            $page = $this->transactions->listTransactions(cursor: $cursor, limit: $limit);
            if ($page->getMeta()->getPollCursor() !== $cursor) {
                $cursor = $page->getMeta()->getPollCursor();
                yield new PolledPage($page->getData(), $cursor);
            }
            if ($page->getMeta()->getHasMore()) {
                continue;
            }
            if ($untilCaughtUp) {
                return;
            }
            usleep((int) ($interval * 1_000_000));
        }
    }

    /**
     * @param array<string, string> $path
     * @param array<string, string|null> $headers
     */
    private function download(string $template, array $path, array $headers): Download
    {
        $call = new Call('GET', $template, $path, headers: $headers, credentials: ['X-TOKEN', 'X-API-KEY']);

        return new Download($this->transport->open($call));
    }
}
