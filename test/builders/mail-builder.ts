import { encode, type Content, type Piece, type TransferEncoding } from './mail-encoding';
import { damaged, digest, multipart, parameters, serialize, text, type Entity } from './mail-entity';
import { headerText, mailbox, nameParameters, type NameStyle, type TextStyle } from './mail-names';

export interface AttachmentSpec {
  readonly content: Content;
  readonly mimeType: string;
  /** Absent: the part has no name. */
  readonly filename?: string;
  readonly nameStyle?: NameStyle;
  /** The header fields that contain the name. Default: both. */
  readonly nameIn?: 'disposition' | 'type' | 'both';
  /** Null: no Content-Disposition. Default: attachment. */
  readonly disposition?: 'attachment' | 'inline' | null;
  /** Default: base64. */
  readonly encoding?: TransferEncoding;
  /** Without angle brackets. */
  readonly contentId?: string;
}

/**
 * - `unclosed`: the last boundary is missing
 * - `bad-base64`: base64 parts contain invalid characters
 * - `headerless`: no From, To, Subject, Date and Message-ID
 * - `truncated`: the last third of the message is missing
 */
export type Malformation = 'unclosed' | 'bad-base64' | 'headerless' | 'truncated';

/** Builds a mail. Starts with a complete one: every call changes one property. */
export function aMail(): MailBuilder {
  return new MailBuilder();
}

export class MailBuilder {
  private sender: [address: string, name?: string] = ['billing@supplier.example', 'Supplier Ltd'];
  private recipient = 'inbox@customer.example';
  private subjectText = 'Your invoice';
  private subjectStyle: TextStyle = 'rfc2047';
  private id: string | null | undefined;
  private sent: Date | null = new Date('2026-03-02T09:30:00Z');
  private readonly extra: string[] = [];
  private plain?: string;
  private hypertext?: string;
  private readonly related: Entity[] = [];
  private readonly parts: Entity[] = [];
  private unwrapped = false;
  private readonly faults = new Set<Malformation>();

  from(address: string, name?: string): this {
    this.sender = [address, name];
    return this;
  }

  to(address: string): this {
    this.recipient = address;
    return this;
  }

  subject(text: string, style: TextStyle = 'rfc2047'): this {
    [this.subjectText, this.subjectStyle] = [text, style];
    return this;
  }

  /** With its angle brackets; null omits the field. Default: derived from the mail's content. */
  messageId(id: string | null): this {
    this.id = id;
    return this;
  }

  /** Null omits the field. */
  date(date: Date | string | null): this {
    this.sent = date === null ? null : new Date(date);
    return this;
  }

  /** Any other field of the header, in ASCII. */
  header(name: string, value: string): this {
    this.extra.push(`${name}: ${value}`);
    return this;
  }

  text(text: string): this {
    this.plain = text;
    return this;
  }

  html(html: string): this {
    this.hypertext = html;
    return this;
  }

  attach(spec: AttachmentSpec): this {
    this.parts.push(this.attachment(spec));
    return this;
  }

  /** A part of the HTML text: multipart/related, referenced by its content id. */
  inline(spec: AttachmentSpec): this {
    this.related.push(this.attachment({ disposition: 'inline', ...spec }));
    return this;
  }

  /** The other mail as a message/rfc822 part. */
  forward(mail: MailBuilder, filename?: string): this {
    const header = ['Content-Type: message/rfc822'];
    if (filename) header.push(parameters('Content-Disposition: attachment', nameParameters('filename', filename)));
    this.parts.push({ header, body: mail.pieces() });
    return this;
  }

  /** A multipart part with the contents (not the headers) of other mails. */
  multipart(subtype: string, ...contents: MailBuilder[]): this {
    this.parts.push(
      multipart(
        subtype,
        contents.map((mail) => mail.content()),
      ),
    );
    return this;
  }

  /** A mail of one part is not wrapped into a multipart. */
  bare(): this {
    this.unwrapped = true;
    return this;
  }

  malformed(...faults: Malformation[]): this {
    for (const fault of faults) this.faults.add(fault);
    return this;
  }

  /** The message (RFC 5322). Throws when it has lazy attachments, which require `pieces`. */
  build(): Buffer {
    const pieces = this.pieces().map((piece) => {
      if (!Buffer.isBuffer(piece)) throw new Error('The mail has lazy bytes; use pieces()');
      return piece;
    });
    return Buffer.concat(pieces);
  }

  /** The message in pieces, as the fake IMAP server accepts it; lazy attachments stay lazy. */
  pieces(): Piece[] {
    const content = this.content();
    const id = this.id === undefined ? `<${digest(content)}@supplier.example>` : this.id;
    const fields = [
      `From: ${mailbox(...this.sender)}`,
      `To: ${this.recipient}`,
      `Subject: ${headerText(this.subjectText, this.subjectStyle)}`,
      ...(this.sent ? [`Date: ${this.sent.toUTCString().replace('GMT', '+0000')}`] : []),
      ...(id === null ? [] : [`Message-ID: ${id}`]),
    ];
    const header = [...(this.faults.has('headerless') ? [] : fields), ...this.extra, 'MIME-Version: 1.0'];
    const pieces = serialize({ header: [...header, ...content.header], body: content.body });
    if (!this.faults.has('truncated')) return pieces;
    const whole = Buffer.concat(pieces.filter((piece) => Buffer.isBuffer(piece)));
    return [whole.subarray(0, Math.floor((whole.length * 2) / 3))];
  }

  private content(): Entity {
    const alternatives: Entity[] = [];
    if (this.plain !== undefined || (this.hypertext === undefined && !this.unwrapped)) {
      alternatives.push(text('plain', this.plain ?? 'Please find the document attached.'));
    }
    if (this.hypertext !== undefined) {
      const html = text('html', this.hypertext);
      alternatives.push(this.related.length > 0 ? multipart('related', [html, ...this.related]) : html);
    }
    const body = alternatives.length > 1 ? multipart('alternative', alternatives) : alternatives[0];
    const loose = this.hypertext === undefined ? this.related : [];
    const parts = [...(body ? [body] : []), ...loose, ...this.parts];
    const single = parts.length === 1 && (this.unwrapped || parts[0] === body);
    return single ? parts[0]! : multipart('mixed', parts, !this.faults.has('unclosed'));
  }

  private attachment(spec: AttachmentSpec): Entity {
    const { filename, nameStyle, nameIn = 'both', disposition = 'attachment', encoding = 'base64' } = spec;
    const named = (key: string, place: string) =>
      filename !== undefined && (nameIn === 'both' || nameIn === place) ? nameParameters(key, filename, nameStyle) : [];
    const header = [
      parameters(`Content-Type: ${spec.mimeType}`, named('name', 'type')),
      `Content-Transfer-Encoding: ${encoding}`,
    ];
    if (spec.contentId) header.push(`Content-ID: <${spec.contentId}>`);
    if (disposition) header.push(parameters(`Content-Disposition: ${disposition}`, named('filename', 'disposition')));
    // The malformations of a mail are known only when it is built.
    const { faults } = this;
    return {
      header,
      get body() {
        const piece = encode(spec.content, encoding);
        return [faults.has('bad-base64') && encoding === 'base64' ? damaged(piece) : piece];
      },
    };
  }
}
