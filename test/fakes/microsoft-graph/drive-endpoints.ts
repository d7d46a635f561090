import { type GraphRequest, changed, type GraphAnswer, listed, refused, selected } from './answers';
import { type DriveState, type Item, itemResource } from './drive-state';

export interface FakeSite {
  readonly id: string;
  readonly displayName: string;
  readonly libraries: readonly DriveState[];
}

/** The files that one user sees. */
export interface Files {
  readonly own: DriveState;
  /** Drives of other users that contain shared items. */
  readonly others: DriveState[];
  readonly sites: FakeSite[];
}

const ITEM = 'graph.driveItem';

/** The used methods of Graph's files and sites. */
export function filesAnswer(files: Files, asked: GraphRequest): GraphAnswer {
  const { pathname } = asked.url;
  if (!asked.scopes.includes('Files.Read.All')) return refused(403, 'accessDenied');
  if (pathname.startsWith('/v1.0/sites')) return sitesAnswer(files, asked);
  const [, own, other, rest = ''] = /^\/v1\.0\/(?:(me\/drive)|drives\/([^/]+))(\/.+)?$/.exec(pathname) ?? [];
  const libraries = files.sites.flatMap((site) => site.libraries);
  const id = decodeURIComponent(other ?? '');
  const drive = own ? files.own : [files.own, ...files.others, ...libraries].find((each) => each.id === id);
  if (!drive) return id.startsWith('b!') ? refused(404, 'itemNotFound') : refused(400, 'invalidRequest');
  if (rest === '') return driveAnswer(drive, asked);
  const [, root, item = '', tail] = /^\/(?:(root)|items\/([^/]+))(?:\/(children|content|delta))?$/.exec(rest) ?? [];
  if (drive.isClosed && root) return refused(403, 'accessDenied');
  const found = root ? drive.root : drive.items.get(decodeURIComponent(item));
  if (!found || found.isDeleted) return refused(404, 'itemNotFound');
  if (tail === 'delta') return root ? deltaAnswer(drive, asked) : refused(400, 'invalidRequest');
  return itemAnswer(drive, found, tail, asked);
}

function sitesAnswer({ sites }: Files, asked: GraphRequest): GraphAnswer {
  if (!asked.scopes.includes('Sites.Read.All')) return refused(403, 'accessDenied');
  const [, id] = /^\/v1\.0\/sites\/([^/]+)\/drives$/.exec(asked.url.pathname) ?? [];
  if (id !== undefined) {
    const site = sites.find((each) => each.id === decodeURIComponent(id));
    if (!site) return refused(404, 'itemNotFound');
    return listed(asked, 'graph.drive', site.libraries.map(driveResource));
  }
  // Without a search only the root site would be listed.
  if (asked.url.searchParams.get('search') !== '*') return refused(400, 'invalidRequest');
  const all = sites.map((site) => ({
    id: site.id,
    name: site.displayName,
    displayName: site.displayName,
    webUrl: `https://contoso.sharepoint.com/sites/${encodeURIComponent(site.displayName)}`,
  }));
  return listed(asked, 'graph.site', all);
}

const driveResource = ({ id, name, driveType, webUrl }: DriveState) => ({ id, name, driveType, webUrl });

function driveAnswer(drive: DriveState, { url }: GraphRequest): GraphAnswer {
  const json = selected(driveResource(drive), url.searchParams.get('$select'));
  return { status: 200, type: 'graph.drive', json };
}

function itemAnswer(drive: DriveState, item: Item, tail: string | undefined, asked: GraphRequest): GraphAnswer {
  if (tail === 'children') {
    const children = drive.childrenOf(item.id).map((child) => itemResource(drive, child, false));
    return listed(asked, ITEM, children);
  }
  if (tail !== 'content') {
    const json = selected(itemResource(drive, item, false), asked.url.searchParams.get('$select'));
    return { status: 200, type: ITEM, json };
  }
  if (item.hasMalware) return refused(403, 'malwareDetected');
  return item.content === null ? refused(404, 'itemNotFound') : { redirect: item.content };
}

function deltaAnswer(drive: DriveState, asked: GraphRequest): GraphAnswer {
  const query = asked.url.searchParams;
  const size = Math.min(asked.page, Number(query.get('$top') ?? 200));
  const part = drive.delta(query.get('token'), query.get('$select'), size);
  if (!part) return refused(410, 'resyncChangesApplyDifferences', { location: `${asked.base}${asked.url.pathname}` });
  const value = part.items.map((item) => selected(itemResource(drive, item, true), part.select));
  return changed(asked, ITEM, { ...part, value }, { next: 'token', delta: 'token' });
}
