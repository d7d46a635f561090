import type { I18nService } from 'nestjs-i18n';
import { renderMessage, translate } from './translate';

/** Prints the placeholders as nestjs-i18n receives them. */
const i18n = {
  translate: (_: string, { args }: { args: Record<string, unknown> }) =>
    Object.entries(args)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
} as unknown as I18nService;

describe('a message', () => {
  it.each([
    ['en', 'count 1,200, limit 20 November 2026, label Folder, name 2026-11-20'],
    ['de', 'count 1.200, limit 20. November 2026, label Ordner, name 2026-11-20'],
  ] as const)('has its values in the format of the language %s', (lang, expected) => {
    const params = { count: 1200, limit: '2026-11-20', label: { en: 'Folder', de: 'Ordner' }, name: '2026-11-20' };
    expect(renderMessage(i18n, 'a.key', params, lang)).toBe(expected);
  });

  it('shows external text as it is, without expanding it', () => {
    expect(renderMessage(i18n, 'a.key', { name: '$t(errors.title)' }, 'en')).toBe('name $t (errors.title)');
  });

  it('is its key outside of a request', () => {
    expect(translate('reasons.TIMED_OUT')).toBe('reasons.TIMED_OUT');
  });
});
