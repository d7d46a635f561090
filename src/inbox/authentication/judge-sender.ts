import type { MailPolicy } from '../../identities/environments/setting-values';
import type { CheckedSender } from './authenticate-mail';

/** Which mails an address accepts. */
export interface SenderRules {
  readonly policy: MailPolicy;
  /** Addresses and domains in lower case; empty: all senders. */
  readonly allowedSenders: readonly string[];
  /** Addresses and domains of mailboxes that forward to the address. */
  readonly forwardingMailboxes: readonly string[];
}

export type Verdict =
  | { readonly isAccepted: true; readonly forwardedBy?: string }
  | { readonly isAccepted: false; readonly reason: 'SENDER_NOT_ALLOWED' | 'NOT_AUTHENTICATED' | 'NOT_VERIFIABLE_NOW' };

/** Addresses that a forwarding server has rewritten, so that only their domain is its own: SRS and BATV. */
const REWRITTEN = /^(srs[01][=+-]|prvs=|bounces?[+-])/;

/**
 * Decides whether a mail is accepted. A mail that an allowed mailbox forwards is accepted from every sender: forwarding breaks what
 * DMARC relies on. Name servers that do not answer never lead to a refusal: the mail is accepted, or deferred until they do.
 */
export function judgeSender(sender: CheckedSender, envelopeFrom: string, rules: SenderRules): Verdict {
  const { authentication, headerFrom } = sender;
  const forwarder = rules.forwardingMailboxes.find((entry) => isForwardedBy(envelopeFrom.toLowerCase(), entry));
  if (forwarder !== undefined && authentication.spf === 'PASS') return { isAccepted: true, forwardedBy: forwarder };
  const isAllowed =
    rules.allowedSenders.length === 0 || rules.allowedSenders.some((entry) => isListed(headerFrom, entry));
  const reason = isAllowed ? reasonAgainst(sender, rules.policy) : 'SENDER_NOT_ALLOWED';
  if (reason === null) return { isAccepted: true };
  // It may turn out to be forwarded.
  const isOpen = forwarder !== undefined && authentication.spf === 'TEMPERROR';
  return { isAccepted: false, reason: isOpen ? 'NOT_VERIFIABLE_NOW' : reason };
}

/** Reads a list as the user has entered it. */
export function senderList(list: unknown): string[] {
  if (typeof list !== 'string') return [];
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase().replace(/^@/, ''))
    .filter((entry) => entry !== '');
}

function reasonAgainst(
  { authentication, headerFrom, domainPolicy }: CheckedSender,
  policy: MailPolicy,
): Exclude<Verdict, { isAccepted: true }>['reason'] | null {
  const { dmarc, spf, dkim } = authentication;
  if (policy === 'RECORD') return null;
  if (policy === 'DMARC') return dmarc === 'FAIL' && domainPolicy === 'REJECT' ? 'NOT_AUTHENTICATED' : null;
  if (dmarc === 'PASS') return null;
  const domain = domainOf(headerFrom);
  const confirmed = [authentication.spf_domain, authentication.dkim_domain];
  const isConfirmed = domain !== '' && confirmed.some((other) => other !== undefined && areAligned(domain, other));
  if (dmarc === 'NONE' && isConfirmed) return null;
  return [dmarc, spf, dkim].includes('TEMPERROR') ? 'NOT_VERIFIABLE_NOW' : 'NOT_AUTHENTICATED';
}

/** Whether an address is the listed one, or of the listed domain or a domain below it. */
function isListed(address: string, entry: string): boolean {
  return entry.includes('@') ? address === entry : isWithin(domainOf(address), entry);
}

/** Like {@link isListed} for an envelope sender: without a subaddress, and by its domain where the address was rewritten. */
function isForwardedBy(address: string, entry: string): boolean {
  const domain = domainOf(address);
  if (domain === '') return false;
  if (!entry.includes('@')) return isWithin(domain, entry);
  const local = address.slice(0, address.lastIndexOf('@'));
  if (REWRITTEN.test(local)) return isWithin(domain, domainOf(entry));
  return `${local.replace(/\+.*$/, '')}@${domain}` === entry || address === entry;
}

function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1 ? '' : address.slice(at + 1);
}

const isWithin = (domain: string, parent: string) => domain === parent || domain.endsWith(`.${parent}`);

const areAligned = (a: string, b: string) => isWithin(a, b.toLowerCase()) || isWithin(b.toLowerCase(), a);
