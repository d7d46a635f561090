// @ts-check
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Counts the lines of a file; the second name allows a warning and an error with different limits. */
const fileLength = {
  meta: { schema: [{ type: 'integer' }] },
  create: (context) => ({
    'Program:exit': (node) => {
      const [limit] = context.options;
      const length = context.sourceCode.text.trimEnd().split('\n').length;
      if (length > limit)
        context.report({ node, message: `${length} lines; ${limit} are enough. What here is a second thing?` });
    },
  }),
};

/** Counts what a class asks for in its constructor. */
const constructorLength = {
  meta: { schema: [{ type: 'integer' }] },
  create: (context) => ({
    'MethodDefinition[kind="constructor"]': (node) => {
      const [limit] = context.options;
      const { length } = node.value.params;
      if (length > limit)
        context.report({ node, message: `${length} dependencies; ${limit} are enough. What here is a second task?` });
    },
  }),
};

const docfetch = {
  rules: {
    'file-length': fileLength,
    'file-length-limit': fileLength,
    'constructor-length': constructorLength,
    'constructor-length-limit': constructorLength,
  },
};

const BARRELS = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares it.' },
  { selector: 'ExportNamedDeclaration[source]', message: 'No barrels: import from the file that declares it.' },
];
const ENVIRONMENT = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'The environment is read by Settings and awsEnvironment() only.',
  },
  {
    selector: "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
    message: 'The environment is read by Settings and awsEnvironment() only.',
  },
];
const ONLY = [
  {
    selector: "MemberExpression[property.name='only'][object.name=/^(it|test|describe)$/]",
    message: 'The other tests would be left out.',
  },
  { selector: 'CallExpression[callee.name=/^(fit|fdescribe)$/]', message: 'The other tests would be left out.' },
];

const NAMED_STATEMENT =
  'Behind a pooler, statements have no names: use prepared() or preparedQuery() of src/platform/database.';
/** A log line is a constant message and fields, by which lines can be found and counted. */
const LOG_LINES = [
  {
    selector:
      'CallExpression:matches([callee.object.property.name="logger"], [callee.object.name="logger"]) > TemplateLiteral[expressions.length>0]',
    message: "What varies is a field: this.logger.warn({ name }, 'A constant sentence').",
  },
];
const STATEMENTS = [
  {
    selector:
      "ObjectExpression:has(> Property[key.name='name']):has(> Property[key.name='text']):has(> Property[key.name='values'])",
    message: NAMED_STATEMENT,
  },
  {
    selector: "CallExpression[callee.property.name='query'] > ObjectExpression > Property[key.name='name']",
    message: NAMED_STATEMENT,
  },
];
const DATABASE = 'src/platform/database/**/*.ts';

/** The only readers of the environment. */
const CONFIG = ['src/platform/config/settings.ts', 'src/platform/storage/aws-environment.ts'];

export default defineConfig(
  globalIgnores(['**/dist/', '**/coverage/', '**/.docfetch/', 'docs/examples/', '**/generated/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  { files: ['**/*.js', '**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // The rules that need types are those of .oxlintrc.json.
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    plugins: { docfetch },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An interface that gives a class the fields of its values.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      'no-restricted-syntax': ['error', ...BARRELS, ...ONLY],
      'no-restricted-imports': [
        'error',
        {
          name: '@nestjs/common',
          importNames: ['forwardRef'],
          message: 'Two classes that need each other are one, or three.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', '{ui,console}/src/**/*.{ts,tsx}', 'connect/src/**/*.ts', 'sdk/cli/src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'docfetch/file-length': ['warn', 200],
      'docfetch/file-length-limit': ['error', 300],
      'docfetch/constructor-length': ['warn', 5],
      'docfetch/constructor-length-limit': ['error', 6],
      'no-restricted-syntax': ['error', ...BARRELS, ...ONLY, ...ENVIRONMENT, ...STATEMENTS, ...LOG_LINES],
    },
  },
  {
    files: [DATABASE],
    rules: { 'no-restricted-syntax': ['error', ...BARRELS, ...ONLY, ...ENVIRONMENT, ...LOG_LINES] },
  },
  // Connections of their own would not follow DATABASE_POOLER.
  {
    files: ['src/**/*.ts'],
    ignores: [DATABASE, '**/*.spec.ts', '**/*.long-spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { name: 'pg', allowTypeImports: true, message: 'Connections are opened in src/platform/database.' },
      ],
    },
  },
  // Runs in the browser.
  {
    files: ['tools/docs-site/theme/**'],
    languageOptions: { globals: { document: 'readonly', localStorage: 'readonly', window: 'readonly' } },
  },
  // One file per language, whatever there is to say.
  {
    files: ['{ui,console,sdk/cli}/src/messages/{en,de}.ts'],
    rules: { 'docfetch/file-length': 'off', 'docfetch/file-length-limit': 'off' },
  },
  { files: CONFIG, rules: { 'no-restricted-syntax': ['error', ...BARRELS, ...ONLY] } },
  {
    files: ['**/index.ts'],
    rules: { 'no-restricted-syntax': ['error', { selector: 'Program', message: 'No barrels.' }] },
  },
  // The door of a published package: what it exports is what there is.
  { files: ['sdk/typescript/src/index.ts', 'connect/src/index.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', '**/*.spec.ts', '**/*.long-spec.ts'],
    rules: {
      'docfetch/file-length': 'off',
      'docfetch/file-length-limit': 'off',
      // Tests may look at the environment that they run in.
      'no-restricted-syntax': ['error', ...BARRELS, ...ONLY],
      // Wire protocols are made of control characters.
      'no-control-regex': 'off',
    },
  },
  prettier,
);
