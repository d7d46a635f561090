import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { eventually } from '../../harness/eventually';
import { LANGUAGES, SANDBOX_TILE, useUi } from '../harness/ui-context';

const ui = useUi();

describe.each(LANGUAGES)('appearance (%s)', (lang) => {
  it('shows the logo of the environment and of each integration', async () => {
    const update = ui.app.app.get(UpdateEnvironment, { strict: false });
    const logo = 'https://cdn.example.com/logo.svg';
    await update.update('test', ui.client.environmentUuid, { theme: { logo_url: logo } });
    try {
      const { page, messages, checkView, heading } = await ui.visit(lang, {
        images: {
          [logo]:
            '<svg xmlns="http://www.w3.org/2000/svg" width="220" height="48"><rect width="220" height="48" rx="8" fill="#3a6ea5"/></svg>',
        },
      });
      await heading(messages.overview.emptyTitle);
      const drawn = (selector: string) =>
        page.locator(selector).evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth > 0));
      await eventually(async () => (await drawn('.brand-logo')).every(Boolean), 'the logo is there');
      expect(await page.locator('.brand-logo').getAttribute('alt')).toBe('Muster Buchhaltung');
      await page.getByRole('link', { name: messages.overview.add }).click();
      await heading(messages.choose.title);
      await eventually(async () => (await drawn('.tile .logo img')).every(Boolean), 'the logos are there');
      expect((await drawn('.tile .logo img')).length).toBeGreaterThan(5);
      await checkView('logos');
    } finally {
      await update.update('test', ui.client.environmentUuid, { theme: { logo_url: '' } });
    }
  });

  it('shows a logo that has no size of its own, and the name instead of one that cannot be loaded', async () => {
    const update = ui.app.app.get(UpdateEnvironment, { strict: false });
    const logo = 'https://cdn.example.com/logo.svg';
    await update.update('test', ui.client.environmentUuid, { theme: { logo_url: logo } });
    try {
      const shapes = '<rect width="220" height="48" rx="8" fill="#3a6ea5"/></svg>';
      for (const attributes of ['viewBox="0 0 220 48"', 'viewBox="0 0 220 48" width="100%" height="100%"']) {
        const images = { [logo]: `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${shapes}` };
        const { page } = await ui.visit(lang, { images, width: 360 });
        const shown = page.locator('.brand-logo');
        await eventually(
          () => shown.evaluate((image) => (image as HTMLImageElement).complete && image.clientWidth > 100),
          'the logo is visible',
        );
        expect(await shown.evaluate((image) => image.clientHeight)).toBe(36);
      }
      const { page, checkView, heading, messages } = await ui.visit(lang, {
        beforeOpen: (it) => it.route(logo, (route) => route.fulfill({ status: 404 })),
      });
      await heading(messages.overview.emptyTitle);
      await page.locator('.brand-name', { hasText: 'Muster Buchhaltung' }).waitFor();
      expect(await page.locator('.brand-logo').count()).toBe(0);
      await checkView('logo-broken');
    } finally {
      await update.update('test', ui.client.environmentUuid, { theme: { logo_url: '' } });
    }
  });

  it('keeps the marks of a selection and of a status in forced colors', async () => {
    const identity = await ui.client.createIdentity();
    await ui.connection(identity, {}, 'Stadtwerke');
    const { page, messages, heading, screenshot } = await ui.visit(lang, { identity });
    await heading(messages.overview.title);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await page.locator('.state-dot').evaluate((it) => getComputedStyle(it).borderTopWidth)).toBe('4px');
    await screenshot('forced-colors-overview');
    await page.getByRole('link', { name: messages.overview.add }).click();
    await heading(messages.choose.title);
    const background = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((it) => getComputedStyle(it).backgroundColor);
    const highlight = await page.evaluate(() => {
      const sample = document.body.appendChild(document.createElement('p'));
      sample.style.setProperty('forced-color-adjust', 'none');
      sample.style.backgroundColor = 'Highlight';
      return getComputedStyle(sample).backgroundColor;
    });
    expect(await background('.kind[data-selected]')).toBe(highlight);
    expect(await background('.kind:not([data-selected])')).not.toBe(highlight);
    await screenshot('forced-colors-choose');
  });

  it('can be read with text of twice the size, and at 400 % zoom', async () => {
    const identity = await ui.client.createIdentity();
    await ui.connection(identity, {}, 'Stadtwerke');
    for (const { width, fontSize, name } of [
      { width: 1280, fontSize: 32, name: 'text-200' },
      { width: 640, fontSize: 16, name: 'zoom-200' },
      { width: 320, fontSize: 16, name: 'zoom-400' },
    ]) {
      const visit = await ui.visit(lang, { identity, width });
      const { page, messages, checkView, heading } = visit;
      const devtools = await page.context().newCDPSession(page);
      const enlarge = async () => {
        await devtools.send('Page.setFontSizes', { fontSizes: { standard: fontSize, fixed: fontSize } });
        await page.waitForFunction((px) => getComputedStyle(document.documentElement).fontSize === px, `${fontSize}px`);
      };
      await heading(messages.overview.title);
      await checkView(`${name}-overview`, enlarge);
      await page.getByRole('link', { name: messages.overview.add }).click();
      await page.getByRole('button', { name: SANDBOX_TILE }).first().click();
      await page.getByText(messages.steps.progress(1, 2)).waitFor();
      await checkView(`${name}-connect`, enlarge);
    }
  });

  it('animates nothing with prefers-reduced-motion', async () => {
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { page } = await ui.visit(lang, {
      beforeOpen: (it) =>
        it.route('**/v1/integrations*', async (route) => {
          await held;
          await route.continue();
        }),
    });
    const spinner = page.locator('.spinner');
    await spinner.waitFor();
    const rotationSeconds = () => spinner.evaluate((it) => parseFloat(getComputedStyle(it).animationDuration));
    expect(await rotationSeconds()).toBeLessThan(0.01);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await rotationSeconds()).toBeGreaterThan(0.5);
    answer();
    await spinner.waitFor({ state: 'detached' });
  });
});
