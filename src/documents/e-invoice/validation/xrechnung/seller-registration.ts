import { AGREEMENT } from '../en16931/groups';
import { exists, normalize, select, some } from '../engine/select';
import type { Condition } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

const TAXED = ['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'];

const hasCode = (nodes: readonly XmlNode[]) => nodes.some((node) => TAXED.includes(node.text));

const taxedUbl: Condition = (root) =>
  hasCode(select(root, 'InvoiceLine/Item/ClassifiedTaxCategory/ID|CreditNoteLine/Item/ClassifiedTaxCategory/ID')) ||
  select(root, 'AllowanceCharge').some(
    (each) =>
      (some(each, 'ChargeIndicator', 'false') || some(each, 'ChargeIndicator', 'true')) &&
      hasCode(select(each, 'TaxCategory/ID')),
  );
const registeredUbl: Condition = (root) =>
  exists(root, 'TaxRepresentativeParty') ||
  select(root, 'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID').some((id) => normalize(id.text) !== '');

const LINE_TAX =
  'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax';
const taxedCii: Condition = (root) =>
  some(root, `${LINE_TAX}/TypeCode`, 'VAT') && hasCode(select(root, `${LINE_TAX}/CategoryCode`));
const registeredCii: Condition = (root) =>
  exists(root, `${AGREEMENT}/SellerTaxRepresentativeTradeParty`) ||
  select(root, `${AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration/ID`).some(
    (id) => ['VA', 'FC'].includes(normalize(id.attributes.get('schemeID') ?? '')) && normalize(id.text) !== '',
  );

/** Who states VAT has a VAT number, a tax number or a tax representative. */
export const isSellerRegisteredUbl: Condition = (root, invoice) =>
  !taxedUbl(root, invoice) || registeredUbl(root, invoice);
export const isSellerRegisteredCii: Condition = (root, invoice) =>
  !taxedCii(root, invoice) || registeredCii(root, invoice);
