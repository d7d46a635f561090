<?php

declare(strict_types=1);

namespace Docfetch;

use Docfetch\Api\ProvisionedDocument;
use Docfetch\Exception\VerificationException;
use Docfetch\Internal\Signatures;

/** Verifies what Docfetch signs: pushes, webhooks, and the URL with which a user returns. */
final class Verifier
{
    private const RETURN_PARAMETERS = [
        'result', 'action', 'identity_uuid', 'connection_uuid', 'integration_id', 'status', 'state', 'ts', 'nonce',
    ];

    private readonly Signatures $signatures;

    /**
     * @param string|list<string> $secrets the signing secret of the environment (`whsec_…`); several during a rotation, of which
     *     one must match
     * @param float $tolerance the maximum difference in seconds between the signed time and now
     * @param (\Closure(): float)|null $now the clock, in seconds since 1970
     * @throws \InvalidArgumentException no secret is given, or one is invalid
     */
    public function __construct(
        #[\SensitiveParameter] string|array $secrets,
        private readonly float $tolerance = 300,
        private readonly ?\Closure $now = null,
    ) {
        $this->signatures = new Signatures((array) $secrets);
    }

    /**
     * Verifies a pushed document and returns it; after an exception answer 401. Store it before you answer 200: Docfetch then
     * considers it delivered. It may arrive twice, with the same `transaction_uuid`.
     *
     * @param string $body the raw body, before any parsing: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers `getallheaders()`, or those of PSR-7; the case of names does not matter
     * @throws VerificationException
     */
    public function verifyPush(string $body, array $headers): ProvisionedDocument
    {
        try {
            return new ProvisionedDocument($this->verified($body, $headers));
        } catch (\UnexpectedValueException) {
            throw new VerificationException(VerificationException::MALFORMED);
        }
    }

    /**
     * Like {@see verifyPush}, for a webhook: `type`, `timestamp` and `data`, which depends on `type`. Its secret was returned when
     * the webhook was registered. Answer 200 to unknown types and ignore them.
     *
     * @param array<string, string|list<string>> $headers
     * @return array<string, mixed>
     * @throws VerificationException
     */
    public function verifyWebhook(string $body, array $headers): array
    {
        return $this->verified($body, $headers);
    }

    /**
     * Verifies the URL with which a user returned from the hosted UI, and returns its parameters. It is valid for the tolerance;
     * store `nonce` for that time to accept it only once.
     *
     * @param string $url the full URL as requested by the browser, including scheme and host
     * @return array<string, string>
     * @throws VerificationException
     */
    public function verifyReturnUrl(string $url): array
    {
        $address = explode('#', $url, 2)[0]; // A browser may add a fragment; a server never receives it.
        $query = self::queryOf($address);
        $given = $query['sig'] ?? throw new VerificationException(VerificationException::SIGNATURE_MISSING);
        [$signed, $signature] = explode('&sig=', $address, 2) + [1 => ''];
        if (count($given) > 1 || preg_match('/\A[A-Za-z0-9_-]{43}\z/', $signature) !== 1) {
            throw new VerificationException(VerificationException::SIGNATURE_INVALID);
        }
        $this->check([strtr($signature, '-_', '+/') . '='], "v1.$signed");
        $found = array_intersect_key($query, array_flip(self::RETURN_PARAMETERS));
        foreach ($found as $values) {
            if (count($values) > 1) {
                throw new VerificationException(VerificationException::MALFORMED);
            }
        }
        $this->checkTime($found['ts'][0] ?? '');

        return array_map(static fn (array $values): string => $values[0], $found);
    }

    /**
     * @param array<string, string|list<string>> $headers
     * @return array<string, mixed>
     */
    private function verified(string $body, array $headers): array
    {
        $id = self::only($headers, 'webhook-id');
        $timestamp = self::only($headers, 'webhook-timestamp');
        $sent = self::only($headers, 'webhook-signature');
        if ($id === '' || $timestamp === '' || $sent === '') {
            throw new VerificationException(VerificationException::SIGNATURE_MISSING);
        }
        if (preg_match('/\A[0-9]{1,15}\z/', $timestamp) !== 1) {
            throw new VerificationException(VerificationException::MALFORMED);
        }
        $known = preg_grep('~\Av1,[A-Za-z0-9+/]{43}=\z~', explode(' ', $sent)) ?: [];
        $this->check(array_map(static fn (string $one): string => substr($one, 3), $known), "$id.$timestamp.$body");
        $this->checkTime($timestamp);
        $message = json_decode($body, true);

        $isObject = is_array($message) && str_starts_with(ltrim($body), '{');

        return $isObject ? $message : throw new VerificationException(VerificationException::MALFORMED);
    }

    /** @param array<string> $signatures */
    private function check(array $signatures, string $text): void
    {
        if (!$this->signatures->matchesOne($signatures, $text)) {
            throw new VerificationException(VerificationException::SIGNATURE_INVALID);
        }
    }

    private function checkTime(string $timestamp): void
    {
        if (preg_match('/\A[0-9]{1,15}\z/', $timestamp) !== 1) {
            throw new VerificationException(VerificationException::MALFORMED);
        }
        $age = ($this->now === null ? microtime(true) : ($this->now)()) - (int) $timestamp;
        if ($age > $this->tolerance) {
            throw new VerificationException(VerificationException::EXPIRED);
        }
        if ($age < -$this->tolerance) {
            throw new VerificationException(VerificationException::FROM_THE_FUTURE);
        }
    }

    /** @return array<string, non-empty-list<string>> */
    private static function queryOf(string $address): array
    {
        if (preg_match('~\A[a-z][a-z0-9+.-]*://[^/?#]+[^?#]*(?:\?(.*))?\z~is', $address, $match) !== 1) {
            throw new VerificationException(VerificationException::MALFORMED);
        }
        $found = [];
        foreach (explode('&', $match[1] ?? '') as $pair) {
            [$name, $value] = explode('=', $pair, 2) + [1 => ''];
            $found[urldecode($name)][] = urldecode($value);
        }

        return $found;
    }

    /** @param array<string, string|list<string>> $headers */
    private static function only(array $headers, string $name): string
    {
        $found = [];
        foreach ($headers as $key => $values) {
            if (strcasecmp((string) $key, $name) === 0) {
                array_push($found, ...array_values((array) $values));
            }
        }

        return count($found) === 1 ? (string) $found[0] : '';
    }
}
