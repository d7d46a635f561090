/**
 * Where the version of package.json is repeated: a file, and what it stands in. `openapi.json` has it too, and is generated.
 * @type {readonly (readonly [file: string, pattern: RegExp])[]}
 */
export const VERSION_PLACES = [
  ['connect/package.json', /(?<="version": ")[^"]+(?=")/],
  ['sdk/typescript/package.json', /(?<="version": ")[^"]+(?=")/],
  ['sdk/cli/package.json', /(?<="version": ")[^"]+(?=")/],
  ['sdk/cli/README.md', /(?<=docfetch-client-).+(?=\.tgz)/],
  ['sdk/python/pyproject.toml', /(?<=^version = ")[^"]+(?=")/m],
  ['sdk/go/README.md', /(?<=docfetch\.example\.com\/go@v)\S+/],
  ['sdk/java/pom.xml', /(?<=<artifactId>docfetch-sdk<\/artifactId>\s*<version>)[^<]+/],
  ['sdk/java/README.md', /(?<=<artifactId>docfetch-sdk<\/artifactId>\s*<version>)[^<]+/],
  ['sdk/php/composer.json', /(?<="version": ")[^"]+(?=")/],
  ['docs/guides/develop-on-your-laptop.md', /(?<=^docfetch-client --version\n```\n\n```text\n).+/m],
  ['docs/deploy/helm/docfetch/Chart.yaml', /(?<=^version: ).+/m],
  ['docs/deploy/helm/docfetch/Chart.yaml', /(?<=^appVersion: ).+/m],
];
