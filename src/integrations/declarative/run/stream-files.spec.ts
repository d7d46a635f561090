import { useDeclaredProvider } from '../../../../test/harness/declarative/declared-provider';

const provider = useDeclaredProvider();

describe('A stream', () => {
  it('has the files of a record: attachments, and renditions of an invoice', async () => {
    const attached = provider.declare({
      'streams.invoice.children': { get: '/invoices/{$id}/files', items: 'files', id: 'id', filename: 'name' },
      'streams.invoice.document': { get: '/files/{$child}', format: 'any' },
    });
    provider.server.answer = ({ path }) =>
      path === '/invoices'
        ? { body: { data: [{ id: 1 }] } }
        : { body: { files: [{ id: 'a', name: 'Scan.png' }, { id: 'b' }] } };
    const files = await provider.listed(attached);
    expect(files.documents.map(({ externalId, filename }) => [externalId, filename])).toEqual([
      ['1/a', 'Scan.png'],
      ['1/b', '1 b'],
    ]);

    const both = provider.declare({
      'streams.invoice.document': [
        { name: 'xml', get: '/invoices/{$id}/xml', format: 'xml', when: 'e_invoice' },
        { name: 'pdf', get: '/invoices/{$id}/pdf', rendition_of: 'xml' },
      ],
    });
    provider.server.answer = () => ({
      body: {
        data: [
          { id: 1, number: 'R 1', e_invoice: true },
          { id: 2, e_invoice: false },
        ],
      },
    });
    const { documents } = await provider.listed(both);
    expect(documents.map(({ externalId, filename }) => [externalId, filename])).toEqual([
      ['1/xml', 'R 1.xml'],
      ['1/pdf', 'R 1.pdf'],
      ['2/pdf', '2.pdf'],
    ]);
    expect(documents[1]!.renditionOf).toEqual([documents[0]]);
    expect(documents[2]!.renditionOf).toBeUndefined();
  });

  it.each(['file', 7])('has the only file that a record names: %j', async (file) => {
    const integration = provider.declare({
      'streams.invoice.children': { items: 'file', id: '.' },
      'streams.invoice.document': { get: '/files/{$child}' },
    });
    provider.server.answer = () => ({
      body: {
        data: [
          { id: 1, file },
          { id: 2, file: null },
        ],
      },
    });
    expect((await provider.listed(integration)).ids).toEqual([`1/${file}`]);
  });

  it('has only the attached files that are documents, e-invoices before what may be their renditions', async () => {
    const integration = provider.declare({
      'streams.invoice.children': { items: 'files', id: 'id', when: 'kind=pdf,xml', e_invoice: 'kind=xml' },
      'streams.invoice.document': { get: '/files/{$child}', format: 'any' },
    });
    const files = ['log', 'pdf', 'xml', 'pdf'].map((kind, n) => ({ id: n, kind }));
    provider.server.answer = () => ({
      body: {
        data: [
          { id: 1, files },
          { id: 2, files: files.slice(0, 2) },
        ],
      },
    });
    const { documents, ids: found } = await provider.listed(integration);
    expect(found).toEqual(['1/2', '1/1', '1/3', '2/1']);
    const [xml, first, second, other] = documents;
    expect([xml!.renditionOf, first!.renditionOf, second!.renditionOf, other!.renditionOf]).toEqual([
      undefined,
      [xml],
      [xml],
      undefined,
    ]);
  });
});
