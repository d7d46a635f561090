import { Fragment } from 'react';

/** After the `@` of an address, and before the dots of names of hosts and files, but not behind a short part: `gmx.de`. */
const BREAKS = /(?<=[\p{L}\d]@)(?=[\p{L}\d])|(?<=[\p{L}\d-]{6})(?=\.\p{L})/u;
/** Words such as `E-Mail`: browsers break them after the hyphen, and leave a single letter at the end of the line. */
const WHOLE = /(?<![\p{L}\d-])(\p{L}-\p{L}+)/u;

/** A text whose addresses and names of hosts break at their parts when a line is too short, and not within a word. */
export function Breakable({ children }: { children: string }) {
  return children.split(BREAKS).map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part.split(WHOLE).map((piece, at) =>
        at % 2 === 0 ? (
          piece
        ) : (
          <span key={at} className="whole">
            {piece}
          </span>
        ),
      )}
    </Fragment>
  ));
}
