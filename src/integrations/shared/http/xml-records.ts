import { type QualifiedTag, SAXParser } from 'sax';
import { UnexpectedResponse } from '../../core/source-errors';

/** An element with what is in it. Names are without prefixes. */
export interface XmlElement {
  readonly name: string;
  /** Its namespace; empty when it has none. */
  readonly uri: string;
  /** Its own text, without that of the elements in it. */
  text: string;
  readonly children: XmlElement[];
}

/** One record, and one start tag with all its attributes, is never longer than that. */
const MAX_RECORD_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 32;

/**
 * The elements directly below the root, in portions, as they arrive: a listing of any length needs no more memory than what
 * is being read. Document types are refused, and with them every entity but the five of XML. Throws `UnexpectedResponse` for
 * what is no XML in UTF-8 with such a root, and passes on what `bytes` throws.
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
  parser.onerror = () => (failure ??= 'is no XML');
  parser.onopentag = (tag) => {
    const { local: name, uri } = tag as QualifiedTag;
    const element: XmlElement = { name, uri, text: '', children: [] };
    if (open.length === 0 && (isClosed || name !== root)) failure ??= `is not <${root}>`;
    if (open.length >= MAX_DEPTH) failure ??= 'is too deep';
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
    // What stands between records is white space.
    if (element && open.length > 1) element.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;

  const read = (text: string): XmlElement[] => {
    sinceRecord += text.length;
    if (!failure) parser.write(text);
    if (sinceRecord > MAX_RECORD_CHARACTERS) failure ??= 'has a record without an end';
    if (failure) throw new UnexpectedResponse(`${what}: the answer ${failure}.`);
    const portion = records;
    records = [];
    return portion;
  };
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new UnexpectedResponse(`${what}: the answer is not in UTF-8.`);
    }
  };
  for await (const chunk of bytes) {
    const portion = read(decode(chunk));
    if (portion.length > 0) yield portion;
  }
  const rest = read(decode());
  if (rest.length > 0) yield rest;
  if (!isClosed) throw new UnexpectedResponse(`${what}: the answer has no end.`);
}

/** The first element of that name below another. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((each) => each.name === name);
}

/** The text of the first element of that name below another, without white space around it; undefined when there is none, or it is empty. */
export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.text.trim() || undefined;
}
