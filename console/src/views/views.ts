import { type Lazy, lazy } from '../../../ui/src/components/lazy';
import type { ConsoleRole } from '@docfetch/sdk';

/** The properties of a view: the values of `:name` in its path. */
export interface ViewProps {
  readonly params: Readonly<Record<string, string>>;
}

export const GROUPS = ['home', 'work', 'delivery', 'environment', 'support'] as const;
export type Group = (typeof GROUPS)[number];

/** A view of the console; README.md says how to add one. */
export interface View {
  /** `connections` or `connections/:uuid`. */
  readonly path: string;
  /** Its link in the navigation. */
  readonly nav?: { readonly group: Group; readonly en: string; readonly de: string };
  /** Only sessions with this role see it; the API enforces this too. */
  readonly role?: ConsoleRole;
  /** Loaded when it is opened for the first time. */
  readonly view: Lazy<ViewProps>;
}

/** All views. In the navigation they appear in this order, within their groups. */
export const VIEWS: readonly View[] = [
  {
    path: '',
    nav: { group: 'home', en: 'Overview', de: 'Übersicht' },
    view: lazy(() => import('./overview/overview').then((it) => it.Overview)),
  },
  {
    path: 'connections',
    nav: { group: 'work', en: 'Connections', de: 'Verbindungen' },
    view: lazy(() => import('./connections/connections').then((it) => it.Connections)),
  },
  { path: 'connections/:uuid', view: lazy(() => import('./connection/connection').then((it) => it.Connection)) },
  {
    path: 'transactions',
    nav: { group: 'work', en: 'Transactions', de: 'Transaktionen' },
    view: lazy(() => import('./transactions/transactions').then((it) => it.Transactions)),
  },
  {
    path: 'transactions/:uuid',
    view: lazy(() => import('./transaction/transaction').then((it) => it.TransactionView)),
  },
  {
    path: 'sources',
    nav: { group: 'work', en: 'Missing sources', de: 'Fehlende Quellen' },
    view: lazy(() => import('./sources/sources').then((it) => it.Sources)),
  },
  {
    path: 'endpoint',
    nav: { group: 'delivery', en: 'Endpoint', de: 'Endpunkt' },
    view: lazy(() => import('./endpoint/endpoint').then((it) => it.Endpoint)),
  },
  {
    path: 'webhooks',
    nav: { group: 'delivery', en: 'Webhooks', de: 'Webhooks' },
    view: lazy(() => import('./webhooks/webhooks').then((it) => it.Webhooks)),
  },
  { path: 'webhooks/:uuid', view: lazy(() => import('./webhook/webhook').then((it) => it.WebhookView)) },
  {
    path: 'events',
    nav: { group: 'delivery', en: 'Events', de: 'Ereignisse' },
    view: lazy(() => import('./events/events').then((it) => it.Events)),
  },
  {
    path: 'keys',
    nav: { group: 'environment', en: 'API keys', de: 'API-Schlüssel' },
    view: lazy(() => import('./keys/keys').then((it) => it.Keys)),
  },
  {
    path: 'usage',
    nav: { group: 'environment', en: 'Usage and limits', de: 'Nutzung und Grenzen' },
    view: lazy(() => import('./usage/usage').then((it) => it.Usage)),
  },
  {
    path: 'audit',
    nav: { group: 'environment', en: 'Audit log', de: 'Änderungsprotokoll' },
    view: lazy(() => import('./audit/audit').then((it) => it.Audit)),
  },
  {
    path: 'sessions',
    nav: { group: 'environment', en: 'Sessions', de: 'Sitzungen' },
    view: lazy(() => import('./sessions/sessions').then((it) => it.Sessions)),
  },
  {
    path: 'settings',
    nav: { group: 'support', en: 'Settings', de: 'Einstellungen' },
    role: 'SUPPORT',
    view: lazy(() => import('./environment/environment-view').then((it) => it.EnvironmentView)),
  },
  {
    path: 'theme',
    nav: { group: 'support', en: 'Theme', de: 'Design' },
    role: 'SUPPORT',
    view: lazy(() => import('./theme/theme-view').then((it) => it.ThemeView)),
  },
  {
    path: 'environments',
    nav: { group: 'support', en: 'All environments', de: 'Alle Umgebungen' },
    role: 'SUPPORT',
    view: lazy(() => import('./environments/environments').then((it) => it.Environments)),
  },
  {
    path: 'integrations',
    nav: { group: 'support', en: 'Integrations', de: 'Integrationen' },
    role: 'SUPPORT',
    view: lazy(() => import('./integrations/integrations').then((it) => it.Integrations)),
  },
  {
    path: 'service',
    nav: { group: 'support', en: 'Service', de: 'Dienst' },
    role: 'SUPPORT',
    view: lazy(() => import('./service/service').then((it) => it.Service)),
  },
];
