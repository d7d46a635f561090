/**
 * What can be built, and from what. `inputs` are files and folders of the repository: a build is repeated when the content of one
 * of them differs. `outputs` must exist after a build, and `folders` of dist/ contain nothing but what was made from the
 * folder of the same name. `commands` are run by Node, one after the other.
 */
export const TARGETS = {
  service: {
    about: 'Docfetch',
    inputs: [
      'tools/build',
      'package.json',
      'package-lock.json',
      'nest-cli.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'mikro-orm.config.ts',
      'src',
      'migrations',
      'i18n',
      'docs/guides',
      'docs/examples',
      'openapi.json',
      'sdk/typescript',
      'ui',
    ],
    outputs: ['dist/src/main.js', 'dist/src/migrate.js', 'dist/src/cli.js', 'dist/ui/index.html'],
    folders: ['src', 'migrations', 'i18n', 'docs'],
    commands: [['node_modules/@nestjs/cli/bin/nest.js', 'build'], ['sdk/typescript/build.mjs'], ['ui/build.mjs']],
  },
  demo: {
    about: 'the demo',
    after: 'service',
    inputs: [
      'tools/build',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.demo.json',
      'test/demo',
      'test/guides',
      'test/fakes',
      'test/builders',
    ],
    outputs: ['dist/test/demo/main.js', 'dist/test/guides/main.js'],
    folders: ['test'],
    commands: [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.demo.json']],
  },
};

/** Files below an input that nothing is built from, or that a build makes there itself. */
export const IGNORED = [/\.spec\.tsx?$/, /^sdk\/typescript\/(dist|src\/generated|\.stage-[^/]*)\//];
