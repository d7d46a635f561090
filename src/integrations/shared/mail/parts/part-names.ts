import { extensionOf, fitsKind } from './kinds/document-kinds';
import { decoded } from './encoding/mail-headers';
import type { Part } from './parts';

/** The parts of a mail part that its name is derived from. */
type NamedPart = Pick<Part, 'name' | 'description' | 'kind'>;

const MAX_NAME = 150;

/**
 * Unique file names for the documents of one mail. A part without a usable name is named by its description or the mail's subject.
 * Path separators, control and direction characters are removed, because names are displayed and stored.
 */
export function nameParts(parts: readonly NamedPart[], subject: string): string[] {
  const taken = new Set<string>();
  return parts.map((part) => {
    const name = unique(nameOf(part, subject), taken);
    taken.add(name.toLowerCase());
    return name;
  });
}

function nameOf(part: NamedPart, subject: string): string {
  const given = clean(decoded(part.name));
  if (given) return withExtension(given, part);
  const described = clean(decoded(part.description));
  if (described && extensionOf(described)) return withExtension(described, part);
  return withExtension(clean(subject) || 'document', part);
}

/** A wrong extension is kept, because the sender chose it; a missing one is added. */
function withExtension(name: string, { kind, name: given }: NamedPart): string {
  if (fitsKind(name, kind)) return shortened(name);
  const own = given && extensionOf(name) && /\.[a-z][a-z0-9]{1,4}$/i.test(name);
  return shortened(own || kind.extension === '' ? name : `${name}.${kind.extension}`);
}

function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|\uFFFD]+/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');
}

function shortened(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const extension = extensionOf(name);
  const end = extension ? `.${extension}` : '';
  return `${name.slice(0, MAX_NAME - end.length).trimEnd()}${end}`;
}

function unique(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name;
  const dot = name.lastIndexOf('.');
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let count = 2; ; count++) {
    const candidate = `${stem} (${count})${end}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}
