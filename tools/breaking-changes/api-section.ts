const UNRELEASED = '## Unreleased\n';
const HEADING = '### API\n';

/**
 * The changelog with the lines as the section "API" of its unreleased version, in place of the one that is there. Without
 * lines, there is no such section.
 *
 * @throws Error if the changelog has no heading "Unreleased"
 */
export function withApiSection(changelog: string, lines: readonly string[]): string {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) throw new Error('CHANGELOG.md has no heading "## Unreleased".');
  const end = positionOr(changelog.indexOf('\n## ', start + UNRELEASED.length), changelog.length);
  const unreleased = changelog.slice(start, end);
  const section = lines.length > 0 ? `${HEADING}\n${lines.join('\n')}\n` : '';
  const others = withoutSection(unreleased).trimEnd();
  const parts = [others, section.trimEnd()].filter(Boolean).join('\n\n');
  return `${changelog.slice(0, start)}${parts}\n${changelog.slice(end)}`;
}

function withoutSection(unreleased: string): string {
  const start = unreleased.indexOf(HEADING);
  if (start < 0) return unreleased;
  const end = positionOr(unreleased.indexOf('\n### ', start + HEADING.length), unreleased.length - 1) + 1;
  return unreleased.slice(0, start) + unreleased.slice(end);
}

const positionOr = (position: number, otherwise: number): number => (position < 0 ? otherwise : position);
