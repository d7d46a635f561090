// cspell:ignore Foretaksregisteret Godkänd skatt PLUSGIRO EINDAGI INVOICE
type Part = readonly [part: string, replacement: string];

const BILLING = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';

const sellerIn = (country: string): Part => [
  '<cbc:Line>Tor 2</cbc:Line></cac:AddressLine><cac:Country><cbc:IdentificationCode>DE<',
  `<cbc:Line>Tor 2</cbc:Line></cac:AddressLine><cac:Country><cbc:IdentificationCode>${country}<`,
];
const buyerIn = (country: string): Part => [
  '<cbc:PostalZone>4020</cbc:PostalZone><cac:Country><cbc:IdentificationCode>AT<',
  `<cbc:PostalZone>4020</cbc:PostalZone><cac:Country><cbc:IdentificationCode>${country}<`,
];
const sellerVat = (number: string): Part => ['<cbc:CompanyID>DE123456789<', `<cbc:CompanyID>${number}<`];
const buyerVat = (number: string): Part => ['<cbc:CompanyID>ATU12345678<', `<cbc:CompanyID>${number}<`];
const sellerNumber = (scheme: string, number: string): Part => [
  '<cbc:CompanyID schemeID="0204">991-33333TEST-33<',
  `<cbc:CompanyID schemeID="${scheme}">${number}<`,
];
const buyerNumber = (scheme: string, number: string): Part => [
  '<cbc:CompanyID>FN 1<',
  `<cbc:CompanyID schemeID="${scheme}">${number}<`,
];
const taxScheme = (name: string, number: string): Part => [
  '<cbc:CompanyID>257/123/45678</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC<',
  `<cbc:CompanyID>${number}</cbc:CompanyID><cac:TaxScheme><cbc:ID>${name}<`,
];
const means = (code: string): Part => ['>58</cbc:PaymentMeansCode>', `>${code}</cbc:PaymentMeansCode>`];
const reference = (text: string): Part => ['<cbc:PaymentID>RE-4711<', `<cbc:PaymentID>${text}<`];
const account = (number: string): Part => ['DE89370400440532013000', number];
const bank = (id: string): Part => ['COBADEFFXXX', id];
const buyerStreet: Part = [
  '<cac:PostalAddress><cbc:CityName>Linz<',
  '<cac:PostalAddress><cbc:StreetName>Markt 1</cbc:StreetName><cbc:CityName>Linz<',
];
const document = (id: string, description: string, url = ''): string =>
  `<cac:AdditionalDocumentReference><cbc:ID>${id}</cbc:ID><cbc:DocumentDescription>${description}</cbc:DocumentDescription>${url && `<cac:Attachment><cac:ExternalReference><cbc:URI>${url}</cbc:URI></cac:ExternalReference></cac:Attachment>`}</cac:AdditionalDocumentReference>`;
const documents = (...all: readonly string[]): Part => [
  '<cac:ProjectReference>',
  `${all.join('')}<cac:ProjectReference>`,
];

/** What makes the sample an invoice for Peppol in each country whose rules are tested. */
const COUNTRIES: Readonly<Record<string, readonly Part[]>> = {
  de: [buyerIn('DE'), buyerVat('DE111111125')],
  dk: [
    sellerIn('DK'),
    buyerIn('DK'),
    sellerVat('DK12345678'),
    sellerNumber('0184', '12345678'),
    buyerNumber('0184', 'DK87654321'),
    ['<cac:PartyIdentification><cbc:ID>K-1<', '<cac:PartyIdentification><cbc:ID schemeID="0208">0202239951<'],
    means('50'),
    reference('04#1234567890123456'),
    account('1234567'),
    [
      '<cbc:AllowanceChargeReasonCode>FC</cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>Fracht<',
      '<cbc:AllowanceChargeReasonCode>ZZZ</cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>3041<',
    ],
    ['listID="STI" listVersionID="1"', 'listID="TST" listVersionID="19.05.01"'],
  ],
  no: [
    sellerIn('NO'),
    sellerVat('NO123456785MVA'),
    sellerNumber('0192', '123456785'),
    buyerNumber('0151', '51824753556'),
    taxScheme('TAX', 'Foretaksregisteret'),
  ],
  it: [
    sellerIn('IT'),
    sellerVat('IT12345670017'),
    sellerNumber('0210', 'RSSMRA80A01H501U'),
    buyerNumber('0211', 'IT12345670017'),
    taxScheme('TAX', '12345670017'),
    ['schemeID="0204">991-01484-64', 'schemeID="0201">UFABCD'],
  ],
  se: [
    sellerIn('SE'),
    buyerIn('SE'),
    sellerVat('SE556036079301'),
    sellerNumber('0007', '5560360793'),
    taxScheme('TAX', 'Godkänd för F-skatt'),
    means('30'),
    account('1234567'),
    bank('SE:PLUSGIRO'),
  ],
  gr: [
    sellerIn('GR'),
    buyerIn('GR'),
    sellerVat('EL094019245'),
    buyerVat('EL090000045'),
    ['schemeID="EM">rechnung@muehle.example', 'schemeID="9933">094019245'],
    ['schemeID="0204">991-01484-64', 'schemeID="9933">090000045'],
    ['<cbc:ID>RE-4711<', '<cbc:ID>094019245|02/11/2026|0|1.1|A|17<'],
    documents(document('400001', '##M.AR.K##'), document('U', '##INVOICE|URL##', 'https://example.com/a')),
  ],
  is: [
    sellerIn('IS'),
    buyerIn('IS'),
    sellerNumber('0196', '5501691829'),
    buyerNumber('0196', '4501691829'),
    buyerStreet,
    means('42'),
    account('010126001234'),
    documents(document('2026-12-12', 'EINDAGI')),
  ],
  nl: [
    sellerIn('NL'),
    buyerIn('NL'),
    sellerVat('NL123456789B01'),
    sellerNumber('0106', '12345678'),
    buyerNumber('0190', '00000001234567890000'),
    buyerStreet,
  ],
};

const COMMON: readonly Part[] = [
  ['>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0<', `>${BILLING}<`],
];
const ADDRESS: Part = ['schemeID="EM">rechnung@muehle.example', 'schemeID="9930">DE123456789'];

/** The sample, the identifier and the replaced parts of the variants `ubl-peppol-de`, `-dk` … */
export const PEPPOL_VARIANTS: Readonly<Record<string, [string, string, ...(readonly Part[])]>> = Object.fromEntries(
  Object.entries(COUNTRIES).map(([country, parts]) => [
    `ubl-peppol-${country}`,
    ['ubl-full', BILLING, ...COMMON, ...(country === 'gr' ? [] : [ADDRESS]), ...parts],
  ]),
);
