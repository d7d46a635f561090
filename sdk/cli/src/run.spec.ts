import { eventually } from '../../../test/harness/eventually';
import { useClientUser } from '../../../test/sdk/run-client';
import { KEY, refusal, useSdk, UUID } from '../../../test/sdk/use-sdk';

describe('docfetch-client', () => {
  const { server } = useSdk();
  const user = useClientUser();
  const env = () => ({ DOCFETCH_URL: server.url, DOCFETCH_API_KEY: KEY });

  it.each([
    [['no-such-command'], 2, 'There is no command "no-such-command"'],
    [['tail', '--no-such-option'], 2, 'There is no option --no-such-option'],
    [['tail', '--no-such-option', '--lang', 'de'], 2, 'Die Option --no-such-option gibt es nicht'],
    [['trigger', 'document', '--count', '101'], 2, '--count must be a number from 1 to 100, not "101"'],
    [['trigger', 'document', '--count'], 2, 'The option --count needs a value'],
    [['trigger', 'document', '--type', 'letter'], 2, '--type must be one of invoice, credit_note'],
    [['transactions', 'get'], 2, 'The argument <uuid> is missing'],
    [['transactions', 'get', 'x', '--lang=de'], 2, '<uuid> muss eine UUID sein, nicht „x“'],
    [['redeliver'], 2, 'Name either documents by their uuid, or a --status'],
    [['redeliver', UUID, '--status', 'failed'], 2, 'Name either documents by their uuid, or a --status'],
    [['transactions', 'list'], 3, 'There is no API key'],
  ])('refuses %j with status %i and one line', async (args, status, reason) => {
    const result = await user.run(args);
    expect(result).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(reason) });
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each(['en', 'de'])('explains all commands and options in %s', async (lang) => {
    const help = async (...command: string[]) => {
      const { status, stdout } = await user.run([...command, '--help'], { env: { DOCFETCH_LANG: lang } });
      expect(status).toBe(0);
      return stdout;
    };
    const text = await help();
    expect(text).toContain(lang === 'de' ? 'Befehle:' : 'Commands:');
    expect(text).toContain('DOCFETCH_API_KEY');
    for (const command of text.matchAll(/^ {2}([a-z]+) {2,}\S/gm)) {
      // Each option is followed by its description.
      for (const [option] of (await help(command[1]!)).matchAll(/^ {2}-.*$(\n {4,}\S.*$)?/gm))
        expect(option).toMatch(/ {2,}\S|\n/);
    }
  });

  it.each([
    [refusal(401, 'INVALID_API_KEY'), 3, 'INVALID_API_KEY'],
    [refusal(403, 'NOT_YOUR_TRANSACTION'), 3, 'NOT_YOUR_TRANSACTION'],
    [refusal(404, 'TRANSACTION_NOT_FOUND'), 5, 'TRANSACTION_NOT_FOUND'],
    [refusal(422, 'VALIDATION_FAILED'), 1, 'VALIDATION_FAILED'],
    ['hang up' as const, 4, 'SERVICE_UNREACHABLE'],
  ])('says in JSON why %j was not possible, and exits with %i', async (answer, status, code) => {
    server.script(answer);
    const result = await user.run(['redeliver', UUID, '--json'], { env: env() });
    expect(result).toMatchObject({ status, stdout: '' });
    const { error } = JSON.parse(result.stderr) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).not.toBe('');
  });

  it('exits with 130 when it is interrupted before it is done', async () => {
    server.script('never answer');
    const running = user.start(['redeliver', UUID], { env: env() });
    await eventually(async () => server.seen.length > 0, 'the request is sent');
    running.stop();
    expect(await running.exited).toBe(130);
    expect(running.stdout.text).toBe('');
  });

  it('exits with 0 when it is interrupted while it waits for what is new', async () => {
    server.script({ status: 200, body: { data: [], meta: { next_cursor: null, has_more: false, poll_cursor: 'a' } } });
    const running = user.start(['tail', '--interval', '0.1'], { env: env() });
    await eventually(async () => server.seen.length > 2, 'it polls');
    running.stop();
    expect(await running.exited).toBe(0);
  });

  it('asks the service for messages in the language of the user', async () => {
    server.script({ status: 200, body: { data: [], meta: { next_cursor: null, has_more: false, poll_cursor: 'a' } } });
    await user.run(['transactions', 'list', '--lang', 'de'], { env: env() });
    // A request of the command that was interrupted above may arrive only now.
    expect(server.seen).toContainEqual(
      expect.objectContaining({ headers: expect.objectContaining({ lang: 'de', 'x-api-key': KEY }) }),
    );
  });

  it('removes characters that control the terminal from what others have named', async () => {
    const transaction = {
      transaction_uuid: UUID,
      document_type: 'invoice',
      document: { filename: '\u001b]0;title\u0007\u202einvoice.pdf' },
      provisioning: { status: 'FAILED' },
    };
    const meta = { next_cursor: null, has_more: false, poll_cursor: 'a' };
    server.script({ status: 200, body: { data: [transaction], meta } });
    const { stdout } = await user.run(['transactions', 'list'], { env: env() });
    expect(stdout).toBe(`${UUID}  invoice   ]0;title  invoice.pdf  FAILED\n`);
  });
});
