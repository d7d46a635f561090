import type { CheckedSender } from './authenticate-mail';
import { judgeSender, type SenderRules, senderList } from './judge-sender';

const PASSED: CheckedSender = {
  authentication: { spf: 'PASS', spf_domain: 'supplier.example', dkim: 'NONE', dmarc: 'PASS' },
  headerFrom: 'billing@supplier.example',
  domainPolicy: 'REJECT',
};
const FAILED: CheckedSender = { ...PASSED, authentication: { spf: 'FAIL', dkim: 'FAIL', dmarc: 'FAIL' } };
const AWAY: CheckedSender = { ...PASSED, authentication: { spf: 'TEMPERROR', dkim: 'TEMPERROR', dmarc: 'TEMPERROR' } };
const RULES: SenderRules = { policy: 'DMARC', allowedSenders: [], forwardingMailboxes: [] };
const from = (headerFrom: string): CheckedSender => ({ ...PASSED, headerFrom });
const judge = (sender: CheckedSender, rules: Partial<SenderRules> = {}, envelope = 'bounce@supplier.example') => {
  const verdict = judgeSender(sender, envelope, { ...RULES, ...rules });
  return verdict.isAccepted ? (verdict.forwardedBy ?? 'accepted') : verdict.reason;
};

describe('The policy of an environment', () => {
  it.each([
    ['RECORD', FAILED, 'accepted'],
    ['DMARC', PASSED, 'accepted'],
    ['DMARC', FAILED, 'NOT_AUTHENTICATED'],
    ['DMARC', { ...FAILED, domainPolicy: 'QUARANTINE' }, 'accepted'],
    ['DMARC', { ...FAILED, domainPolicy: 'NONE' }, 'accepted'],
    ['REQUIRE', PASSED, 'accepted'],
    ['REQUIRE', { ...FAILED, domainPolicy: 'NONE' }, 'NOT_AUTHENTICATED'],
  ] as const)('%s decides about a mail', (policy, sender, expected) => {
    expect(judge(sender, { policy })).toBe(expected);
  });

  it.each([
    ['supplier.example', 'accepted'],
    ['mail.supplier.example', 'accepted'],
    ['other.example', 'NOT_AUTHENTICATED'],
    ['not-supplier.example', 'NOT_AUTHENTICATED'],
  ])('REQUIRE accepts SPF of an aligned domain where there is no DMARC record: %s', (domain, expected) => {
    const authentication = { spf: 'PASS', spf_domain: domain, dkim: 'NONE', dmarc: 'NONE' } as const;
    expect(judge({ ...PASSED, authentication }, { policy: 'REQUIRE' })).toBe(expected);
  });

  it.each([
    ['RECORD', 'accepted'],
    ['DMARC', 'accepted'],
    ['REQUIRE', 'NOT_VERIFIABLE_NOW'],
  ] as const)('%s never refuses a mail because name servers do not answer', (policy, expected) => {
    expect(judge(AWAY, { policy })).toBe(expected);
  });
});

describe('A limit of senders', () => {
  const rules = { allowedSenders: senderList(' Billing@Supplier.example , @shop.example,') };

  it.each([
    ['billing@supplier.example', 'accepted'],
    ['other@supplier.example', 'SENDER_NOT_ALLOWED'],
    ['any@shop.example', 'accepted'],
    ['any@mail.shop.example', 'accepted'],
    ['any@not-shop.example', 'SENDER_NOT_ALLOWED'],
    ['', 'SENDER_NOT_ALLOWED'],
  ])('applies to the visible sender %j', (address, expected) => {
    expect(judge(from(address), rules)).toBe(expected);
  });
});

describe('A forwarding mailbox', () => {
  const rules = {
    policy: 'REQUIRE',
    allowedSenders: ['nobody.example'],
    forwardingMailboxes: senderList('Accounting@Customer.example, forwarder.example'),
  } as const;
  const forwarded: CheckedSender = {
    ...FAILED,
    authentication: { spf: 'PASS', spf_domain: 'customer.example', dkim: 'FAIL', dmarc: 'FAIL' },
  };

  it.each([
    ['accounting@customer.example', 'accounting@customer.example'],
    ['Accounting+caf_=inbox=docfetch.example@customer.example', 'accounting@customer.example'],
    ['SRS0=x1=2a=supplier.example=billing@customer.example', 'accounting@customer.example'],
    ['anybody@forwarder.example', 'forwarder.example'],
    ['anybody@mx.forwarder.example', 'forwarder.example'],
    ['other@customer.example', 'SENDER_NOT_ALLOWED'],
    ['', 'SENDER_NOT_ALLOWED'],
  ])('is recognized by the envelope sender %j', (envelope, expected) => {
    expect(judge(forwarded, rules, envelope)).toBe(expected);
  });

  it('is not believed without SPF', () => {
    const spoofed = { ...forwarded, authentication: { ...forwarded.authentication, spf: 'FAIL' as const } };
    expect(judge(spoofed, rules, 'accounting@customer.example')).toBe('SENDER_NOT_ALLOWED');
  });

  it('is asked to try again while name servers do not answer', () => {
    expect(judge(AWAY, rules, 'accounting@customer.example')).toBe('NOT_VERIFIABLE_NOW');
    expect(judge(AWAY, { ...rules, policy: 'RECORD' }, 'other@customer.example')).toBe('SENDER_NOT_ALLOWED');
  });
});
