import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One of the invoices beside this file, as text. */
export function sample(name: string): string {
  return readFileSync(join(__dirname, `${name}.xml`), 'utf8');
}

/** The text with one part replaced; throws when the part is not there exactly once, so that no test is about nothing. */
export function changed(text: string, part: string, replacement: string): string {
  if (text.split(part).length !== 2) throw new Error(`The sample does not have "${part}" exactly once.`);
  return text.replace(part, () => replacement);
}
