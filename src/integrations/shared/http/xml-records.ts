import { type QualifiedTag, SAXParser } from 'sax';
import { UnexpectedResponse } from '../../core/source-errors';

/** An XML element. Names are without prefixes. */
export interface XmlElement {
  readonly name: string;
  /** Its namespace; empty when it has none. */
  readonly uri: string;
  /** Its own text, without that of its children. */
  text: string;
  readonly children: XmlElement[];
}

/** The maximum length of a record, and of a start tag with its attributes. */
const MAX_RECORD_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 32;

/**
 * Streams the elements directly below the root in portions, so that memory does not grow with the length of a listing. Document
 * types are rejected, and thereby all entities except the five predefined ones.
 * @throws UnexpectedResponse when it is not UTF-8 XML with such a root, and what `bytes` throws
 */
export async function* xmlRecords(
  bytes: AsyncIterable<Buffer>,
  root: string,
  what: string,
): AsyncGenerator<XmlElement[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SAXParser(true, { xmlns: true, position: false });
  const open: XmlElement[] = [];
  let records: XmlElement[] = [];
  let failure: string | undefined;
  let sinceRecord = 0;
  let isClosed = false;

  parser.ondoctype = () => (failure ??= 'has a document type');
  parser.onerror = () => (failure ??= 'is not XML');
  parser.onopentag = (tag) => {
    const { local: name, uri } = tag as QualifiedTag;
    const element: XmlElement = { name, uri, text: '', children: [] };
    if (open.length === 0 && (isClosed || name !== root)) failure ??= `is not <${root}>`;
    if (open.length >= MAX_DEPTH) failure ??= 'is nested too deeply';
    if (open.length > 1) open.at(-1)!.children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => {
    const element = open.pop()!;
    if (open.length === 0) isClosed = true;
    if (open.length !== 1) return;
    records.push(element);
    sinceRecord = 0;
  };
  const addText = (text: string): void => {
    const element = open.at(-1);
    // Text between records is white space.
    if (element && open.length > 1) element.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;

  const read = (text: string): XmlElement[] => {
    sinceRecord += text.length;
    if (!failure) parser.write(text);
    if (sinceRecord > MAX_RECORD_CHARACTERS) failure ??= 'has a record that is too long';
    if (failure) throw new UnexpectedResponse(`${what}: the response ${failure}.`);
    const portion = records;
    records = [];
    return portion;
  };
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new UnexpectedResponse(`${what}: the response is not in UTF-8.`);
    }
  };
  for await (const chunk of bytes) {
    const portion = read(decode(chunk));
    if (portion.length > 0) yield portion;
  }
  const rest = read(decode());
  if (rest.length > 0) yield rest;
  if (!isClosed) throw new UnexpectedResponse(`${what}: the response is incomplete.`);
}

/** The first child with that name. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((each) => each.name === name);
}

/** The trimmed text of the first child with that name; undefined when there is none or it is empty. */
export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.text.trim() || undefined;
}
