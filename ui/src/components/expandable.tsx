import { Button, Disclosure, DisclosurePanel, type DisclosureProps, Heading } from 'react-aria-components';
import { ChevronDown } from './icons';

interface ExpandableProps extends Pick<DisclosureProps, 'className' | 'isExpanded' | 'onExpandedChange'> {
  readonly title: string;
  /** Whether the title is a heading of the page. */
  readonly isHeading?: boolean;
  readonly children: React.ReactNode;
}

/** Content that is shown when its title is pressed. */
export function Expandable({ title, isHeading, children, ...state }: ExpandableProps) {
  const button = (
    <Button slot="trigger" className="disclosure-button">
      <ChevronDown /> {title}
    </Button>
  );
  return (
    <Disclosure {...state}>
      {isHeading ? <Heading level={2}>{button}</Heading> : button}
      <DisclosurePanel>{children}</DisclosurePanel>
    </Disclosure>
  );
}
