import type { Lang } from '../../messages/date-format';

const SEPARATORS: Readonly<Record<Lang, { readonly group: string; readonly decimal: string }>> = {
  en: { group: ',', decimal: '.' },
  de: { group: '.', decimal: ',' },
};

/** Whether the text may become a number when the user continues to type. */
export const isNumberInput = (text: string): boolean => /^\s*-?[\d.,]*\s*$/.test(text);

/**
 * The number that the text stands for in a language; undefined for none. A lone separator of the other language counts as the
 * decimal one, unless it separates thousands.
 */
export function parseNumber(text: string, lang: Lang): number | undefined {
  const { group, decimal } = SEPARATORS[lang];
  const grouped = new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d*)?$`);
  const trimmed = text.trim();
  const plain = (grouped.test(trimmed) ? trimmed.replaceAll(group, '') : trimmed).replace(',', '.');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** The number as it is typed, without separated thousands. */
export const formatNumber = (value: number, lang: Lang): string => String(value).replace('.', SEPARATORS[lang].decimal);
