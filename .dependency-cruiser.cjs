/**
 * The modules in dependency order, each with its sub-folders in dependency order: a file imports only from its own folder and
 * from folders to its left. This table is the only machine-readable copy; ARCHITECTURE.md says what each module owns.
 * Files directly in a module's folder (its module file, its entity where it has one) are not ordered.
 */
const MODULES = {
  platform: [
    'clock',
    'concurrency',
    'threads',
    'buffers',
    'availability',
    'i18n',
    'request',
    'errors',
    'storage',
    'config',
    'metrics',
    'database',
    'audit',
    'replica',
    'jobs',
    'tracing',
    'history',
    'outbox',
    'rate-limit',
    'network',
    'crypto',
    'http',
    'openapi',
    'audit-log',
    'observability',
    'documentation',
  ],
  documents: ['store', 'e-invoice', 'text', 'detection', 'extraction'],
  integrations: ['core', 'shared', 'declarative'],
  identities: ['environments', 'environments-api', 'source-requests'],
  connections: [
    'state',
    'credentials',
    'access',
    'oauth',
    'webhooks',
    'setup',
    'sandbox',
    'deletion',
    'lifecycle',
    'search',
    'integration-status',
  ],
  transactions: ['copies', 'record', 'expected', 'validation', 'download', 'readable', 'feed', 'acknowledge', 'search'],
  fetches: ['history', 'usage', 'scheduling', 'failures', 'api', 'execution'],
  inbox: ['authentication', 'reception', 'smtp', 'retention'],
  provisioning: ['circuit', 'shared', 'redelivery', 'webhooks', 'push', 'retention', 'events', 'inspection'],
  timeline: [],
  transfers: ['file', 'fence', 'export', 'import', 'handover'],
  encryption: [],
  auth: [
    'keys',
    'tokens',
    'console-session',
    'cross-origin',
    'environment',
    'theme-preview',
    'ui-token',
    'scopes',
    'guards',
    'ui-session',
    'console-sign-in',
  ],
  console: ['overview', 'service'],
};

const ORDER = Object.keys(MODULES);
const inModule = (module) => `^src/${module}/`;
/** Files directly in src/, the start-up code, the command line and the API's documentation: they import every module, no module imports them. */
const ENTRY_POINTS = '^src/([^/]+$|(bootstrap|cli|api-docs)/)';
const SPEC = '\\.(long-)?spec\\.ts$';
const CONNECTOR = '^src/integrations/(?!core/|shared/|declarative/)[^/]+/';

const modules = ORDER.map((module, index) => ({
  name: `${module}-imports-left`,
  comment: `${module} imports only: ${['itself', ...ORDER.slice(0, index)].join(', ')}. The rule decides the module, not the URL.`,
  severity: 'error',
  from: { path: inModule(module) },
  to: { path: ['^migrations/', ENTRY_POINTS, ...ORDER.slice(index + 1).map(inModule)] },
}));

const folders = Object.entries(MODULES).flatMap(([module, names]) => {
  const inFolder = (folder) => `^src/${module}/${folder}/`;
  return names.slice(0, -1).map((folder, index) => ({
    name: `${module}-${folder}-imports-left`,
    comment: `${module}/${folder} imports only: ${['itself', ...names.slice(0, index)].join(', ')}.`,
    severity: 'error',
    from: { path: inFolder(folder), pathNot: SPEC },
    to: { path: names.slice(index + 1).map(inFolder) },
  }));
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...modules,
    ...folders,
    {
      name: 'every-folder-is-a-module',
      comment: 'A new folder below src/ needs its place in the order, at the top of this file.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: [ENTRY_POINTS, ...ORDER.map(inModule)] },
      to: {},
    },
    ...Object.entries(MODULES)
      .filter(([module]) => module !== 'integrations')
      .map(([module, names]) => ({
        name: `every-folder-of-${module}-has-its-place`,
        comment: 'A new sub-folder needs its place in the order, at the top of this file.',
        severity: 'error',
        from: { path: `^src/${module}/[^/]+/`, pathNot: names.map((folder) => `^src/${module}/${folder}/`) },
        to: {},
      })),
    {
      name: 'connectors-are-independent',
      comment: 'Code that two connectors need belongs in src/integrations/shared/.',
      severity: 'error',
      from: { path: '^src/integrations/([^/]+)/' },
      to: { path: CONNECTOR, pathNot: '^src/integrations/$1/' },
    },
    {
      name: 'only-the-registry-imports-connectors',
      comment:
        'Other code uses a connector through the Integration interface; whatever it needs is a field or a method there.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/integrations/integration-registry\\.ts$', '^src/integrations/[^/]+/'] },
      to: { path: CONNECTOR },
    },
    {
      name: 'production-imports-no-test',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: { path: ['^test/', SPEC] },
    },
    {
      name: 'migrations-are-independent',
      comment: 'A migration must not change when code changes later.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'fakes-demo-seed-and-guides-import-no-product-code',
      comment:
        'They stand for the other side (a provider, a client application, a reader) and must not share our mistakes.',
      severity: 'error',
      from: { path: '^test/(fakes|demo|seed|guides)/', pathNot: SPEC },
      to: { path: '^src/' },
    },
    {
      name: 'demo-seed-and-guides-import-what-their-build-compiles',
      comment:
        'Their build (`demo` in tools/build/targets.mjs) compiles only these folders and does not follow imports.',
      severity: 'error',
      from: { path: '^test/(demo|seed|guides|fakes|builders)/', pathNot: SPEC },
      to: { path: '^(test|tools|bench)/', pathNot: '^test/(demo|seed|guides|fakes|builders)/' },
    },
    {
      name: 'ui-uses-the-api-only',
      comment:
        'The UI uses the API, never the code behind it. With the drop-in it shares their messages, with the service the colors of a theme.',
      severity: 'error',
      from: { path: '^(ui|console)/' },
      to: {
        path: ['^src/(?!identities/environments/colors/)', '^(migrations|test)/', '^connect/(?!src/protocol\\.ts$)'],
      },
    },
    {
      name: 'ui-needs-no-console',
      comment: 'The console shares components, styles and texts of the hosted UI, not the other way round.',
      severity: 'error',
      from: { path: '^ui/' },
      to: { path: '^console/' },
    },
    {
      name: 'connect-is-independent',
      comment:
        'The drop-in is a package that runs in pages of clients: it needs nothing, except React for its component.',
      severity: 'error',
      from: { path: '^connect/src/', pathNot: SPEC },
      to: { path: ['^(src|migrations|test|tools|ui|sdk)/', 'node_modules/(?!(@types/)?react/)'] },
    },
    {
      name: 'client-uses-the-sdk-only',
      comment: 'The command line for developers is a program of the client: it uses the API through the SDK.',
      severity: 'error',
      from: { path: '^sdk/cli/', pathNot: SPEC },
      to: { path: '^(src|migrations|test|tools|ui|connect)/' },
    },
    {
      name: 'production-imports-no-sdk',
      comment: 'The SDK is generated from the OpenAPI document, which is generated from this code.',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'no-cycles',
      comment: 'Files that load each other. Types may refer to each other: they do not exist at run time.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'production-needs-no-development-packages',
      comment: 'Packages that production needs are listed under dependencies in package.json.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    includeOnly: [
      '^(src|migrations|test|bench|tools|ui|console|sdk|connect)/',
      '^mikro-orm\\.config\\.ts$',
      'node_modules/',
    ],
    doNotFollow: { path: ['node_modules/', '^dist/'] },
    exclude: { path: ['^(connect/)?dist/', '^ui/node_modules/', '^coverage/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
