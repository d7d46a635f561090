import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(__dirname, 'check-platform.mjs');

/** The result of the check when Node reports the given platform. */
function check(platform: string, arch: string, header: object) {
  const report = `process.report.getReport = () => (${JSON.stringify({ header })})`;
  const os = `for (const [k, v] of Object.entries(${JSON.stringify({ platform, arch })})) Object.defineProperty(process, k, { value: v })`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(`${report}; ${os}`)}`, SCRIPT],
    { encoding: 'utf8' },
  );
  return { status, stderr };
}

describe('The check of the platform before an installation', () => {
  it.each([
    ['linux', 'x64', { glibcVersionRuntime: '2.36' }],
    ['linux', 'arm64', { glibcVersionRuntime: '2.36' }],
    ['darwin', 'arm64', {}],
  ])('passes on %s with %s', (platform, arch, header) => {
    expect(check(platform, arch, header)).toEqual({ status: 0, stderr: '' });
  });

  it.each([
    ['linux', 'x64', {}, /^Docfetch needs a Linux with glibc .*musl\..*Docker Compose"\.\n$/],
    ['win32', 'x64', {}, /^Docfetch runs on Linux and macOS .*win32 with x64\..*\n$/],
    ['linux', 's390x', { glibcVersionRuntime: '2.36' }, /linux with s390x/],
  ])('fails on %s with %s in one line that says what is missing', (platform, arch, header, message) => {
    const { status, stderr } = check(platform, arch, header);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
  });
});
