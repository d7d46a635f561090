import { Fragment } from 'react';
import { Breakable } from '../breakable';

/** Facts in one line, with a dot between two of them that neither begins nor ends a line. Missing ones are left out. */
export function Facts({ facts }: { facts: readonly React.ReactNode[] }) {
  return (
    <span className="facts">
      {facts.filter(Boolean).map((fact, index) => (
        <Fragment key={index}>
          {index > 0 ? ' ' : null}
          <span className="fact">
            {index > 0 ? <span className="fact-dot">· </span> : null}
            {typeof fact === 'string' ? <Breakable>{fact}</Breakable> : fact}
          </span>
        </Fragment>
      ))}
    </span>
  );
}
