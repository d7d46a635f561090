import { Fragment } from 'react';

/** A word with a place of `BREAKS`. */
const ADDRESS = /(\S*(?:[\p{L}\d][@/_][\p{L}\d]|[\p{L}\d-]{6}\.\p{L})\S*)/u;
/**
 * After the `@` of an address, the slashes of a path and the underscores of a name, and before the dots of names of hosts and
 * files, but not behind a short part: `gmx.de`.
 */
const BREAKS = /(?<=[\p{L}\d][@/_])(?=[\p{L}\d])|(?<=[\p{L}\d-]{6})(?=\.\p{L})/u;
/** `E-Mail`, and `-Mail` behind a comma: browsers break after the hyphen, and leave it at the end of the line. */
const WHOLE = /(?<![\p{L}\d-])(\p{L}?-\p{L}+)/u;

/** A text whose addresses and names break only when a line is too short for them, and then at their parts. */
export function Breakable({ children }: { children: string }) {
  return children.split(ADDRESS).map((text, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>
        {text.split(WHOLE).map((piece, at) =>
          at % 2 === 0 ? (
            piece
          ) : (
            <span key={at} className="whole">
              {piece}
            </span>
          ),
        )}
      </Fragment>
    ) : (
      <span key={index} className="address">
        {text.split(BREAKS).map((part, at) => (
          <Fragment key={at}>
            {at > 0 ? <wbr /> : null}
            {part}
          </Fragment>
        ))}
      </span>
    ),
  );
}
