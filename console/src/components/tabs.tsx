import { hrefOf, useAddress } from '../route';
import { ConsoleLink } from './console-link';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: number;
}

/** The tab in the address (`?tab=fetches`), or the first one. */
export function useTab(tabs: readonly Tab[]): string {
  const id = useAddress().query.get('tab');
  return (tabs.find((tab) => tab.id === id) ?? tabs[0]!).id;
}

/** Links to the parts of a view. They are links and not an ARIA tab list: each has an address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { path } = useAddress();
  const current = useTab(tabs);
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, count }, index) => (
        <ConsoleLink
          key={id}
          href={hrefOf(path.join('/'), index === 0 ? {} : { tab: id })}
          current={id === current}
          className="tab"
        >
          {text}
          {count ? ` (${count})` : ''}
        </ConsoleLink>
      ))}
    </nav>
  );
}
