import type { Response } from 'playwright-core';
import { consoleLink } from '../harness/console-visit';
import { useUi } from '../harness/ui-context';

const ui = useUi();
/** Bytes of the bodies of all responses, as they are sent. */
const MAX_BYTES = 200_000;

describe('the first load of the console', () => {
  it('is small', async () => {
    const responses: Response[] = [];
    const { page } = await ui.openPage('de', await consoleLink(ui), {
      beforeOpen: (it) => Promise.resolve(it.on('response', (response) => responses.push(response))),
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
    const sent = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(responses.length).toBeGreaterThan(5);
    expect(sent).toBeGreaterThan(50_000);
    expect(sent).toBeLessThanOrEqual(MAX_BYTES);
  });
});
