import { DOCUMENT, ROOT } from '../../../test/fakes/google-drive/drive-state';
import { refused } from '../../../test/fakes/google/answers';
import { DiscoveryValidator } from '../../../test/fakes/google/discovery';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { useGoogleDrive } from '../../../test/harness/connectors/use-google-drive';
import type { Json } from '../core/source-document';
import {
  AuthorizationRevoked,
  ClientRefused,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  RateLimited,
  SelectionNotFound,
  Transient,
  UnexpectedResponse,
} from '../core/source-errors';
import { googleDrive } from './google-drive';

const account = useGoogleDrive();

describe('The list of changes', () => {
  it.each([400, 404, 410])('is restarted when Google rejects the stored token with %i', async (status) => {
    account.drive.put('a.pdf', '%PDF a');
    const first = await account.listed();
    account.server.fault = ({ path, query }) =>
      path.endsWith('/changes') && query.has('pageToken')
        ? { answer: refused(status, 'pageTokenNotAvailable') }
        : undefined;
    expect((await account.listed({}, first.cursor)).error).toBeInstanceOf(CursorInvalid);
  });

  it('that has expired is replaced by a full listing with the same keys', async () => {
    account.drive.put('a.pdf', '%PDF a');
    const first = await account.listed();
    account.drive.put('b.pdf', '%PDF b');
    account.drive.invalidateCursors();
    expect((await account.listed({}, first.cursor)).error).toBeInstanceOf(CursorInvalid);
    const second = await account.listed({ known: first.keys });
    expect(second.paths).toEqual(['b.pdf']);
  });

  it('continues from a cursor without shortcuts', async () => {
    account.drive.put('a.pdf', '%PDF a');
    const { links: _, ...old } = (await account.listed()).cursor as Record<string, Json>;
    account.drive.shortcut('', account.drive.shared('b.pdf', '%PDF b'));
    expect((await account.listed({}, old)).paths).toEqual(['b.pdf']);
  });
});

describe('A file', () => {
  it('that Google does not export or deliver is a failure of that document', async () => {
    account.drive.put('Brief', Buffer.alloc(11 * 1024 * 1024, 'x'), { mimeType: DOCUMENT });
    account.drive.put('a.pdf', '%PDF a');
    const { documents } = await account.listed();
    const [letter, file] = ['Brief.pdf', 'a.pdf'].map((name) => documents.find((ref) => ref.filename === name)!);
    expect(await rejectionOf(account.read(letter!))).toBeInstanceOf(DocumentRefused);
    expect((await account.read(file!)).toString()).toBe('%PDF a');
    for (const [status, reason, expected] of [
      [403, 'cannotDownloadAbusiveFile', DocumentRefused],
      [403, 'cannotDownloadFile', DocumentRefused],
      [403, 'downloadQuotaExceeded', DocumentUnavailable],
      [403, 'insufficientFilePermissions', DocumentUnavailable],
      [404, 'notFound', DocumentUnavailable],
      [403, 'userRateLimitExceeded', RateLimited],
      [403, 'insufficientPermissions', AuthorizationRevoked],
      [500, 'backendError', Transient],
    ] as const) {
      account.server.fault = ({ query }) =>
        query.get('alt') === 'media' ? { answer: refused(status, reason) } : undefined;
      expect([reason, await rejectionOf(account.read(file!))]).toEqual([reason, expect.any(expected)]);
    }
  });

  it('that was changed since the listing fails', async () => {
    const item = account.drive.put('a.pdf', '%PDF a');
    const { documents } = await account.listed();
    account.drive.change(item.id, { content: Buffer.from('%PDF other') });
    expect(await rejectionOf(account.read(documents[0]!))).toBeInstanceOf(DocumentUnavailable);
  });
});

describe('An error response of Google Drive', () => {
  it.each([
    [403, 'userRateLimitExceeded', RateLimited],
    [403, 'rateLimitExceeded', RateLimited],
    [403, 'dailyLimitExceeded', RateLimited],
    [429, 'rateLimitExceeded', RateLimited],
    [403, 'insufficientPermissions', AuthorizationRevoked],
    [403, 'domainPolicy', AuthorizationRevoked],
    [403, 'appNotAuthorizedToFile', AuthorizationRevoked],
    [403, 'accessNotConfigured', ClientRefused],
    [403, 'forbidden', SelectionNotFound],
    [404, 'notFound', SelectionNotFound],
    [400, 'badRequest', UnexpectedResponse],
    [503, 'backendError', Transient],
  ])('with %i %s is classified', async (status, reason, expected) => {
    account.server.fault = () => ({ answer: refused(status, reason) });
    expect(await rejectionOf(googleDrive.check(account.session()))).toBeInstanceOf(expected);
    expect((await account.listed()).error).toBeInstanceOf(expected);
  });

  it('for a selected folder is reported after all others are processed', async () => {
    account.drive.put('a.pdf', '%PDF a');
    const { paths, error } = await account.listed({ folders: ['no such folder', ROOT] });
    expect([paths, error]).toEqual([['a.pdf'], expect.any(SelectionNotFound)]);
  });
});

describe('The fake of Google Drive', () => {
  const isDescribed = DiscoveryValidator.find('google-account.drive.v3.discovery.json') !== null;

  (isDescribed ? it : it.skip)('is held against Google’s own description (skipped: no description here)', async () => {
    await fetch(`${account.server.url}/drive/v3/files?pageSizes=5`, {
      headers: { authorization: `Bearer ${account.server.authorization.tokens().access_token}` },
    });
    expect(account.server.violations.splice(0)).toEqual(['files: no parameter pageSizes']);
  });
});
