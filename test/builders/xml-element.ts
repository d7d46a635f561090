export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlElement[];
}

type Child = XmlElement | undefined | false;

/** An element with text, or with other elements; those that are undefined or false are omitted. */
export function element(
  name: string,
  content: string | readonly Child[],
  attributes: Record<string, string> = {},
): XmlElement {
  const kept =
    typeof content === 'string' ? content : content.filter((child) => child !== undefined && child !== false);
  return { name, attributes, content: kept };
}

/** The document in UTF-8, indented. */
export function xmlDocument(root: XmlElement): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${render(root, '')}\n`);
}

function render({ name, attributes, content }: XmlElement, indent: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const open = `${indent}<${name}${list.join('')}>`;
  if (typeof content === 'string') return `${open}${escape(content)}</${name}>`;
  return `${open}\n${content.map((child) => render(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (char) => entities[char]!);
}
