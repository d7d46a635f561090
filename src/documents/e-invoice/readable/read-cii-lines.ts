import { type CII_NAMES, dayOf } from '../xml/cii';
import type { XmlElement } from '../xml/xml';
import type { FactReader } from './fact-reader';
import type { ReadableLine } from './readable-invoice';

type Names = (typeof CII_NAMES)[keyof typeof CII_NAMES];

/** Reads invoice lines in the order of the file. */
export function readCiiLines(
  facts: FactReader,
  lines: readonly XmlElement[],
  names: Names,
  currency: string | undefined,
): ReadableLine[] {
  return facts.items(lines).map((line) => readLine(facts, line, names, currency));
}

function readLine(facts: FactReader, line: XmlElement, names: Names, currency: string | undefined): ReadableLine {
  const document = line.first('AssociatedDocumentLineDocument');
  const product = line.first('SpecifiedTradeProduct');
  const agreement = line.first(names.lineAgreement);
  const settlement = line.first(names.lineSettlement);
  const quantity = line.first(names.lineDelivery, 'BilledQuantity');
  const price = agreement?.first('NetPriceProductTradePrice');
  const gross = agreement?.first('GrossPriceProductTradePrice');
  const base = price?.first('BasisQuantity');
  const tax = settlement?.first('ApplicableTradeTax');
  const period = settlement?.first('BillingSpecifiedPeriod');
  return {
    number: facts.text('line', document?.text('LineID'))[0],
    name: facts.text('item', product?.text('Name'))[0],
    quantity: facts.fact('quantity', 'number', quantity?.text(), quantity?.attribute('unitCode'))[0],
    price: facts.amount('price', price?.first('ChargeAmount'), currency)[0],
    tax: [
      ...facts.fact('category', 'vat_category', tax?.text('CategoryCode')),
      ...facts.fact('rate', 'percent', tax?.text('RateApplicablePercent') ?? tax?.text('ApplicablePercent')),
    ],
    net: facts.amount('net', settlement?.first(names.lineSums, 'LineTotalAmount'), currency)[0],
    level: document?.text('ParentLineID') === undefined ? 0 : 1,
    details: [
      ...facts.fact('description', 'paragraphs', product?.first('Description')?.paragraphs()),
      ...facts
        .items(document?.all('IncludedNote') ?? [])
        .flatMap((note) => facts.fact('note', 'paragraphs', note.first('Content')?.paragraphs())),
      ...(Number(base?.text() ?? 1) === 1
        ? []
        : facts.fact('price_base', 'number', base?.text(), base?.attribute('unitCode'))),
      ...(gross?.first('AppliedTradeAllowanceCharge')
        ? facts.amount('gross_price', gross.first('ChargeAmount'), currency)
        : []),
      ...facts.amount('discount', gross?.first('AppliedTradeAllowanceCharge', 'ActualAmount'), currency),
      ...facts.day('period_start', dayOf(period?.first('StartDateTime'))),
      ...facts.day('period_end', dayOf(period?.first('EndDateTime'))),
      ...facts.items(settlement?.all('SpecifiedTradeAllowanceCharge') ?? []).flatMap((each) => {
        const key = each.text('ChargeIndicator', 'Indicator') === 'true' ? 'charge' : 'allowance';
        return [
          ...facts.amount(key, each.first('ActualAmount'), currency),
          ...facts.text(`${key}_reason`, each.text('Reason') ?? each.text('ReasonCode')),
        ];
      }),
      ...facts.text('seller_item', product?.text('SellerAssignedID')),
      ...facts.text('buyer_item', product?.text('BuyerAssignedID')),
      ...facts.id('standard_item', product?.first('GlobalID')),
      ...facts
        .items(product?.all('DesignatedProductClassification') ?? [])
        .flatMap((each) =>
          facts.text('classification', each.text('ClassCode'), each.first('ClassCode')?.attribute('listID')),
        ),
      ...facts.fact('origin', 'country', product?.text('OriginTradeCountry', 'ID')),
      ...facts
        .items(product?.all('ApplicableProductCharacteristic') ?? [])
        .flatMap((each) =>
          facts.text('attribute', [each.text('Description'), each.text('Value')].filter(Boolean).join(': ')),
        ),
      ...facts.text('order_line', agreement?.text('BuyerOrderReferencedDocument', 'LineID')),
      ...facts.text('object', settlement?.text('AdditionalReferencedDocument', 'IssuerAssignedID')),
      ...facts.text('accounting', settlement?.text('ReceivableSpecifiedTradeAccountingAccount', 'ID')),
    ],
  };
}
