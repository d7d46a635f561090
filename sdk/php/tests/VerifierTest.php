<?php

declare(strict_types=1);

namespace Docfetch\Tests;

use Docfetch\Exception\VerificationException;
use Docfetch\Verifier;
use PHPUnit\Framework\TestCase;

final class VerifierTest extends TestCase
{
    /** @return array<string, array{array<string, mixed>}> */
    private static function samples(string $name): array
    {
        $samples = json_decode(file_get_contents(getenv('DOCFETCH_SAMPLES') . "/$name"), true, flags: JSON_THROW_ON_ERROR);

        return array_combine(array_column($samples, 'name'), array_map(static fn (array $one): array => [$one], $samples));
    }

    /** @return array<string, array{array<string, mixed>}> */
    public static function messages(): array
    {
        return self::samples('messages.json');
    }

    /** @return array<string, array{array<string, mixed>}> */
    public static function returnUrls(): array
    {
        return self::samples('return-urls.json');
    }

    /** @param array<string, mixed> $sample */
    private static function verifier(array $sample): Verifier
    {
        $now = (float) (new \DateTimeImmutable($sample['now']))->format('U.u');

        return new Verifier($sample['secrets'], $sample['tolerance_seconds'] ?? 300, static fn (): float => $now);
    }

    private static function outcome(\Closure $verify): mixed
    {
        try {
            return $verify();
        } catch (VerificationException $error) {
            return $error->reason;
        }
    }

    /**
     * @dataProvider messages
     * @param array<string, mixed> $sample
     */
    public function testVerifiesMessagesAsTheServiceSignsThem(array $sample): void
    {
        ['body' => $body, 'headers' => $headers, 'reason' => $reason] = $sample;
        $verifier = self::verifier($sample);
        self::assertSame(
            $reason ?? json_decode($body, true)['transaction_uuid'],
            self::outcome(static fn () => $verifier->verifyPush($body, $headers)->getTransactionUuid()),
        );
        $lists = array_map(static fn (string $value): array => [$value], $headers);
        self::assertSame(
            $reason ?? json_decode($body, true),
            self::outcome(static fn () => $verifier->verifyWebhook($body, $lists)),
        );
    }

    /**
     * @dataProvider returnUrls
     * @param array<string, mixed> $sample
     */
    public function testVerifiesReturnUrlsAsTheServiceSignsThem(array $sample): void
    {
        $found = self::outcome(static fn () => self::verifier($sample)->verifyReturnUrl($sample['url']));
        self::assertEquals($sample['parameters'] ?? $sample['reason'], $found);
    }

    public function testUsesTheClockWhenNoTimeIsGiven(): void
    {
        [$first] = array_values(self::returnUrls())[0];
        $found = self::outcome(static fn () => (new Verifier($first['secrets']))->verifyReturnUrl($first['url']));
        self::assertContains($found, [VerificationException::EXPIRED, VerificationException::FROM_THE_FUTURE]);
    }

    public function testAHeaderThatIsThereTwiceIsNone(): void
    {
        [$first] = array_values(self::messages())[0];
        $headers = [...$first['headers'], 'Webhook-Id' => 'other'];
        $found = self::outcome(static fn () => self::verifier($first)->verifyPush($first['body'], $headers));
        self::assertSame(VerificationException::SIGNATURE_MISSING, $found);
    }

    public function testRefusesASecretThatAnybodyHasOrThatIsNone(): void
    {
        $good = 'whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=';
        foreach ([[], '', 'whsec_', [$good, ''], 'whsec_not base64!', [$good, 'whsec_*']] as $secrets) {
            try {
                new Verifier($secrets);
                self::fail('accepted');
            } catch (\InvalidArgumentException) {
                $this->addToAssertionCount(1);
            }
        }
    }
}
