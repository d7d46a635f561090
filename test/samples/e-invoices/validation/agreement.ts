import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateInvoice } from '../../../../src/documents/e-invoice/validation/validate-invoice';
import { expectedFailures } from './expected';
import { mutants } from './mutants';

/** Saxon does not take `-0.00` for zero, although XPath does. */
const DIFFERENT_FROM_XPATH = /"-0\.00" in .*CalculatedAmount$/;

/** The mutants of a sample, every `step`th, on which we and the published artifact find different rules. */
export function disagreements(sample: string, step: number): { tested: number; different: string[] } {
  const expected = expectedFailures(sample);
  const xml = readFileSync(join(__dirname, `${sample}.xml`), 'utf8');
  const different: string[] = [];
  let [number, tested] = [-1, 0];
  for (const mutant of mutants(xml)) {
    number++;
    const wanted = expected.get(number);
    if (number % step !== 0 || wanted === undefined || DIFFERENT_FROM_XPATH.test(mutant.name)) continue;
    tested++;
    const found = failures(mutant.xml);
    const same = wanted === 'ERROR' ? found.unreadable : found.ids === wanted;
    if (!same) different.push(`${mutant.name}: ${found.ids} instead of ${wanted}`);
  }
  return { tested, different };
}

function failures(xml: string): { ids: string; unreadable: boolean } {
  const rules = new Set(validateInvoice(Buffer.from(xml), undefined)!.findings.map(({ rule }) => rule));
  const ids = [...rules].filter((id) => !id.startsWith('FORMAT-')).sort();
  return { ids: ids.join(' ') || '-', unreadable: ids.length < rules.size };
}
