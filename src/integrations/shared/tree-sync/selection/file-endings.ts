import { isTypeUnknown } from '../../../../documents/detection/mime-type';
import { BY_EXTENSION } from '../../mail/parts/kinds/kinds';
import { DEFAULT_KINDS, extensionsOf } from './file-selection-fields';

/** The ending of a file name in lower case, without dot; empty without one. Trailing dots and spaces are ignored. */
export function endingOf(filename: string): string {
  return /\.([^./\s]+)[.\s]*$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}

/** Files that contain others. Mails are opened only where they are not selected themselves. */
const ARCHIVES: readonly string[] = ['zip', 'tar', 'gz', 'tgz'];
const MAILS: readonly string[] = ['eml', 'msg'];

/** The type of a file that is opened as in a mailbox; undefined for others. */
export function containerTypeOf(filename: string, endings: ReadonlySet<string> | null): string | undefined {
  const ending = endingOf(filename);
  const isOpened = ARCHIVES.includes(ending) || (MAILS.includes(ending) && endings !== null && !endings.has(ending));
  return isOpened ? BY_EXTENSION.get(ending)?.mimeType : undefined;
}

/** Whether only the content tells the type of a file: its name has no ending, or none that is known. */
export function saysNothing(filename: string): boolean {
  return isTypeUnknown('', filename.replace(/[.\s]+$/, ''));
}

/** The endings of the selected kinds of a stored second step; null for all files. */
export function selectedEndings(step2: Readonly<Record<string, unknown>>): ReadonlySet<string> | null {
  const given = step2['file_types'];
  const kinds = Array.isArray(given) ? given.filter((kind) => typeof kind === 'string') : [];
  return extensionsOf(kinds.length > 0 ? kinds : DEFAULT_KINDS);
}

export const fitsEndings = (filename: string, endings: ReadonlySet<string> | null): boolean =>
  endings === null || endings.has(endingOf(filename));
