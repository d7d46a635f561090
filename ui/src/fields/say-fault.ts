import type { Words } from '../words/en';
import { type Lang, LOCALES, sayDay } from '../words/moments';
import type { Fault } from './validate';

/** A fault as a sentence, with its limit as the reader writes it. */
export function sayFault(fault: Fault, words: Words['fields']['fault'], lang: Lang): string {
  const { limit = '' } = fault;
  if (fault.code === 'TOO_EARLY' || fault.code === 'TOO_LATE') return words[fault.code](sayDay(String(limit), lang));
  const sentence = words[fault.code];
  if (typeof sentence === 'string') return sentence;
  return sentence(new Intl.NumberFormat(LOCALES[lang]).format(Number(limit)));
}
