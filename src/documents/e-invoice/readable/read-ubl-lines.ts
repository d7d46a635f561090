import type { XmlElement } from '../xml/xml';
import type { FactReader } from './fact-reader';
import type { ReadableLine } from './readable-invoice';

/** Sub-lines of sub-lines; no invoice is deeper. */
const MAX_LEVEL = 8;

/** Reads invoice lines, each followed by its sub-lines. */
export function readUblLines(
  facts: FactReader,
  lines: readonly XmlElement[],
  currency: string | undefined,
  level = 0,
): ReadableLine[] {
  return facts
    .items(lines)
    .flatMap((line) => [
      readLine(facts, line, currency, level),
      ...(level < MAX_LEVEL ? readUblLines(facts, line.all('SubInvoiceLine'), currency, level + 1) : []),
    ]);
}

function readLine(facts: FactReader, line: XmlElement, currency: string | undefined, level: number): ReadableLine {
  const item = line.first('Item');
  const price = line.first('Price');
  const quantity = line.first('InvoicedQuantity') ?? line.first('CreditedQuantity');
  const base = price?.first('BaseQuantity');
  const category = item?.first('ClassifiedTaxCategory');
  return {
    number: facts.text('line', line.text('ID'))[0],
    name: facts.text('item', item?.text('Name'))[0],
    quantity: facts.fact('quantity', 'number', quantity?.text(), quantity?.attribute('unitCode'))[0],
    price: facts.amount('price', price?.first('PriceAmount'), currency)[0],
    tax: [
      ...facts.fact('category', 'vat_category', category?.text('ID')),
      ...facts.fact('rate', 'percent', category?.text('Percent')),
    ],
    net: facts.amount('net', line.first('LineExtensionAmount'), currency)[0],
    level,
    details: [
      ...facts.fact('description', 'paragraphs', item?.first('Description')?.paragraphs()),
      ...facts.items(line.all('Note')).flatMap((note) => facts.fact('note', 'paragraphs', note.paragraphs())),
      ...(base?.text() === '1' ? [] : facts.fact('price_base', 'number', base?.text(), base?.attribute('unitCode'))),
      ...facts.amount('gross_price', price?.first('AllowanceCharge', 'BaseAmount'), currency),
      ...facts.amount('discount', price?.first('AllowanceCharge', 'Amount'), currency),
      ...facts.xsdDay('period_start', line.text('InvoicePeriod', 'StartDate')),
      ...facts.xsdDay('period_end', line.text('InvoicePeriod', 'EndDate')),
      ...facts.items(line.all('AllowanceCharge')).flatMap((each) => {
        const key = each.text('ChargeIndicator') === 'true' ? 'charge' : 'allowance';
        const reason = each.text('AllowanceChargeReason') ?? each.text('AllowanceChargeReasonCode');
        return [...facts.amount(key, each.first('Amount'), currency), ...facts.text(`${key}_reason`, reason)];
      }),
      ...facts.id('seller_item', item?.first('SellersItemIdentification', 'ID')),
      ...facts.id('buyer_item', item?.first('BuyersItemIdentification', 'ID')),
      ...facts.id('standard_item', item?.first('StandardItemIdentification', 'ID')),
      ...facts
        .items(item?.all('CommodityClassification') ?? [])
        .flatMap((each) =>
          facts.text(
            'classification',
            each.text('ItemClassificationCode'),
            each.first('ItemClassificationCode')?.attribute('listID'),
          ),
        ),
      ...facts.fact('origin', 'country', item?.text('OriginCountry', 'IdentificationCode')),
      ...facts
        .items(item?.all('AdditionalItemProperty') ?? [])
        .flatMap((each) => facts.text('attribute', [each.text('Name'), each.text('Value')].filter(Boolean).join(': '))),
      ...facts.text('order_line', line.text('OrderLineReference', 'LineID')),
      ...facts.id('object', line.first('DocumentReference', 'ID')),
      ...facts.text('accounting', line.text('AccountingCost')),
    ],
  };
}
