/**
 * Run by `npm ci` before it installs: says in one line what this platform lacks. The Node and PostgreSQL programs that npm
 * brings exist for Linux with glibc and for macOS; elsewhere later commands would end with errors such as "node: not found".
 */
import process from 'node:process';

const { platform, arch } = process;
process.report.excludeNetwork = true; // or the report resolves the names of open connections
const hasGlibc = platform !== 'linux' || process.report.getReport().header.glibcVersionRuntime !== undefined;

if (!['linux', 'darwin'].includes(platform) || !['x64', 'arm64'].includes(arch)) {
  fail(`Docfetch runs on Linux and macOS with x64 or arm64, this is ${platform} with ${arch}`);
} else if (!hasGlibc) {
  fail('Docfetch needs a Linux with glibc (Debian, Ubuntu, Fedora …), this one has another C library, such as musl');
}

function fail(problem) {
  process.stderr.write(`${problem}. Use the container image instead: docs/operate/operations.md, "Docker Compose".\n`);
  process.exit(1);
}
