const tsJest = require('ts-jest').default;

const compiler = tsJest.createTransformer({ tsconfig: '<rootDir>/tsconfig.json' });
let config;

/**
 * ts-jest, without what distinguishes the configurations of Jest: ts-jest adds all of it to the key of its cache, so that every
 * command, and every run with other paths, would compile the application again. Jest's part of the key is `id` in jest.config.js.
 */
const withSharedConfig = (options) => {
  const { rootDir, cwd, cacheDirectory, cache } = options.config;
  config ??= { rootDir, cwd, cacheDirectory, cache, testMatch: [], testRegex: [], globals: {}, transform: [] };
  return { ...options, config };
};

module.exports = {
  getCacheKey: (text, file, options) => compiler.getCacheKey(text, file, withSharedConfig(options)),
  process: (text, file, options) => compiler.process(text, file, withSharedConfig(options)),
};
