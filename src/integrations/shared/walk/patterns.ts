import picomatch from 'picomatch';

/** What a user may write: `*`, `**`, `?` and `[a-z]`. No braces, as commas separate patterns; nothing that can take long. */
const OPTIONS: picomatch.PicomatchOptions = { nocase: true, dot: true, nobrace: true, noextglob: true, nonegate: true };

/** Files that are being written, and what programs leave behind. */
const NEVER = matcher(
  '*.part, *.partial, *.filepart, *.crdownload, *.download, *.tmp, *.temp, *.swp, ~$*, .~*, ._*, .DS_Store, Thumbs.db, desktop.ini',
);

/**
 * Whether a file is one of those that a comma-separated list of patterns means. A pattern without `/` is compared with the name,
 * one with `/` with the path below the chosen folder; neither case nor the way an umlaut is written matters.
 */
export function matcher(patterns: string): (path: string) => boolean {
  const matchers = patterns
    .split(/[,\n]/)
    .map((pattern) =>
      pattern
        .trim()
        .normalize('NFC')
        .replace(/^\.?\//, ''),
    )
    .filter((pattern) => pattern !== '')
    .map((pattern) => ({ matches: picomatch(pattern, OPTIONS), whole: pattern.includes('/') }));
  return (path) => {
    const normal = path.normalize('NFC');
    const name = normal.slice(normal.lastIndexOf('/') + 1);
    return matchers.some(({ matches, whole }) => matches(whole ? normal : name));
  };
}

/** Whether a name says that this is no document, or not yet. */
export const isUnfinished: (path: string) => boolean = NEVER;
