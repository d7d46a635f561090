import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectInbox, INBOX_DOMAIN } from '../../e2e/inbox/inbox-setup';
import { pdfBytes } from '../imap/invoice-mails';
import { sha256 } from '../imap/mailbox-session';
import { LIMIT_MIB, useMailService } from './mail-service';
import { swaks } from './postfix';

const SENDER = 'billing@supplier.example';

const service = useMailService();

describe('swaks', () => {
  it('sends a mail with an attachment over STARTTLS', async () => {
    const { uuid, address } = await connectInbox(service.client);
    const file = join(service.folder, 'rechnung.pdf');
    writeFileSync(file, pdfBytes('swaks'));
    const args = ['--tls', '--attach-type', 'application/pdf', '--attach', `@${file}`];
    const { status, output } = await swaks(service.port, ['--from', SENDER, '--to', address, ...args]);
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringMatching(/250 .*\n.*QUIT/s) });
    const [row] = await service.recorded(uuid, 1);
    expect(row).toMatchObject({ sha256: sha256(pdfBytes('swaks')), filename: 'rechnung.pdf' });
  });

  it.each<[string, number, (address: string) => readonly string[]]>([
    ['an unknown address', 550, () => ['--to', `nobody-abcdefghjkmn@${INBOX_DOMAIN}`]],
    ['an address of another domain', 550, () => ['--to', 'somebody@example.com']],
    ['a mail that is too large', 552, (address) => ['--to', address, '--body', `@${join(service.folder, 'large')}`]],
  ])('is refused %s in the session', async (_, code, args) => {
    const { uuid, address } = await connectInbox(service.client);
    writeFileSync(join(service.folder, 'large'), `${'x'.repeat(998)}\n`.repeat(((LIMIT_MIB + 1) * 1024 * 1024) / 999));
    const { status, output } = await swaks(service.port, ['--tls', '--from', SENDER, ...args(address)]);
    expect(status).not.toBe(0);
    expect(output).toMatch(new RegExp(`^<~\\* +${code} `, 'm'));
    expect(await service.engine.count('select count(*) from inbox_mail where connection_uuid = $1', uuid)).toBe(0);
  });

  it('is offered SIZE, PIPELINING and STARTTLS, and no login', async () => {
    const { output } = await swaks(service.port, ['--quit-after', 'EHLO']);
    expect(output).toContain(`SIZE ${LIMIT_MIB * 1024 * 1024}`);
    expect(output).toMatch(/STARTTLS/);
    expect(output).not.toMatch(/AUTH/);
  });
});
