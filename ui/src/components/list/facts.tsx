import { Fragment } from 'react';
import { Breakable } from '../breakable';

/** Facts in one line, with a dot between two of them that neither begins nor ends a line. Missing ones are left out. */
export function Facts({ facts }: { facts: readonly (string | null | undefined)[] }) {
  return (
    <span className="facts">
      {facts
        .filter((fact) => fact)
        .map((fact, index) => (
          <Fragment key={index}>
            {index > 0 ? ' ' : null}
            <span className="fact">
              {index > 0 ? <span className="fact-dot">· </span> : null}
              <Breakable>{fact!}</Breakable>
            </span>
          </Fragment>
        ))}
    </span>
  );
}
