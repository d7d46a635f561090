import { changed } from '../../../../../test/samples/e-invoices/sample';
import { variant } from '../../../../../test/samples/e-invoices/validation/variants';
import { validateInvoice } from '../validate-invoice';

const formatErrors = (xml: string) =>
  validateInvoice(Buffer.from(xml), 'urn:cen.eu:en16931:2017')!
    .findings.filter((finding) => finding.class === 'FORMAT')
    .map(({ rule, path, sentence }) => [rule, path, sentence.values?.name ?? '']);

const PARTY = '/Invoice/cac:AccountingSupplierParty/cac:Party';
const AGREEMENT = '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement';

describe('comparing an invoice with the schema of its syntax', () => {
  it.each(['ubl-full', 'cii-full'])('finds nothing in %s', (sample) => {
    expect(formatErrors(variant(sample).xml)).toEqual([]);
  });

  it.each<[what: string, sample: string, part: string, replacement: string, found: string[][]]>([
    [
      'an element that the schema does not know',
      'ubl-full',
      '<cbc:BuyerReference>',
      '<cbc:Mood>red</cbc:Mood><cbc:BuyerReference>',
      [['FORMAT-UNKNOWN', '/Invoice/cbc:Mood', '']],
    ],
    [
      'an element of another namespace',
      'ubl-full',
      '<cbc:BuyerReference>',
      '<x:A xmlns:x="urn:x"/><cbc:BuyerReference>',
      [['FORMAT-UNKNOWN', '/Invoice/x:A', '']],
    ],
    [
      'an element in the wrong order',
      'ubl-full',
      '<cbc:DueDate>2026-12-02</cbc:DueDate>\n  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>',
      '<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DueDate>2026-12-02</cbc:DueDate>',
      [['FORMAT-ORDER', '/Invoice/cbc:DueDate', '']],
    ],
    [
      'an element twice that no rule reads',
      'ubl-full',
      '<cbc:AccountingCost>4400</cbc:AccountingCost>',
      '<cbc:AccountingCost>4400</cbc:AccountingCost><cbc:AccountingCost>1</cbc:AccountingCost>',
      [['FORMAT-REPEATED', '/Invoice/cbc:AccountingCost[2]', '']],
    ],
    [
      'an element without its required child',
      'cii-full',
      '<ram:IssuerAssignedID>O-1</ram:IssuerAssignedID>',
      '<ram:IssuerAssignedID>O-1</ram:IssuerAssignedID><ram:FormattedIssueDateTime/>',
      [
        ['FORMAT-ORDER', `${AGREEMENT}/ram:AdditionalReferencedDocument[3]/ram:TypeCode`, ''],
        [
          'FORMAT-MISSING',
          `${AGREEMENT}/ram:AdditionalReferencedDocument[3]/ram:FormattedIssueDateTime`,
          'DateTimeString',
        ],
      ],
    ],
    [
      'text between elements',
      'ubl-full',
      '<cac:PartyName><cbc:Name>Mühle<',
      '<cac:PartyName>Mühle<cbc:Name>Mühle<',
      [['FORMAT-TEXT', `${PARTY}/cac:PartyName`, '']],
    ],
    [
      'an attribute that the schema does not allow',
      'ubl-full',
      '<cbc:CityName>Würzburg<',
      '<cbc:CityName schemeID="X">Würzburg<',
      [['FORMAT-ATTRIBUTE', `${PARTY}/cac:PostalAddress/cbc:CityName`, 'schemeID']],
    ],
    [
      'an amount without its currency',
      'ubl-full',
      '<cbc:PrepaidAmount currencyID="EUR">',
      '<cbc:PrepaidAmount>',
      [['FORMAT-ATTRIBUTE', '/Invoice/cac:LegalMonetaryTotal/cbc:PrepaidAmount', 'currencyID']],
    ],
    [
      'a date that no rule calculates with',
      'ubl-full',
      '<cbc:DueDate>2026-12-02<',
      '<cbc:DueDate>02.12.2026<',
      [['FORMAT-DATE', '/Invoice/cbc:DueDate', '']],
    ],
    [
      'an attachment that is not encoded',
      'ubl-full',
      '>YTti<',
      '>a;b<',
      [
        [
          'FORMAT-BINARY',
          '/Invoice/cac:AdditionalDocumentReference[3]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject',
          '',
        ],
      ],
    ],
  ])('finds %s', (_what, sample, part, replacement, found) => {
    expect(formatErrors(changed(variant(sample).xml, part, replacement))).toEqual(found);
  });

  it('does not look into elements that EN 16931 does not use', () => {
    const extensions =
      '<ext:UBLExtensions xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><any/></ext:UBLExtensions>';
    const xml = changed(variant('ubl-full').xml, '<cbc:CustomizationID>', `${extensions}<cbc:CustomizationID>`);
    expect(formatErrors(xml)).toEqual([]);
  });
});
