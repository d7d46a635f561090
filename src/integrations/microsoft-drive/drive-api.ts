import { SelectionNotFound, UnexpectedResponse, PermissionMissing } from '../core/source-errors';
import type { GraphClient, GraphPage } from '../shared/microsoft/graph-client';
import { type DriveItemAddress, OWN } from './fields';

const FIELDS =
  'id,name,size,file,folder,package,root,deleted,malware,remoteItem,parentReference,createdDateTime,lastModifiedDateTime,webUrl,cTag';
const LIBRARY = 'id,name,webUrl';
/** The page size. */
const PAGE = 200;

interface ParentReference {
  readonly driveId?: string;
  readonly id?: string;
  /** `/drives/{id}/root:/A/B`, percent-encoded; missing in changes. */
  readonly path?: string;
}

/** The requested fields of a file or folder. */
export interface DriveItem {
  readonly id: string;
  readonly name?: string;
  /** The size in bytes. */
  readonly size?: number;
  readonly file?: {
    readonly mimeType?: string;
    readonly hashes?: Readonly<Record<string, string | null>> | null;
  } | null;
  readonly folder?: { readonly childCount?: number } | null;
  /** Set for OneNote notebooks, which are listed like folders. */
  readonly package?: object | null;
  readonly root?: object | null;
  readonly deleted?: object | null;
  readonly malware?: object | null;
  /** The target of a shortcut to another drive. */
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
  /** Changes with the content. */
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

/** The used part of Graph's files and sites API. */
export class DriveApi {
  constructor(private readonly graph: GraphClient) {}

  /** The folder at an address; null when it does not exist. */
  async folder(address: DriveItemAddress | typeof OWN): Promise<(DriveItem & DriveItemAddress) | null> {
    const item = await this.graph.lookUp<DriveItem>(pathOf(address), { $select: FIELDS });
    if (!item || item.deleted || item.package || (!item.folder && !item.root)) return null;
    return { ...item, driveId: driveOf(item, address) };
  }

  /** The entries of a folder, page by page. */
  children(address: DriveItemAddress | typeof OWN): AsyncGenerator<readonly DriveItem[]> {
    return this.graph.list(`${pathOf(address)}/children`, { $select: FIELDS, $top: PAGE });
  }

  /** The link to the beginning of a drive's change list, which starts with all current items. */
  everything = (driveId: string): string => `${pathOf({ driveId, id: 'root' })}/delta?$select=${FIELDS}&$top=${PAGE}`;

  /** @throws CursorInvalid when the link has expired */
  changes(link: string): Promise<GraphPage<DriveItem>> {
    return this.graph.delta(link);
  }

  /** SharePoint sites, up to `max`. @throws PermissionMissing without consent */
  async sites(max: number): Promise<Site[]> {
    const query = { search: '*', $select: 'id,name,displayName,webUrl', $top: PAGE };
    return this.upTo(max, this.graph.list<Site>('/v1.0/sites', query));
  }

  async libraries(siteId: string, max: number): Promise<Library[]> {
    const path = `/v1.0/sites/${encodeURIComponent(siteId)}/drives`;
    return this.upTo(max, this.graph.list<Library>(path, { $select: LIBRARY, $top: PAGE }));
  }

  library(driveId: string): Promise<Library | null> {
    return this.graph.lookUp(`/v1.0/drives/${encodeURIComponent(driveId)}`, { $select: LIBRARY });
  }

  content({ driveId, id }: DriveItemAddress) {
    return this.graph.content(`${pathOf({ driveId, id })}/content`);
  }

  private async upTo<T>(max: number, pages: AsyncIterable<readonly T[]>): Promise<T[]> {
    const all: T[] = [];
    for await (const page of pages) {
      all.push(...page);
      if (all.length >= max) break;
    }
    return all;
  }
}

/** Whether the error means that an item does not exist or the user has no access. */
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
