import { build } from 'esbuild';
import { join } from 'node:path';
import { popupOf } from '../harness/connect-page';
import { useUi } from '../harness/ui-context';

const ui = useUi();

/** An application of a client: it shows the last result, and can remove the button. */
const APPLICATION = `
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DocfetchConnect } from './dist/react.js';

function Application() {
  const [shown, setShown] = useState(true);
  const [result, setResult] = useState('nothing');
  return [
    shown && createElement(DocfetchConnect, {
      key: 'connect',
      className: 'primary',
      token: () => Promise.resolve(window.token),
      mode: 'popup',
      onSuccess: ({ action }) => setResult(action),
      onExit: ({ result: end }) => setResult(end + ' after ' + result),
    }, 'Connect'),
    createElement('p', { key: 'result' }, result),
    createElement('button', { key: 'remove', onClick: () => setShown(false) }, 'Remove'),
  ];
}
const root = document.body.appendChild(document.createElement('div'));
createRoot(root).render(createElement(Application));
`;

describe('the React component', () => {
  it('opens the hosted UI, calls the latest handlers, and closes what is open when it is removed', async () => {
    const { outputFiles } = await build({
      stdin: { contents: APPLICATION, resolveDir: join(__dirname, '../../../connect') },
      bundle: true,
      write: false,
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const { page } = await ui.visit('en', { hostUrl: () => ui.clientSite.returnUrl });
    const token = await ui.client.createToken(await ui.client.createIdentity(), {
      return_url: ui.clientSite.returnUrl,
    });
    await page.evaluate((given) => void Object.assign(window, { token: given }), token);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const button = page.locator('button.primary');

    const first = await popupOf(page, () => button.click());
    await first.getByRole('heading', { level: 1 }).waitFor();
    await first.close();
    await page.getByText('cancelled after nothing').waitFor();

    const second = await popupOf(page, () => button.click());
    await second.getByRole('heading', { level: 1 }).waitFor();
    const closed = second.waitForEvent('close');
    await page
      .getByRole('button', { name: 'Remove', includeHidden: true })
      .evaluate((element) => (element as HTMLElement).click());
    await closed;
    await page.getByText('cancelled after cancelled after nothing').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
