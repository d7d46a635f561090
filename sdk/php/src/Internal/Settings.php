<?php

declare(strict_types=1);

namespace Docfetch\Internal;

use GuzzleHttp\ClientInterface;

/**
 * What a client was created with.
 *
 * @internal
 */
final class Settings
{
    /** The value of a header that cannot be sent would be in the message of the HTTP client. */
    private const CREDENTIAL = '/\A[!-~]+\z/';

    /** @param array<string, string|\Closure(): string|null> $credentials by the names of their headers */
    public function __construct(
        public readonly string $baseUrl,
        public readonly ClientInterface $http,
        #[\SensitiveParameter] private readonly array $credentials,
        public readonly ?string $lang,
        public readonly int $maxRetries,
        public readonly float $maxRetryWait,
        public readonly float $timeout,
    ) {
        $isUrl = preg_match('~\Ahttps?://[^/?#@\s]+(/[^?#\s]*)?\z~i', $baseUrl) === 1 && parse_url($baseUrl, PHP_URL_HOST);
        if (!$isUrl) { // Not repeated: it may contain a password.
            throw new \InvalidArgumentException('The base URL is not an http(s) URL, or it has credentials or a query.');
        }
    }

    /** @return array<string, string> */
    public function headersOf(Call $call): array
    {
        $headers = $call->headers + ($this->lang === null ? [] : ['Lang' => $this->lang]);
        foreach ($call->credentials as $name) {
            $credential = $this->credentials[$name] ?? null;
            $value = $credential instanceof \Closure ? $credential() : $credential;
            if ($value === null) {
                continue;
            }
            if (preg_match(self::CREDENTIAL, $value) !== 1) {
                throw new \InvalidArgumentException("The value for $name is empty or has characters that a header cannot have.");
            }
            $headers[$name] = $value;
        }

        return $headers + ['User-Agent' => 'docfetch-php'];
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl, 'lang' => $this->lang];
    }
}
