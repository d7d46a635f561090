import { withApiSection } from './api-section';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A page.\n\n## 1.0.0\n\n### API\n\n- endpoint added\n';

describe('withApiSection', () => {
  it('adds the section at the end of the unreleased version', () => {
    expect(withApiSection(CHANGELOG, ['- one', '- two'])).toBe(
      CHANGELOG.replace('- A page.\n', '- A page.\n\n### API\n\n- one\n- two\n'),
    );
  });

  it('replaces the section that is there, between others too', () => {
    const before = CHANGELOG.replace('### Added', '### API\n\n- old\n\n### Added');
    expect(withApiSection(before, ['- new'])).toBe(withApiSection(CHANGELOG, ['- new']));
    expect(withApiSection(withApiSection(CHANGELOG, ['- old']), ['- new'])).toBe(withApiSection(CHANGELOG, ['- new']));
  });

  it('removes the section if nothing has changed', () => {
    expect(withApiSection(withApiSection(CHANGELOG, ['- old']), [])).toBe(CHANGELOG);
  });

  it('accepts a changelog that has no release', () => {
    expect(withApiSection('## Unreleased\n', ['- one'])).toBe('## Unreleased\n\n### API\n\n- one\n');
  });

  it('throws without an unreleased version', () => {
    expect(() => withApiSection('# Changelog\n', [])).toThrow('no heading "## Unreleased"');
  });
});
