/** The inputs of every build: the build scripts and the packages. */
const ALWAYS = ['tools/build', 'package.json', 'package-lock.json'];

/** What the service consists of: TypeScript, which is compiled, and files that are copied. */
const SERVICE = ['mikro-orm.config.ts', 'src', 'migrations', 'i18n', 'docs/examples'];
/** The colors of a theme, which the service and the user interfaces share. */
const COLORS = 'src/identities/environments/colors';
/** The pages of the documentation site, what they are generated from, and files that they link. */
const SITE = [
  ...[
    'tools/docs-site',
    'tools/postman',
    'docs',
    'sdk/typescript/README.md',
    'openapi.json',
    'i18n/en',
    'ui/src/icon.svg',
  ],
  'connect/README.md',
  'sdk/cli/README.md',
  'sdk/python/README.md',
  'sdk/go/README.md',
  'sdk/java/README.md',
  'sdk/php/README.md',
  ...['src/platform/errors/error-codes.ts', 'CHANGELOG.md', 'SECURITY.md'],
  ...['src/integrations/providers', 'src/integrations/declarative/language/provider.schema.json'],
  ...['imap/presets', 'imap/authorized-presets', 'imap/preset-help-steps', 'webdav/presets', 's3/presets'].map(
    (file) => `src/integrations/${file}.ts`,
  ),
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', '.env.example'],
];
const DEMO = [
  'test/demo',
  'test/drill',
  'test/guides',
  'test/sdks',
  'test/schemathesis',
  'test/seed',
  'test/fakes',
  'test/builders',
];
/** Programs of `.ci/run` and of releases. */
const TOOLS = ['tools/breaking-changes', 'tools/citations', 'tools/sdk-check', 'tools/supply-chain'];

/**
 * The build targets. `inputs` are files and folders of the repository: a build is repeated when the content of one
 * of them differs. `outputs` must exist after a build, and `folders` of dist/ contain only what was built from the folder
 * of the same name. `commands` are run by Node in sequence. `after` names the target that is built first.
 */
export const TARGETS = {
  connect: {
    about: 'the drop-in',
    inputs: [...ALWAYS, 'connect'],
    outputs: ['connect/dist/index.js', 'dist/connect/v1.js'],
    folders: [],
    commands: [['connect/build.mjs']],
  },
  client: {
    about: 'the command line of developers',
    inputs: [...ALWAYS, 'openapi.json', 'sdk/typescript', 'sdk/cli'],
    outputs: ['sdk/cli/dist/main.mjs'],
    folders: [],
    commands: [['sdk/typescript/build.mjs'], ['sdk/cli/build.mjs']],
  },
  ui: {
    about: 'the hosted UI',
    after: 'connect',
    inputs: [...ALWAYS, 'openapi.json', 'sdk/typescript', 'ui', 'connect/src/protocol.ts', COLORS],
    outputs: ['dist/ui/index.html'],
    folders: [],
    commands: [['sdk/typescript/build.mjs'], ['ui/build.mjs']],
  },
  console: {
    about: 'the console',
    after: 'ui',
    inputs: [...ALWAYS, 'openapi.json', 'sdk/typescript', 'ui', 'console', COLORS],
    outputs: ['dist/console/index.html'],
    folders: [],
    commands: [['sdk/typescript/build.mjs'], ['console/build.mjs']],
  },
  service: {
    about: 'Docfetch',
    after: 'console',
    inputs: [...ALWAYS, '.swcrc', ...SERVICE],
    outputs: ['dist/src/main.js', 'dist/src/migrate.js', 'dist/src/cli.js', 'dist/providers.json'],
    folders: ['src', 'migrations', 'i18n', 'docs'],
    commands: [
      ['tools/build/compile.mjs', 'service', ...SERVICE],
      ['dist/src/integrations/declarative/write-prepared-providers.js'],
    ],
  },
  docs: {
    about: 'the documentation site',
    inputs: [...ALWAYS, ...SITE],
    outputs: ['dist/site/policy.json'],
    folders: [],
    commands: [['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'tools/docs-site/build.mjs']],
  },
  demo: {
    about: 'the demo',
    after: 'service',
    inputs: [...ALWAYS, '.swcrc', ...DEMO],
    outputs: [
      'dist/test/demo/main.js',
      'dist/test/drill/main.js',
      'dist/test/guides/main.js',
      'dist/test/sdks/main.js',
      'dist/test/schemathesis/main.js',
      'dist/test/seed/main.js',
    ],
    folders: ['test'],
    commands: [['tools/build/compile.mjs', 'demo', ...DEMO]],
  },
  tools: {
    about: 'the tools',
    inputs: [...ALWAYS, '.swcrc', ...TOOLS],
    outputs: TOOLS.map((folder) => `dist/${folder}/main.js`),
    folders: ['tools'],
    commands: [['tools/build/compile.mjs', 'tools', ...TOOLS]],
  },
};

/** Files below an input that do not affect the build, or that a build creates there itself. */
export const IGNORED = [
  /\.(long-)?spec\.tsx?$/,
  /^sdk\/typescript\/(dist|src\/generated|\.stage-[^/]*)\//,
  /^(connect|sdk\/cli)\/dist\//,
];
