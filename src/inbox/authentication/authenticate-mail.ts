import { Injectable, Logger } from '@nestjs/common';
import type { DKIMResult } from 'mailauth';
import type { Readable } from 'node:stream';
import { MAIL_RESULTS, type MailAuthentication, type MailResult } from '../../documents/metadata';
import { withTimeout } from '../../platform/concurrency/cancellation';
import { Settings } from '../../platform/config/settings';
import { DnsRecords } from '../../platform/network/addresses/dns-records';

/** The envelope of a mail (RFC 5321 section 2.3.1), as its SMTP client has stated it. */
export interface Envelope {
  /** Empty for reports of mail servers. */
  readonly from: string;
  /** The IP address that sends it. */
  readonly client: string;
  /** The name in its greeting. */
  readonly helo: string;
}

/** What is known about the sender of a mail. */
export interface CheckedSender {
  readonly authentication: MailAuthentication;
  /** The address in the header `From`, in lower case; empty without exactly one. */
  readonly headerFrom: string;
  /** The policy that the domain of this address publishes for mails that fail DMARC. */
  readonly domainPolicy: 'NONE' | 'QUARANTINE' | 'REJECT';
}

/** The result when the time limit has passed. */
const UNKNOWN: MailAuthentication = { spf: 'TEMPERROR', dkim: 'TEMPERROR', dmarc: 'TEMPERROR' };
/** From the best to the worst result of several signatures. */
const ORDER: readonly MailResult[] = ['PASS', 'TEMPERROR', 'POLICY', 'NEUTRAL', 'FAIL', 'PERMERROR'];

/**
 * Checks SPF, DKIM and DMARC of a mail. Its sender waits, so the checks have a time limit: what the name servers do not answer by
 * then is `TEMPERROR`, never a refusal.
 */
@Injectable()
export class AuthenticateMail {
  readonly timeLimitMs: number = 8_000;
  private readonly logger = new Logger(AuthenticateMail.name);

  constructor(
    private readonly dns: DnsRecords,
    private readonly settings: Settings,
  ) {}

  /** `from` is the address in the header `From`, for a message that cannot be read in time. Never rejects. */
  async check(message: Readable, { from, client, helo }: Envelope, headerFrom: string): Promise<CheckedSender> {
    const timedOut = () => new Error('The checks took too long.');
    try {
      // Loaded with the first mail: most processes receive none, and it takes 14 MB of the heap.
      const { authenticate } = await import('mailauth');
      const result = await withTimeout(this.timeLimitMs, timedOut, () =>
        authenticate(message, {
          sender: from,
          ip: client,
          helo,
          mta: this.settings.smtpHostname ?? this.settings.inboxDomain ?? 'localhost',
          resolver: (name, type) => this.dns.records(name, type),
          // Its logo would be fetched from an address that the sender chooses.
          disableBimi: true,
        }),
      );
      const { spf, dkim, dmarc } = result;
      const spfResult = spf ? resultOf(spf.status.result) : 'NONE';
      const signature = bestOf(dkim?.results ?? []);
      const dkimResult = signature ? resultOf(signature.status.result) : 'NONE';
      return {
        authentication: {
          spf: spfResult,
          ...(spfResult === 'PASS' && spf && spf.domain && { spf_domain: spf.domain }),
          dkim: dkimResult,
          ...(dkimResult === 'PASS' && signature?.signingDomain && { dkim_domain: signature.signingDomain }),
          dmarc: dmarc ? resultOf(dmarc.status.result) : 'NONE',
        },
        headerFrom: addressOf(dkim?.headerFrom),
        domainPolicy: policyOf(dmarc ? dmarc.policy : undefined),
      };
    } catch (error) {
      this.logger.debug(
        { error: error instanceof Error ? error.name : 'unknown' },
        'A mail could not be authenticated',
      );
      return { authentication: UNKNOWN, headerFrom: headerFrom.toLowerCase(), domainPolicy: 'NONE' };
    } finally {
      message.destroy();
    }
  }
}

function resultOf(result: string): MailResult {
  const upper = (result === 'temperr' ? 'temperror' : result).toUpperCase();
  return MAIL_RESULTS.find((known) => known === upper) ?? 'NONE';
}

function bestOf(signatures: readonly DKIMResult[]): DKIMResult | undefined {
  const rank = ({ status }: DKIMResult) => {
    const at = ORDER.indexOf(resultOf(status.result));
    return at === -1 ? ORDER.length : at;
  };
  // Of valid ones, that of the sender's own domain.
  const byRank = [...signatures].sort(
    (a, b) => rank(a) - rank(b) || Number(!a.status.aligned) - Number(!b.status.aligned),
  );
  return byRank[0];
}

function addressOf(headerFrom: readonly string[] | string | undefined): string {
  const addresses = [headerFrom ?? []].flat();
  return addresses.length === 1 ? addresses[0]!.toLowerCase() : '';
}

function policyOf(policy: string | undefined): CheckedSender['domainPolicy'] {
  return policy === 'reject' ? 'REJECT' : policy === 'quarantine' ? 'QUARANTINE' : 'NONE';
}
