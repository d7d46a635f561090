import { dkimSign } from 'mailauth';
import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { invoiceMail } from '../../../test/interop/imap/invoice-mails';
import type { Settings } from '../../platform/config/settings';
import { DnsRecords } from '../../platform/network/addresses/dns-records';
import { AuthenticateMail } from './authenticate-mail';

type Answer = string[] | Error;

const NO_RECORDS = Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' });
const AWAY = Object.assign(new Error('queryTxt ETIMEOUT'), { code: 'ETIMEOUT' });
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const DKIM_KEY = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const ENVELOPE = { from: 'bounce@supplier.example', client: '192.0.2.1', helo: 'mx.supplier.example' };
const MAIL = invoiceMail('a.pdf').from('billing@supplier.example').build();

/** Name servers that have these TXT records. */
class FakeDns extends DnsRecords {
  constructor(private readonly txt: Readonly<Record<string, Answer>>) {
    super();
  }

  override records(name: string, type: string): Promise<string[][]> {
    const found = type === 'TXT' ? (this.txt[name] ?? this.txt['*']) : undefined;
    if (found === undefined) return Promise.reject(NO_RECORDS);
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found.map((text) => [text]));
  }
}

const authenticate = (dns: DnsRecords, mail = MAIL, limitMs = 8_000) => {
  class Limited extends AuthenticateMail {
    override readonly timeLimitMs = limitMs;
  }
  const settings = { smtpHostname: null, inboxDomain: 'inbox.example' } as Settings;
  return new Limited(dns, settings).check(Readable.from([mail]), ENVELOPE, 'Billing@supplier.example');
};

async function signed(): Promise<Buffer> {
  const key = {
    signingDomain: 'supplier.example',
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  // The types ask for one key in both places.
  const { signatures } = await dkimSign(MAIL, { ...key, signatureData: [key] });
  return Buffer.concat([Buffer.from(signatures), MAIL]);
}

const SPF = { 'supplier.example': ['v=spf1 ip4:192.0.2.0/24 -all'] };
const SPF_OF_OTHERS = { 'supplier.example': ['v=spf1 ip4:198.51.100.0/24 -all'] };
const DMARC = { '_dmarc.supplier.example': ['v=DMARC1; p=reject'] };

describe('The authentication of a mail', () => {
  it('confirms the sender by SPF', async () => {
    expect(await authenticate(new FakeDns({ ...SPF, ...DMARC }))).toEqual({
      authentication: { spf: 'PASS', spf_domain: 'supplier.example', dkim: 'NONE', dmarc: 'PASS' },
      headerFrom: 'billing@supplier.example',
      domainPolicy: 'REJECT',
    });
  });

  it('confirms the sender by a signature, also when it was forwarded', async () => {
    const dns = new FakeDns({ ...SPF_OF_OTHERS, ...DMARC, 's1._domainkey.supplier.example': [DKIM_KEY] });
    expect(await authenticate(dns, await signed())).toMatchObject({
      authentication: { spf: 'FAIL', dkim: 'PASS', dkim_domain: 'supplier.example', dmarc: 'PASS' },
    });
  });

  it('detects a changed mail', async () => {
    const dns = new FakeDns({ ...SPF_OF_OTHERS, ...DMARC, 's1._domainkey.supplier.example': [DKIM_KEY] });
    const changed = Buffer.from((await signed()).toString('latin1').replace(/JVB/, 'JVC'), 'latin1');
    const { authentication } = await authenticate(dns, changed);
    expect(authentication).toMatchObject({ spf: 'FAIL', dmarc: 'FAIL' });
    expect(authentication.dkim).not.toBe('PASS');
  });

  it('finds nothing where a domain publishes nothing', async () => {
    const { authentication, domainPolicy } = await authenticate(new FakeDns({}));
    expect(authentication).toEqual({ spf: 'NONE', dkim: 'NONE', dmarc: 'NONE' });
    expect(domainPolicy).toBe('NONE');
  });

  it('has temporary errors while no name server answers, and still knows the sender', async () => {
    const { authentication, headerFrom } = await authenticate(new FakeDns({ '*': AWAY }), await signed());
    expect(authentication).toEqual({ spf: 'TEMPERROR', dkim: 'TEMPERROR', dmarc: 'TEMPERROR' });
    expect(headerFrom).toBe('billing@supplier.example');
  });

  it('ends within its time limit when a query never ends', async () => {
    class Hanging extends DnsRecords {
      override records = () => new Promise<string[][]>(() => undefined);
    }
    expect(await authenticate(new Hanging(), MAIL, 50)).toEqual({
      authentication: { spf: 'TEMPERROR', dkim: 'TEMPERROR', dmarc: 'TEMPERROR' },
      headerFrom: 'billing@supplier.example',
      domainPolicy: 'NONE',
    });
  });

  it('does not fail for what is no mail', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('\r\n'), Buffer.alloc(100_000, 255)]) {
      expect(await authenticate(new FakeDns({}), bytes)).toMatchObject({ authentication: { dmarc: 'NONE' } });
    }
  });
});
