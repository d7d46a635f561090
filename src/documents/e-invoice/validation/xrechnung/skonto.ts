import { normalize, select } from '../engine/select';
import { Repeated } from '../engine/unreadable';
import type { XmlNode } from '../engine/xml-node';

/** The pattern of XRechnung. */
const SKONTO = /^#SKONTO#TAGE=[0-9]+#PROZENT=[0-9]+\.[0-9]{2}(#BASISBETRAG=-?[0-9]+\.[0-9]{2})?#$/;

/** Lines of the payment terms that begin with `#` describe a discount as XRechnung does; a line break ends the last of them. */
export function followsSkontoPattern(root: XmlNode, terms: string, description: string, pattern = SKONTO): boolean {
  const notes = select(root, terms).flatMap((each) => select(each, description).slice(0, 1));
  const marked = notes
    .flatMap(({ text }) => text.split(/\r?\n/))
    .map(normalize)
    .filter((line) => line.startsWith('#'));
  for (const line of marked) {
    if (!pattern.test(line)) return false;
    if (notes.length > 1) throw new Repeated(notes[1]!);
    if (!/^[ \t\r\n]*\n/.test(lastPart(notes[0]!.text))) return false;
  }
  return true;
}

/** What follows the last marked part, which reaches from the first to the last `#` of its line. */
function lastPart(text: string): string {
  const lines = text.split('\n');
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!;
    const first = line.indexOf('#');
    const last = line.lastIndexOf('#');
    if (first >= 0 && last > first + 1) return [line.slice(last + 1), ...lines.slice(at + 1)].join('\n');
  }
  return text;
}
