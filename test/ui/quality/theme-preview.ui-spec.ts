import type { FrameLocator } from 'playwright-core';
import { PreviewTheme } from '../../../src/auth/theme-preview/preview-theme';
import { preview as de } from '../../../ui/src/messages/preview/de';
import { preview as en } from '../../../ui/src/messages/preview/en';
import { LANGUAGES, useUi, type VisitOptions } from '../harness/ui-context';

const TEXTS = { en, de };
const LOGO = 'https://cdn.example.com/new-logo.svg';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48"><rect width="220" height="48"/></svg>';
const THEME = { name: 'Neue Buchhaltung', logo_url: LOGO, primary_color: '#ffdd00' };

const ui = useUi();

/** An address in the language of the test. */
async function linkTo(theme: object, lang: string): Promise<string> {
  const preview = ui.app.app.get(PreviewTheme, { strict: false });
  return `${(await preview.preview(ui.client.environmentUuid, theme)).url}&lang=${lang}`;
}
const colorOf = (frame: FrameLocator, selector: string, property: string) =>
  frame
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

describe.each(LANGUAGES)('the preview of a theme (%s)', (lang) => {
  const texts = TEXTS[lang];
  const open = async (theme: object, options: VisitOptions = {}) => {
    const link = await linkTo(theme, lang);
    const visit = await ui.visit(lang, { width: 1280, ...options, hostUrl: () => link });
    const frames = { light: visit.page.frameLocator('iframe').first(), dark: visit.page.frameLocator('iframe').last() };
    return { ...visit, ...frames };
  };

  it('shows the hosted UI with the theme in both schemes, and saves nothing', async () => {
    const { page, messages, light, dark, heading, checkView } = await open(THEME, { images: { [LOGO]: SVG } });
    await heading(texts.title('Neue Buchhaltung'));
    for (const frame of [light, dark]) {
      await frame.getByRole('heading', { level: 1, name: messages.overview.title }).waitFor();
      await frame.getByRole('img', { name: 'Neue Buchhaltung' }).waitFor();
    }
    expect(await colorOf(light, 'html', 'background-color')).toBe('rgb(246, 246, 243)');
    expect(await colorOf(dark, 'html', 'background-color')).toBe('rgb(22, 24, 27)');
    expect(await colorOf(dark, '.action.primary', 'background-color')).toBe('rgb(255, 221, 0)');
    expect(await colorOf(light, '.action.primary', 'background-color')).not.toBe('rgb(255, 221, 0)');
    await page.getByText(texts.logo.shown).waitFor();
    await page.getByText(lang === 'de' ? /gilt bis zum \d/ : /works until \d/).waitFor();
    await checkView('theme-preview');
    const [row] = await ui.query('select theme from environment where uuid = $1', [ui.client.environmentUuid]);
    expect(row).toEqual({ theme: { name: 'Muster Buchhaltung', primary_color: '#e8a33d' } });
  });

  it('shows each view at the width of a phone, and can be used without sending anything', async () => {
    const requests: string[] = [];
    const { page, messages, light, checkView } = await open(
      {},
      {
        width: 360,
        beforeOpen: (it) =>
          Promise.resolve(it.on('request', (request) => requests.push(new URL(request.url()).pathname))),
      },
    );
    await page.getByRole('radio', { name: texts.widths.phone }).click();
    for (const [view, title] of [
      ['choose', messages.choose.title],
      ['source', /@example\.com$/],
      ['form', messages.connect.title(lang === 'de' ? 'E-Mail (IMAP)' : 'E-mail (IMAP)')],
    ] as const) {
      await page.getByRole('radio', { name: texts.views[view], exact: true }).click();
      await light.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    expect(
      await page
        .locator('iframe')
        .first()
        .evaluate((frame) => frame.clientWidth),
    ).toBeLessThanOrEqual(320);
    await light.locator('[data-field="user"] input').fill('anna@example.com');
    await light.locator('[data-field="password"] input').fill('secret');
    await light.getByRole('button', { name: messages.connect.submit, exact: true }).click();
    await light.getByRole('alert').waitFor();
    await checkView('theme-preview-form');
    expect(requests.filter((path) => path.startsWith('/v1/'))).toEqual([]);
  });

  it('compares the contrast of every use of the color with what is needed', async () => {
    const { page } = await open({ primary_color: '#ffdd00' });
    await page.getByText(texts.contrast.changed('#ffdd00')).waitFor();
    const rows = await page.locator('.preview-contrast tbody tr').allTextContents();
    expect(rows).toHaveLength(8);
    expect(rows.filter((row) => row.includes(texts.contrast.passes))).toHaveLength(8);
    expect(await page.getByRole('table', { name: texts.scheme.dark }).getByRole('row').nth(1).textContent()).toContain(
      '#ffdd00',
    );
  });

  it('says when the logo cannot be loaded', async () => {
    const { page, light } = await open(THEME, {
      beforeOpen: (it) => it.route(LOGO, (route) => route.fulfill({ status: 404 })),
    });
    await page.getByText(texts.logo.failed('Neue Buchhaltung')).waitFor();
    await light.locator('.brand-name', { hasText: 'Neue Buchhaltung' }).waitFor();
  });

  it('is no longer shown after a week, and not with another theme', async () => {
    const [link, other] = [await linkTo({}, lang), await linkTo({ name: 'Betrug' }, lang)];
    const signature = (address: string) => address.replace(/.*\./, '.');
    for (const address of [other.replace(/\.[^.]*$/, signature(link)), `${link.split('?')[0]}?preview=x`]) {
      const { page } = await ui.visit(lang, { hostUrl: () => address });
      await page.getByRole('heading', { name: /preview is no longer|gibt es nicht mehr/ }).waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
    }
    const { heading, checkView } = await ui.visit(lang, {
      hostUrl: () => `${link.split('?')[0]}?preview=expired&lang=${lang}`,
    });
    await heading(texts.expiredTitle);
    await checkView('theme-preview-expired');
  });
});
