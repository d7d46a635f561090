/** Imported first by every door: on an old Node the libraries fail with riddles, so say plainly what is needed. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `Docfetch needs Node 24, this is ${process.versions.node}. npm ci brings the right one with the package "node" (its install script has to be allowed): use npm start, npm run demo, npm run cli -- … or npm run migrate.\n`,
  );
  process.exit(1);
}
