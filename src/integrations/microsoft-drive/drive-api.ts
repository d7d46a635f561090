import { SelectionNotFound, UnexpectedResponse, PermissionMissing } from '../core/source-errors';
import type { GraphClient, GraphPage } from '../shared/microsoft/graph-client';
import { type DriveItemAddress, OWN } from './fields';

const FIELDS =
  'id,name,size,file,folder,package,root,deleted,malware,remoteItem,parentReference,createdDateTime,lastModifiedDateTime,webUrl,cTag';
const LIBRARY = 'id,name,webUrl';
/** The largest pages that the API gives. */
const PAGE = 200;

interface ParentReference {
  readonly driveId?: string;
  readonly id?: string;
  /** `/drives/{id}/root:/A/B`, percent-encoded; not told with changes. */
  readonly path?: string;
}

/** A file or folder, as far as it is asked for. */
export interface DriveItem {
  readonly id: string;
  readonly name?: string;
  /** Bytes. */
  readonly size?: number;
  readonly file?: {
    readonly mimeType?: string;
    readonly hashes?: Readonly<Record<string, string | null>> | null;
  } | null;
  readonly folder?: { readonly childCount?: number } | null;
  /** OneNote notebooks: folders that are no folders. */
  readonly package?: object | null;
  readonly root?: object | null;
  readonly deleted?: object | null;
  readonly malware?: object | null;
  /** A shortcut to something in another drive. */
  readonly remoteItem?: {
    readonly id?: string;
    readonly folder?: object | null;
    readonly package?: object | null;
    readonly parentReference?: ParentReference | null;
  } | null;
  readonly parentReference?: ParentReference | null;
  readonly createdDateTime?: string;
  readonly lastModifiedDateTime?: string;
  readonly webUrl?: string;
  /** Another one once the content is. */
  readonly cTag?: string;
}

/** A document library. */
export interface Library {
  readonly id: string;
  readonly name: string;
  readonly webUrl?: string | null;
}

export interface Site {
  readonly id: string;
  readonly displayName?: string | null;
  readonly name?: string | null;
  readonly webUrl?: string | null;
}

/** What of Graph's files and sites is used. */
export class DriveApi {
  constructor(private readonly graph: GraphClient) {}

  /** The folder that a chosen value means; null when there is none, or none any more. */
  async folder(address: DriveItemAddress | typeof OWN): Promise<(DriveItem & DriveItemAddress) | null> {
    const item = await this.graph.lookUp<DriveItem>(pathOf(address), { $select: FIELDS });
    if (!item || item.deleted || item.package || (!item.folder && !item.root)) return null;
    return { ...item, driveId: driveOf(item, address) };
  }

  /** What is in a folder, page by page. */
  children(address: DriveItemAddress | typeof OWN): AsyncGenerator<readonly DriveItem[]> {
    return this.graph.list(`${pathOf(address)}/children`, { $select: FIELDS, $top: PAGE });
  }

  /** The beginning of a drive's list of changes: all that is in it now comes first. */
  everything = (driveId: string): string => `${pathOf({ driveId, id: 'root' })}/delta?$select=${FIELDS}&$top=${PAGE}`;

  /** @throws CursorInvalid when the link is no longer known */
  changes(link: string): Promise<GraphPage<DriveItem>> {
    return this.graph.delta(link);
  }

  /** SharePoint's sites, as many as are asked for. @throws PermissionMissing without the consent */
  async sites(most: number): Promise<Site[]> {
    const query = { search: '*', $select: 'id,name,displayName,webUrl', $top: PAGE };
    return this.upTo(most, this.graph.list<Site>('/v1.0/sites', query));
  }

  async libraries(siteId: string, most: number): Promise<Library[]> {
    const path = `/v1.0/sites/${encodeURIComponent(siteId)}/drives`;
    return this.upTo(most, this.graph.list<Library>(path, { $select: LIBRARY, $top: PAGE }));
  }

  library(driveId: string): Promise<Library | null> {
    return this.graph.lookUp(`/v1.0/drives/${encodeURIComponent(driveId)}`, { $select: LIBRARY });
  }

  content({ driveId, id }: DriveItemAddress) {
    return this.graph.content(`${pathOf({ driveId, id })}/content`);
  }

  private async upTo<T>(most: number, pages: AsyncIterable<readonly T[]>): Promise<T[]> {
    const all: T[] = [];
    for await (const page of pages) {
      all.push(...page);
      if (all.length >= most) break;
    }
    return all;
  }
}

/** Whether something is not there, or not for this user to see. */
export const isUnreadable = (error: unknown): error is SelectionNotFound | PermissionMissing =>
  error instanceof SelectionNotFound || error instanceof PermissionMissing;

function pathOf(address: DriveItemAddress | typeof OWN): string {
  if (address === OWN) return '/v1.0/me/drive/root';
  const drive = `/v1.0/drives/${encodeURIComponent(address.driveId)}`;
  return address.id === 'root' ? `${drive}/root` : `${drive}/items/${encodeURIComponent(address.id)}`;
}

function driveOf({ parentReference }: DriveItem, address: DriveItemAddress | typeof OWN): string {
  const driveId = parentReference?.driveId ?? (address === OWN ? undefined : address.driveId);
  if (driveId === undefined) throw new UnexpectedResponse('Microsoft Graph does not say in which drive a folder is.');
  return driveId;
}
