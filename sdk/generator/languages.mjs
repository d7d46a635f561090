// cspell:ignore nextgen travis
import { errorCodes, operations } from './constants.mjs';
import { finishGo } from './go.mjs';
import { withMarks } from './marks.mjs';
import { withPlainEnums } from './plain-enums.mjs';
import { finishPython } from './python.mjs';

const NOTICE = 'sdk/generate.mjs generates this file from openapi.json.';

/**
 * How each SDK is generated: the options of its generator, and the files beside its code. `generated` is the folder that is
 * made, `from` its place in what the generator writes. The templates of a language are in its folder `templates`.
 */
export const LANGUAGES = {
  python: {
    generator: 'python',
    generated: 'docfetch/generated',
    from: 'docfetch/generated',
    properties: { packageName: 'docfetch.generated', generateSourceCodeOnly: true },
    // Names that the generated code needs itself; an underscore behind them is Python's convention.
    nameMappings: { base64: 'base64_', class: 'class_', date: 'date_', field: 'field_' },
    finish: finishPython,
    ignored: ['*_README.md'],
    files: () => ({
      'constants.py': [
        `# ${NOTICE}`,
        '"""The codes of errors, and the operations that can be repeated."""\n\n',
        'class ErrorCode:',
        '    """The codes of errors. Later versions of the service may add codes."""\n',
        ...errorCodes().map((code) => `    ${code} = "${code}"`),
        '\n',
        '# The paths whose POST accepts an `Idempotency-Key`.',
        `REPEATABLE_POSTS = frozenset(${JSON.stringify(
          operations()
            .filter(({ isRepeatable }) => isRepeatable)
            .map(({ path }) => path),
          null,
          4,
        )})\n`,
      ].join('\n'),
    }),
  },
  go: {
    generator: 'go',
    generated: 'api',
    from: '.',
    properties: { packageName: 'api', enumClassPrefix: true, withGoMod: false, generateInterfaces: false },
    finish: finishGo,
    typeMappings: { number: 'float64' },
    ignored: ['api/**', 'README.md', 'git_push.sh', '.travis.yml', '.gitignore', 'go.*'],
    files: () => ({
      'constants.go': [
        `// ${NOTICE}\n`,
        'package api\n',
        '// The codes of errors. Later versions of the service may add codes.',
        'const (',
        ...errorCodes().map((code) => `\tCode${pascal(code)} = "${code}"`),
        ')\n',
        '// Operation tells what a request may carry.',
        'type Operation struct {',
        '\tMethod, Path            string',
        '\tIdempotent, Key, Token, JSON bool',
        '}\n',
        '// Operations has all operations; Idempotent ones are POSTs that accept an Idempotency-Key, JSON ones have no other content.',
        'var Operations = []Operation{',
        ...operations().map(
          ({ method, path, isRepeatable, key, token, isJson }) =>
            `\t{"${method}", "${path}", ${isRepeatable}, ${key}, ${token}, ${isJson}},`,
        ),
        '}\n',
      ].join('\n'),
    }),
  },
  java: {
    generator: 'java',
    generated: 'src/main/java/com/example/docfetch/api',
    from: 'src/main/java/com/example/docfetch/api',
    properties: {
      library: 'native',
      apiPackage: 'com.example.docfetch.api',
      modelPackage: 'com.example.docfetch.api',
      invokerPackage: 'com.example.docfetch.invoker',
      openApiNullable: true,
    },
    // Every object has a method of that name.
    nameMappings: { equals: 'equalsValue' },
    // Not every address of the API is one for java.net.URI; the content of a document has base64 in its name.
    typeMappings: { URI: 'String', ByteArray: 'String' },
    ignored: ['**/invoker/**', '**/AbstractOpenApiSchema.java'],
    document: withMarks,
    files: () => ({
      'ErrorCode.java': [
        `// ${NOTICE}`,
        'package com.example.docfetch.api;\n',
        '/** The codes of errors. Later versions of the service may add codes. */',
        'public final class ErrorCode {',
        ...errorCodes().map((code) => `  public static final String ${code} = "${code}";`),
        '',
        '  private ErrorCode() {}',
        '}\n',
      ].join('\n'),
    }),
  },
  php: {
    generator: 'php-nextgen',
    generated: 'src/Api',
    from: 'src/Api',
    properties: {
      invokerPackage: 'Docfetch',
      apiPackage: 'Api',
      modelPackage: 'Api',
      variableNamingConvention: 'camelCase',
    },
    // PHP has no type for a date without a time.
    typeMappings: { date: 'string', DateTime: '\\DateTimeInterface' },
    ignored: ['**/*Interface.php'],
    document: (document) => withMarks(withPlainEnums(document)),
    files: () => ({
      'ErrorCode.php': [
        '<?php\n',
        `// ${NOTICE}\n`,
        'declare(strict_types=1);\n',
        'namespace Docfetch\\Api;\n',
        '/** The codes of errors. Later versions of the service may add codes. */',
        'final class ErrorCode',
        '{',
        ...errorCodes().map((code) => `    public const ${code} = '${code}';`),
        '',
        '    private function __construct()',
        '    {',
        '    }',
        '}\n',
      ].join('\n'),
    }),
  },
};

const pascal = (code) =>
  code
    .split('_')
    .map((word) => word[0] + word.slice(1).toLowerCase())
    .join('');
