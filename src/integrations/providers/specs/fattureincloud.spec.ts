import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { DocumentUnavailable } from '../../core/source-errors';

const fatture = useDeclaredFake('fattureincloud');

describe('The documents of a company in Fatture in Cloud', () => {
  it('are issued and received ones of every type, with their amounts', async () => {
    for (let n = 0; n < 5; n++) fatture.account.add(`2026-03-0${n + 1}`);
    const { documents } = await fatture.list();
    expect(documents.map(({ externalId, documentType }) => [externalId, documentType])).toEqual([
      ['issued_documents/5000/pdf', 'invoice'],
      ['issued_documents/5001/pdf', 'credit_note'],
      ['issued_documents/5002/pdf', 'receipt'],
      ['received_documents/5003', 'invoice'],
      ['received_documents/5004', 'credit_note'],
    ]);
    const amounts = { currency: 'EUR', amount: '122.00', amount_net: '100.00', amount_tax: '22.00' };
    const party = { name: 'Müller S.r.l.', vat_id: 'IT01234567890', tax_number: '01234567890' };
    const source = { kind: 'accounting' };
    expect(documents[0]!.metadata).toEqual({
      ...amounts,
      number: '0/A',
      date: '2026-03-01',
      due_date: '2026-03-01',
      customer: party,
      source,
    });
    expect(documents[3]!.metadata).toMatchObject({ ...amounts, number: 'F3', date: '2026-03-04', supplier: party });
  });

  it('are XML with a PDF of it when they are e-invoices', async () => {
    fatture.account.add('2026-03-01', { e_invoice: true });
    const { documents } = await fatture.list();
    expect(documents.map(({ externalId, filename }) => [externalId, filename])).toEqual([
      ['issued_documents/5000/xml', '0/A.xml'],
      ['issued_documents/5000/pdf', '0/A.pdf'],
    ]);
    expect(documents[1]!.renditionOf).toEqual([documents[0]]);
    fatture.takeRequests();
    for (const document of documents) expect((await fatture.read(document)).length).toBeGreaterThan(0);
    expect(fatture.takeRequests()).toEqual([
      'GET /c/12346/issued_documents/5000/e_invoice/xml',
      expect.stringMatching(/^GET \/c\/12346\/issued_documents\/5000\?fields=.*,url$/),
    ]);
    expect(fatture.server.downloads).toHaveLength(1);
    fatture.server.fault = () => ({ status: 422, json: { error: { message: 'Not sent.' } } });
    await expect(fatture.read(documents[0]!)).rejects.toThrow(DocumentUnavailable);
  });

  it('have a file: a received one without is fetched when it gets one', async () => {
    fatture.server.declaration.others!(fatture.account);
    const first = await fatture.list();
    expect(first.keys).toEqual([]);
    delete fatture.account.entries[0]!.record['attachment_url'];
    const { documents } = await fatture.listFrom(first);
    expect(documents.map(({ externalId }) => externalId)).toEqual(['received_documents/1']);
  });

  it('are listed by type and page, in the selected kinds', async () => {
    for (let n = 0; n < 505; n++) fatture.account.add('2026-03-01');
    const step2 = { company: ['12346'], kinds: ['invoice'] };
    expect((await fatture.list({ step2, startdate: '2026-03-01' })).keys).toHaveLength(101);
    const fields = 'id,type,number,numeration,date,next_due_date,currency,amount_net,amount_vat,amount_gross,entity';
    const list = (page: number) =>
      `GET /c/12346/issued_documents?type=invoice&per_page=100&page=${page}&fields=${fields},e_invoice,url`;
    expect(fatture.takeRequests()).toEqual([list(1), list(2)]);
  });

  it('belong to the user who has authorized', async () => {
    expect(await fatture.check()).toEqual({ id: '1', display: 'Mario Müller' });
  });
});
