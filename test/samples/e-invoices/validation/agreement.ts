import { validateInvoice } from '../../../../src/documents/e-invoice/validation/validate-invoice';
import { expectedFailures } from './expected';
import { mutants } from './mutants';
import { variant } from './variants';

/** Saxon 13 does not take an untyped `-0.00` for equal to zero; XPath compares both as `xs:double`, where they are equal. */
const DIFFERENT_FROM_XPATH = /"-0(?:\.00)?" in /;

/** The mutants of a sample, every `step`th, on which we and the published artifact find different rules. */
export function disagreements(sample: string, step: number): { tested: number; different: string[] } {
  const expected = expectedFailures(sample);
  const { xml, specification = 'urn:cen.eu:en16931:2017' } = variant(sample);
  const different: string[] = [];
  let [number, tested] = [-1, 0];
  for (const mutant of mutants(xml)) {
    number++;
    const wanted = expected.get(number);
    if (number % step !== 0 || wanted === undefined || DIFFERENT_FROM_XPATH.test(mutant.name)) continue;
    tested++;
    const found = failures(mutant.xml(), specification);
    const same = wanted === 'ERROR' ? found.unreadable : found.ids === wanted;
    if (!same) different.push(`${mutant.name}: ${found.ids} instead of ${wanted}`);
  }
  return { tested, different };
}

function failures(xml: string, specification: string): { ids: string; unreadable: boolean } {
  const rules = new Set(validateInvoice(Buffer.from(xml), specification)!.findings.map(({ rule }) => rule));
  const ids = [...rules].filter((id) => !id.startsWith('FORMAT-')).sort();
  return { ids: ids.join(' ') || '-', unreadable: ids.length < rules.size };
}
