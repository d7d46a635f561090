import { de } from '../../../console/src/views/endpoint/messages/de';
import { en } from '../../../console/src/views/endpoint/messages/en';
import { SetProvisioning } from '../../../src/identities/environments/set-provisioning';
import { answer, Receiver } from '../../fakes/receiver';
import { createTestClient } from '../../harness/app/test-client';
import { openConsole } from '../harness/console-visit';
import { LANGUAGES, useUi } from '../harness/ui-context';

const ui = useUi();
const TEXTS = { de, en };

describe.each(LANGUAGES)('the endpoint in the console (%s)', (lang) => {
  const texts = TEXTS[lang];
  let receiver: Receiver;
  beforeEach(async () => (receiver = await Receiver.start()));
  afterEach(() => receiver.stop());

  it('shows how documents go, and sends a test push with its request and answer', async () => {
    const { environmentUuid } = await createTestClient(ui.app, {
      environment: { clientName: 'Umbrella', name: 'Test' },
    });
    const { page, go, checkView } = await openConsole(ui, lang, {
      role: lang === 'de' ? 'SUPPORT' : 'DEVELOPER',
      width: lang === 'de' ? 320 : 1280,
      environmentUuid,
    });
    await go('endpoint');
    await page.getByText(texts.noPushText.POLLING).waitFor();
    await checkView('console-endpoint-polling');

    const settings = { strategy: 'PUSH', url: receiver.url(), auth: 'QUERY', secret: 's3cret' } as const;
    await ui.app.app.get(SetProvisioning, { strict: false }).set('test', environmentUuid, settings);
    await page.reload();
    await page.getByText(texts.noFailures).waitFor();
    await page.getByText(texts.noAttempts).waitFor();
    receiver.always(answer(503, {}, 'closed for today'));
    await page.getByRole('button', { name: texts.send }).click();
    await page.getByText('closed for today').waitFor();
    await checkView('console-endpoint');
    expect(receiver.requests.map(({ headers }) => headers['docfetch-test'])).toEqual(['true']);
    expect(await page.content()).not.toContain('s3cret');
    receiver.always(answer(200));
    await page.getByRole('button', { name: texts.send }).click();
    await page.locator('.notice.good').waitFor();
  });
});
