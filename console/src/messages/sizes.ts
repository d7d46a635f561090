import { type Lang, LOCALES } from '../../../ui/src/messages/date-format';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1024;

/** `70 MB`, with at most one digit after the point. */
export function formatSize(bytes: number, lang: Lang): string {
  const step = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  return new Intl.NumberFormat(LOCALES[lang], {
    style: 'unit',
    unit: UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / STEP ** step);
}
