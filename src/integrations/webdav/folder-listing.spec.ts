import { type Child, FolderListing } from './folder-listing';

const full = {
  isFolder: false,
  size: 1000,
  modifiedAt: new Date('2026-11-20T10:00:00Z'),
  etag: '"5f3a2b1c-3e8"',
  fileId: '00000123oc7x',
  folders: 2,
};
const bare = {
  isFolder: true,
  size: undefined,
  modifiedAt: undefined,
  etag: undefined,
  fileId: undefined,
  folders: undefined,
};

async function* children(count: number): AsyncGenerator<Child[]> {
  for (let n = 0; n < count; n += 80) {
    yield Array.from({ length: 80 }, (_, i) => ({ name: `Rechnung ${n + i}.pdf`, properties: full }));
  }
}

describe('The listing of a folder', () => {
  it('yields the entries in the received portions', async () => {
    const portions: Child[][] = [
      [
        { name: 'Bu\u0308ro "1"\n🧾.pdf', properties: full },
        { name: '\uf7fc', properties: bare },
      ],
      [],
      [{ name: 'a.pdf', properties: { ...full, size: 0 } }],
    ];
    const listing = await FolderListing.of(
      (async function* () {
        yield* portions;
      })(),
    );
    expect([...listing.take()]).toEqual(portions);
  });

  it('of 50,000 files uses 6 MB, and no memory after it is consumed', async () => {
    const listing = await FolderListing.of(children(50_000));
    expect(listing.bytes).toBeGreaterThan(1_000_000);
    expect(listing.bytes).toBeLessThan(6_000_000);
    expect([...listing.take()].flat()).toHaveLength(50_000);
    expect(listing.bytes).toBe(0);
  });
});
