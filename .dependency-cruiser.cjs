/**
 * The house as a row of rooms: a file imports only from its own room and from rooms to its left. This array is the only
 * place where the row is written down for machines; ARCHITECTURE.md says what each room is for.
 */
const ROW = [
  'platform',
  'documents',
  'integrations',
  'identities',
  'connections',
  'transactions',
  'fetches',
  'provisioning',
  'auth',
];

const inRoom = (room) => `^src/${room}/`;
/** Files directly in src/ (main, schema, …), the command line and the API's documentation: they open every room, and no room knows them. */
const DOORS = '^src/([^/]+$|(cli|api-docs)/)';
const SPEC = '\\.spec\\.ts$';
const CONNECTOR = '^src/integrations/(?!shared/)[^/]+/';

const row = ROW.map((room, place) => ({
  name: `${room}-looks-left`,
  comment: `${room} knows only: ${['itself', ...ROW.slice(0, place)].join(', ')}. The rule decides the room, not the URL.`,
  severity: 'error',
  from: { path: inRoom(room) },
  to: { path: ['^migrations/', DOORS, ...ROW.slice(place + 1).map(inRoom)] },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...row,
    {
      name: 'every-folder-is-a-room',
      comment: 'A new folder below src/ needs its place in the row, at the top of this file.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: [DOORS, ...ROW.map(inRoom)] },
      to: {},
    },
    {
      name: 'connectors-stand-alone',
      comment: 'What two connectors need belongs into src/integrations/shared/.',
      severity: 'error',
      from: { path: '^src/integrations/([^/]+)/' },
      to: { path: CONNECTOR, pathNot: '^src/integrations/$1/' },
    },
    {
      name: 'only-the-catalogue-knows-connectors',
      comment:
        'Others see a connector through the interface; what they need to know of one is a field or a method there.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/integrations/catalogue\\.ts$', '^src/integrations/[^/]+/'] },
      to: { path: CONNECTOR },
    },
    {
      name: 'production-knows-no-test',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: { path: ['^test/', SPEC] },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A migration says what was right on its day; code that changes later would change it too.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'fakes-demo-and-guides-stand-outside',
      comment: 'They play the other side (a provider, a client application, a reader) and must not share our mistakes.',
      severity: 'error',
      from: { path: '^test/(fakes|demo|guides)/', pathNot: SPEC },
      to: { path: '^src/' },
    },
    {
      name: 'ui-speaks-http',
      comment: 'The UI knows the API, never the code behind it.',
      severity: 'error',
      from: { path: '^ui/' },
      to: { path: '^(src|migrations|test)/' },
    },
    {
      name: 'production-knows-no-sdk',
      comment: 'The SDK is made from the document of the API, which is made from production.',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'no-cycles',
      comment: 'Files that load each other. Types may refer to each other: they are gone when the program runs.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'production-needs-no-development-packages',
      comment: 'What runs in production stands under dependencies in package.json.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    includeOnly: ['^(src|migrations|test|bench|tools|ui|sdk)/', '^mikro-orm\\.config\\.ts$', 'node_modules/'],
    doNotFollow: { path: ['node_modules/', '^dist/'] },
    exclude: { path: ['^dist/', '^ui/node_modules/', '^coverage/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
