import { extended } from '../codes/codes';
import { ITEM_CLASSIFICATIONS } from '../codes/identifier-schemes';
import { AGREEMENT } from '../en16931/groups';
import { normalize, normalized, select, some } from '../engine/select';
import { type Condition, fromRoot, notBlank, ROOT, type Selector, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

/** UNTDID 7143 and the directive's own code; the published list takes an empty one too. */
const SCHEMES = extended(ITEM_CLASSIFICATIONS, ['CVD', '']);
const VEHICLE_CATEGORIES = ['M1', 'M2', 'M3', 'N1', 'N2', 'N3'];
const ATTRIBUTE = 'cva';
const ATTRIBUTE_VALUES = ['clean', 'zero-emission', 'other'];

/** Where a syntax has the classifications and the attributes of an item. */
interface ItemPaths {
  readonly items: string;
  readonly classification: string;
  readonly attributes: string;
  readonly name: string;
  readonly value: string;
}
const UBL: ItemPaths = {
  items: 'InvoiceLine/Item|CreditNoteLine/Item',
  classification: 'CommodityClassification/ItemClassificationCode',
  attributes: 'AdditionalItemProperty',
  name: 'Name',
  value: 'Value',
};
const CII: ItemPaths = {
  items: 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct',
  classification: 'DesignatedProductClassification/ClassCode',
  attributes: 'ApplicableProductCharacteristic',
  name: 'Description',
  value: 'Value',
};

const listOf = (node: XmlNode) => node.attributes.get('listID');
const classified = (item: XmlNode, { classification }: ItemPaths) =>
  select(item, classification).filter((code) => listOf(code) === 'CVD');
const attributesOf = (item: XmlNode, { attributes, name }: ItemPaths) =>
  select(item, attributes).filter((each) => some(each, name, ATTRIBUTE));

const items = (paths: ItemPaths): Selector => fromRoot(paths.items);
const classifications = (paths: ItemPaths): Selector => {
  return (invoice) => items(paths)(invoice).flatMap((item) => select(item, paths.classification));
};
const vehicleAttributes = (paths: ItemPaths): Selector => {
  return (invoice) => items(paths)(invoice).flatMap((item) => attributesOf(item, paths));
};

const hasVehicle =
  (paths: ItemPaths): Condition =>
  (_node, invoice) =>
    items(paths)(invoice).some((item) => classified(item, paths).length > 0 && attributesOf(item, paths).length > 0);
const oneAttribute =
  (paths: ItemPaths): Condition =>
  (item) =>
    classified(item, paths).length === 0 || attributesOf(item, paths).length === 1;
const oneClassification =
  (paths: ItemPaths): Condition =>
  (item) =>
    attributesOf(item, paths).length === 0 || classified(item, paths).length === 1;
const category: Condition = (node) =>
  normalize(listOf(node) ?? '') !== 'CVD' || VEHICLE_CATEGORIES.includes(normalize(node.text));
const knownList: Condition = (node) => SCHEMES.has(normalize(listOf(node) ?? ''));
const knownValue =
  (paths: ItemPaths): Condition =>
  (node) =>
    ATTRIBUTE_VALUES.includes(normalized(node, paths.value));

const tender: Condition = (node) =>
  select(node, 'AdditionalReferencedDocument').some(
    (each) => normalized(each, 'TypeCode') === '50' && normalized(each, 'IssuerAssignedID') !== '',
  );

const VEHICLE = 'clean_vehicle';

/** The rules of XRechnung CVD, for invoices under the Clean Vehicles Directive. */
export const CLEAN_VEHICLE_RULES = table([
  [
    'BR-DE-CVD-01',
    'BT-12',
    notBlank(ROOT, 'ContractDocumentReference/ID'),
    notBlank(fromRoot(AGREEMENT), 'ContractReferencedDocument/IssuerAssignedID'),
  ],
  [
    'BR-DE-CVD-02',
    'BT-17',
    notBlank(ROOT, 'OriginatorDocumentReference/ID'),
    test(fromRoot(AGREEMENT), 'missing', tender),
  ],
  [
    'BR-DE-CVD-03',
    'BT-158',
    test(ROOT, VEHICLE, hasVehicle(UBL)),
    test(fromRoot('SupplyChainTradeTransaction'), VEHICLE, hasVehicle(CII)),
  ],
  [
    'BR-DE-CVD-04',
    'BT-158',
    test(classifications(UBL), 'code', category),
    test(classifications(CII), 'code', category),
  ],
  [
    'BR-DE-CVD-05',
    'BT-161',
    test(vehicleAttributes(UBL), 'code', knownValue(UBL)),
    test(vehicleAttributes(CII), 'code', knownValue(CII)),
  ],
  [
    'BR-DE-CVD-06-a',
    'BT-160',
    test(items(UBL), VEHICLE, oneAttribute(UBL)),
    test(items(CII), VEHICLE, oneAttribute(CII)),
  ],
  [
    'BR-DE-CVD-06-b',
    'BT-158',
    test(items(UBL), VEHICLE, oneClassification(UBL)),
    test(items(CII), VEHICLE, oneClassification(CII)),
  ],
  [
    'BR-TMP-CVD-01',
    'BT-158',
    test(classifications(UBL), 'code', knownList),
    test(classifications(CII), 'code', knownList),
  ],
]);
