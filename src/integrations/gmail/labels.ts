import type { FieldOption, Localized } from '../core/field';
import type { Label } from './gmail-api';
import { ALL_MAIL } from './fields';

/** The selectable system labels in display order. */
const SYSTEM: ReadonlyMap<string, Localized> = new Map([
  ['INBOX', { en: 'Inbox', de: 'Posteingang' }],
  ['STARRED', { en: 'Starred', de: 'Markiert' }],
  ['IMPORTANT', { en: 'Important', de: 'Wichtig' }],
  ['SENT', { en: 'Sent', de: 'Gesendet' }],
  ['CATEGORY_PERSONAL', { en: 'Category: Primary', de: 'Kategorie: Allgemein' }],
  ['CATEGORY_UPDATES', { en: 'Category: Updates', de: 'Kategorie: Benachrichtigungen' }],
  ['CATEGORY_PROMOTIONS', { en: 'Category: Promotions', de: 'Kategorie: Werbung' }],
  ['CATEGORY_SOCIAL', { en: 'Category: Social', de: 'Kategorie: Soziale Netzwerke' }],
  ['CATEGORY_FORUMS', { en: 'Category: Forums', de: 'Kategorie: Foren' }],
]);
const ALL: FieldOption = {
  value: ALL_MAIL,
  label: { en: 'All mail', de: 'Alle Nachrichten' },
  hasChildren: false,
};

/** One level of the tree: the first, or the labels directly below `parent`. */
export function labelOptions(labels: readonly Label[], parent?: string): FieldOption[] {
  const own = labels.filter((label) => !isSystemLabel(label));
  const parents = new Map(own.map((label) => [label.id, parentOf(label, own)?.id]));
  const hasChildren = new Set(parents.values());
  const level = own.filter(({ id }) => parents.get(id) === parent);
  const options = level.map(({ id, name }) => {
    const above = own.find((label) => label.id === parent)?.name;
    const label = above === undefined ? name : name.slice(above.length + 1);
    return { value: id, label, hasChildren: hasChildren.has(id) };
  });
  options.sort((a, b) => a.label.localeCompare(b.label, 'de', { numeric: true }));
  return parent === undefined ? [ALL, ...systemOptions(labels), ...options] : options;
}

/** The labels with these ids, null for missing ones, with their full names. */
export function findLabels(labels: readonly Label[], ids: readonly string[]): (FieldOption | null)[] {
  const known = new Map([ALL, ...systemOptions(labels)].map((option) => [option.value, option]));
  for (const label of labels) {
    if (!isSystemLabel(label)) known.set(label.id, { value: label.id, label: label.name });
  }
  return ids.map((id) => known.get(id) ?? null);
}

function systemOptions(labels: readonly Label[]): FieldOption[] {
  const there = new Set(labels.map(({ id }) => id));
  return [...SYSTEM].flatMap(([value, label]) => (there.has(value) ? [{ value, label, hasChildren: false }] : []));
}

const isSystemLabel = ({ id, type }: Label): boolean => type === 'system' || SYSTEM.has(id);

/** The nearest existing parent label: not every prefix of a name has to be a label. */
function parentOf({ id, name }: Label, labels: readonly Label[]): Label | undefined {
  return labels
    .filter((label) => label.id !== id && name.startsWith(`${label.name}/`))
    .sort((a, b) => b.name.length - a.name.length)[0];
}
