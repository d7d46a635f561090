import type { Words } from '../words/en';
import { type Lang, LOCALES, sayDay } from '../words/moments';
import type { Fault } from './validate';

/** A fault as a sentence, with its limit as the reader writes it. */
export function sayFault(fault: Fault, words: Words['fields']['fault'], lang: Lang): string {
  const sentence = words[fault.code];
  if (typeof sentence === 'string') return sentence;
  const { limit = '' } = fault;
  const day = typeof limit === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(limit);
  return sentence(day ? sayDay(limit, lang) : new Intl.NumberFormat(LOCALES[lang]).format(Number(limit)));
}
