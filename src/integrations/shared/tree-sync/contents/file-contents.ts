import { HEAD_BYTES } from '../../../../documents/detection/mime-type';
import { documentPasswords } from '../../../core/document-passwords';
import type { Session } from '../../../core/integration';
import { addFiltered, type FilteredBy, filteredBy, NOTHING_FILTERED } from '../../../core/filter-reason';
import type { DocumentRef, Json, SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable, UnexpectedResponse } from '../../../core/source-errors';
import type { Contained } from '../../mail/contained-locator';
import { ContainerAttachments } from '../../mail/container-attachments';
import type { AttachmentLocator } from '../../mail/parts/attachments';
import { containerTypeOf, fitsEndings, saysNothing, selectedEndings } from '../selection/file-endings';
import { endingByContent } from './ending-by-content';

/** The documents that files contain, and what was read to find them. */
export interface FileContents {
  readonly documents: readonly DocumentRef[];
  readonly filteredBy: FilteredBy;
  /** The keys of files that are no documents themselves. */
  readonly readKeys: readonly string[];
}

/** Finds the documents in the files of one session that have to be opened: archives, mails, and files whose name says nothing about their type. */
export class FileOpener {
  private readonly endings: ReadonlySet<string> | null;
  private readonly archives: ContainerAttachments<AttachmentLocator>;

  constructor(
    session: Pick<Session, 'fields' | 'step2'>,
    private readonly download: (ref: DocumentRef) => Promise<SourceDocument>,
  ) {
    this.endings = selectedEndings(session.step2);
    const open = (locator: AttachmentLocator) => this.download({ ...BLANK, locator: locator['archive']! });
    // Everything in an archive is listed, so that what is not selected is counted.
    this.archives = new ContainerAttachments(
      { locatorOf, keyOf: ({ archive }) => JSON.stringify(archive), open },
      'all',
      documentPasswords(session.fields),
    );
  }

  /** Whether a listed file is to be opened before it is a document. */
  needsOpening({ filename }: DocumentRef): boolean {
    return containerTypeOf(filename, this.endings) !== undefined || (this.endings !== null && saysNothing(filename));
  }

  /** Opens one file. A container that cannot be read stays what it is: its download says why. Others are tried again by the next fetch. */
  async contentsOf(ref: DocumentRef): Promise<FileContents> {
    const container = containerTypeOf(ref.filename, this.endings);
    if (container !== undefined) return this.contentsOfContainer(ref, container);
    const head = await this.headOf(ref);
    if (!head) return { documents: [], filteredBy: filteredBy('UNREADABLE', 1), readKeys: [] };
    const ending = await endingByContent(head);
    const found = ending && containerTypeOf(`x.${ending}`, this.endings);
    if (found) return this.contentsOfContainer(ref, found);
    if (ending !== undefined && this.endings?.has(ending)) return itself(ref);
    return { documents: [], filteredBy: filteredBy('TYPE', 1), readKeys: [ref.dedupeKey] };
  }

  openContained(ref: DocumentRef, locator: Contained<AttachmentLocator>): Promise<SourceDocument> {
    return this.archives.openFile(ref, locator);
  }

  private async contentsOfContainer(ref: DocumentRef, mimeType: string): Promise<FileContents> {
    const archive: AttachmentLocator = { mimeType, archive: ref.locator };
    const extracted = await this.archives.extract([{ ...ref, locator: archive }]);
    const [only] = extracted.documents;
    // A container that cannot be opened is delivered itself.
    if (only?.dedupeKey === ref.dedupeKey) return itself(ref);
    const wanted = extracted.documents.filter(({ filename }) => fitsEndings(filename, this.endings));
    return {
      // The id of the container is not that of the files in it.
      documents: wanted.map((each) => ({ ...each, externalId: null })),
      filteredBy: addFiltered(extracted.filteredBy, filteredBy('TYPE', extracted.documents.length - wanted.length)),
      readKeys: [ref.dedupeKey],
    };
  }

  /** The beginning of a file; undefined when it cannot be read. */
  private async headOf(ref: DocumentRef): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let size = 0;
    try {
      const { stream } = await this.download(ref);
      for await (const part of stream as AsyncIterable<Buffer>) {
        parts.push(Buffer.from(part)); // the source may reuse its buffer
        size += part.length;
        if (size >= HEAD_BYTES) break;
      }
    } catch (error) {
      if (!(error instanceof DocumentUnavailable)) throw error;
      return undefined;
    }
    return Buffer.concat(parts);
  }
}

const BLANK: Omit<DocumentRef, 'locator'> = { dedupeKey: '', externalId: null, filename: '', metadata: {} };

const itself = (ref: DocumentRef): FileContents => ({ documents: [ref], filteredBy: NOTHING_FILTERED, readKeys: [] });

function locatorOf(stored: Json): AttachmentLocator {
  const value = stored as Partial<AttachmentLocator> | null;
  if (typeof value?.mimeType !== 'string' || value['archive'] === undefined) {
    throw new UnexpectedResponse('The stored reference of a file in an archive is invalid.');
  }
  return value as AttachmentLocator;
}
