import { openWith } from '../../../src/cli/use-cases/application';
import { smtpPort, startInbox } from '../inbox/inbox-setup';
import { runInProcess } from './command-line';

describe('docfetch beside a service that receives mails, with the same settings', () => {
  it('runs commands, and leaves the port to the service', async () => {
    const engine = await startInbox({ role: 'api' });
    try {
      const { settings, databaseUrl } = engine.app;
      const same = settings.with({ databaseUrl, smtpPort: smtpPort(engine.app) });
      const run = await runInProcess(
        ['environment', 'list', '--json'],
        openWith(() => same),
      );
      expect(run).toMatchObject({ status: 0, stderr: '' });
    } finally {
      await engine.stop();
    }
  });
});
