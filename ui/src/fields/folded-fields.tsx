import { useState } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { ChevronDown } from '../components/icons';

interface FoldedFieldsProps {
  readonly title: string;
  readonly initiallyOpen: boolean;
  /** An error opens the panel, which then stays open. */
  readonly hasError: boolean;
  readonly children: () => React.ReactNode;
}

/**
 * Inputs that few users need. They are rendered, and their files loaded, when the panel is opened for the first time. `Expandable`
 * is not used here, because it would add to the first load of forms.
 */
export function FoldedFields({ title, initiallyOpen, hasError, children }: FoldedFieldsProps) {
  const [open, setOpen] = useState(initiallyOpen);
  const [rendered, setRendered] = useState(initiallyOpen);
  if (hasError && !open) setOpen(true);
  if (open && !rendered) setRendered(true);
  return (
    <Disclosure className="disclosure" isExpanded={open} onExpandedChange={setOpen}>
      <Heading level={2}>
        <Button slot="trigger" className="disclosure-button">
          <ChevronDown /> {title}
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="folded-fields">{rendered ? children() : null}</div>
      </DisclosurePanel>
    </Disclosure>
  );
}
