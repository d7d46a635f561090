import { credentialOf, pathOf, type SampleCall, variableOf } from './sample-call';

/** The request in Python, with the package `requests`. */
export function python(call: SampleCall): string {
  const credential = credentialOf(call.operation);
  const headers = credential && `headers={"${credential}": os.environ["${variableOf(credential)}"]}`;
  const input = [
    `os.environ["DOCFETCH_URL"] + "${pathOf(call)}"`,
    ...(headers ? [headers] : []),
    ...(call.body === undefined ? [] : [`json=${pythonLiteral(call.body)}`]),
  ];
  return [
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${call.method}(`,
    ...input.map((line) => `    ${line},`),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** The request in PHP, without any extension. */
export function php(call: SampleCall): string {
  const credential = credentialOf(call.operation);
  const headers = [
    ...(credential ? [`'${credential}: ' . getenv('${variableOf(credential)}')`] : []),
    ...(call.body === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${call.method.toUpperCase()}',`,
    ...(headers.length > 0 ? [`    'header' => [${headers.join(', ')}],`] : []),
    ...(call.body === undefined ? [] : [`    'content' => '${phpText(JSON.stringify(call.body))}',`]),
    "    'ignore_errors' => true,",
    ']]);',
    `echo file_get_contents(getenv('DOCFETCH_URL') . '${pathOf(call)}', false, $context);`,
  ].join('\n');
}

const phpText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");

/** JSON in Python notation. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
    .join(', ')}}`;
}
