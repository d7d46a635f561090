import { buffer } from 'node:stream/consumers';
import { type DriveState } from '../../../test/fakes/microsoft-graph/drive-state';
import type { FakeMicrosoftGraph } from '../../../test/fakes/microsoft-graph/fake-microsoft-graph';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import { DocumentRefused, DocumentUnavailable, Transient } from '../core/source-errors';
import { microsoftDrive } from './microsoft-drive';

let server: FakeMicrosoftGraph;
let drive: DriveState;
const account = useMicrosoft(microsoftDrive, (started) => {
  server = started;
  drive = started.files().own;
});
const { sources } = account;

describe('A download', () => {
  const opened = async (content = Buffer.alloc(300_000, 'pdf')) => {
    drive.put('a.pdf', content);
    const { documents } = await sources.list();
    return { ref: documents[0]!, session: sources.open(), content };
  };

  it('comes from another host, which does not receive the token', async () => {
    const { ref, session, content } = await opened();
    const { stream, size, mimeType } = await microsoftDrive.download(session, ref);
    expect(mimeType).toBe('application/pdf');
    expect(size).toBe(content.length);
    expect((await buffer(stream)).equals(content)).toBe(true);
  });

  it('resumes after a broken connection from a new address', async () => {
    const { ref, session, content } = await opened();
    server.downloads.cutOnceAfter = 100_000;
    const { stream } = await microsoftDrive.download(session, ref);
    expect((await buffer(stream)).equals(content)).toBe(true);
  });

  it('resumes with a new token when the old one has expired', async () => {
    const { ref, content } = await opened();
    const accessToken = (ended?: string) => {
      if (ended !== undefined) account.token = server.entra.accessToken();
      return Promise.resolve(account.token);
    };
    server.downloads.cutOnceAfter = 100_000;
    const { stream } = await microsoftDrive.download(sources.open({ accessToken }), ref);
    server.entra.expireAccessTokens();
    expect((await buffer(stream)).equals(content)).toBe(true);
  });

  it('does not resume with another file', async () => {
    const { ref, session } = await opened();
    server.downloads.cutOnceAfter = 100_000;
    const { stream } = await microsoftDrive.download(session, ref);
    drive.put('a.pdf', Buffer.alloc(200_000, 'x'));
    await expect(buffer(stream)).rejects.toThrow(Transient);
  });

  it.each([401, 403, 404])('fails alone when its address is invalid (%s)', async (status) => {
    const { ref, session } = await opened();
    server.downloads.status = status;
    const error: unknown = await microsoftDrive.download(session, ref).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: false });
  });

  it('does not follow redirects to addresses that are not allowed', async () => {
    const { ref, session } = await opened();
    for (const location of ['http://10.0.0.1/secret', 'ftp://example.com/x', 'nonsense://']) {
      server.fault = ({ pathname }) =>
        pathname.endsWith('/content') ? { status: 302, json: {}, headers: { location } } : undefined;
      await expect(microsoftDrive.download(session, ref)).rejects.toThrow(DocumentUnavailable);
    }
  });

  it('is permanently unavailable when the file was deleted or contains malware', async () => {
    const { ref, session } = await opened();
    for (const [change, expected] of [
      [{ hasMalware: true }, DocumentRefused],
      [{ isDeleted: true }, DocumentUnavailable],
    ] as const) {
      drive.change(ref.externalId!, change);
      const error: unknown = await microsoftDrive.download(session, ref).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ constructor: expected, permanent: true });
    }
  });
});
