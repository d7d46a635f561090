import { useId, useState } from 'react';
import { ChevronDown } from '../components/icons';

interface FoldedFieldsProps {
  readonly title: string;
  readonly initiallyOpen: boolean;
  /** An error opens the panel, which then stays open. */
  readonly hasError: boolean;
  readonly children: () => React.ReactNode;
}

/** Inputs that few users need. They are rendered, and their files loaded, when the panel is opened for the first time. */
export function FoldedFields({ title, initiallyOpen, hasError, children }: FoldedFieldsProps) {
  const [open, setOpen] = useState(initiallyOpen);
  const [rendered, setRendered] = useState(initiallyOpen);
  if (hasError && !open) setOpen(true);
  if (open && !rendered) setRendered(true);
  const panelId = useId();
  return (
    <div className="disclosure">
      <h2>
        <button
          type="button"
          className="disclosure-button"
          aria-expanded={open}
          aria-controls={panelId}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown /> {title}
        </button>
      </h2>
      <div id={panelId} role="group" aria-label={title} hidden={!open}>
        <div className="folded-fields">{rendered ? children() : null}</div>
      </div>
    </div>
  );
}
