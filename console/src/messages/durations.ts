import { type Lang, LOCALES } from '../../../ui/src/messages/date-format';

/** `312 ms`, `1.204 ms` */
export const formatMs = (ms: number, lang: Lang): string => format(ms, 'millisecond', lang);

/** `1.2 sec`, `1,2 Sek.` */
export const formatSeconds = (ms: number, lang: Lang): string => format(ms / 1000, 'second', lang);

const format = (count: number, unit: string, lang: Lang): string =>
  new Intl.NumberFormat(LOCALES[lang], { style: 'unit', unit, maximumFractionDigits: 1 }).format(count);
