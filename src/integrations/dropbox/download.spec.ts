import { buffer } from 'node:stream/consumers';
import { type DropboxAnswer, refused, tooMany } from '../../../test/fakes/dropbox/dropbox-endpoints';
import type { DropboxState } from '../../../test/fakes/dropbox/dropbox-state';
import { FakeDropbox, type Request } from '../../../test/fakes/dropbox/fake-dropbox';
import { OAuthSessions } from '../../../test/harness/connectors/oauth-sessions';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { DocumentRefused, DocumentUnavailable } from '../core/source-errors';
import { dropbox } from './dropbox';

let server: FakeDropbox;
let files: DropboxState;
let sessions: OAuthSessions;
const session: OAuthSessions['open'] = (...given) => sessions.open(...given);
const fetched: OAuthSessions['fetched'] = (...given) => sessions.fetched(...given);
const asked = (route: string): Request[] => server.requests.filter((request) => request.route === route);

beforeEach(async () => {
  server = await FakeDropbox.start();
  files = server.files();
  sessions = new OAuthSessions(dropbox, server);
});
afterEach(async () => {
  await sessions.close();
  await server.stop();
  expect(server.violations).toEqual([]);
});

describe('The content of a Dropbox', () => {
  const first = async (step2: Record<string, unknown> = {}) => (await fetched(session(step2))).documents[0]!;

  it('is resumed when the connection breaks or the token expires, and its hash verified', async () => {
    const content = Buffer.alloc(9_000_000, 'Inhalt ');
    files.put('groß.pdf', content);
    const ref = await first();
    let cut = false;
    server.fault = ({ route }) => {
      if (route !== 'files/download' || cut) return undefined;
      cut = true;
      server.authorization.expireAccessTokens();
      return { cutAfter: 5_000_000 };
    };
    const { stream, size } = await dropbox.download(session(), ref);
    expect(size).toBe(content.length);
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(asked('files/download').some(({ range }) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
  });

  it('fails when it is not the listed version', async () => {
    files.put('a.pdf', '%PDF first');
    const ref = await first();
    files.put('a.pdf', '%PDF other');
    const { stream } = await dropbox.download(session(), ref);
    expect(await rejectionOf(buffer(stream))).toMatchObject({ permanent: true });
    expect((await fetched()).names).toEqual(['a.pdf']);
  });

  it('is exported in the preferred format when it cannot be downloaded directly', async () => {
    files.put('Brief.paper', 'Liebe Grüße', { exports: { export_as: 'html', export_options: ['markdown'] } });
    files.put('Tabelle.gsheet', 'a;b', { exports: { export_as: 'xlsx', export_options: ['pdf'] } });
    files.put('Wer weiß.web', 'x', { exports: { export_as: 'url' } });
    expect(await fetched(session())).toMatchObject({ documents: [], filteredBy: { TYPE: 3 } });
    const { documents } = await fetched(session({ file_types: ['dropbox_paper'] }));
    const read = await Promise.all(
      documents.map(async (ref) => {
        const { stream, filename, mimeType } = await dropbox.download(session(), ref);
        return [filename, mimeType, (await buffer(stream)).toString()];
      }),
    );
    expect(read).toEqual([
      ['Brief.html', 'text/html', 'exported as html: Liebe Grüße'],
      ['Tabelle.pdf', 'application/pdf', 'exported as pdf: a;b'],
    ]);
  });

  it('that is unavailable does not affect other documents', async () => {
    files.put('a.pdf', '%PDF a');
    const ref = await first();
    const cases: [DropboxAnswer, unknown][] = [
      [refused(409, 'path/not_found'), { permanent: true }],
      [refused(409, 'path/restricted_content'), { constructor: DocumentRefused }],
      [refused(409, 'unsupported_file'), { constructor: DocumentRefused }],
      [refused(409, 'path/locked'), { permanent: false }],
      [refused(403, 'team_access_denied'), { permanent: false }],
      [tooMany(5), { retryAfterSeconds: 5 }],
    ];
    for (const [answer, expected] of cases) {
      server.fault = ({ route }) => (route === 'files/download' ? { answer } : undefined);
      const error = await rejectionOf(dropbox.download(session(), ref));
      expect([answer, error]).toEqual([answer, expect.objectContaining(expected as object)]);
      if (answer.status !== 429) expect(error).toBeInstanceOf(DocumentUnavailable);
    }
  });
});
