import { documentForGenerators } from './document.mjs';

/**
 * The operations: whether a POST accepts an `Idempotency-Key`, which makes it safe to repeat, the credentials it accepts, and
 * whether all its successes are JSON or have no content.
 */
export function operations({ paths, components } = documentForGenerators()) {
  const resolve = (parameter) =>
    parameter.$ref ? components.parameters[parameter.$ref.replace('#/components/parameters/', '')] : parameter;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId)
      .map(([method, { parameters = [], security = [], responses }]) => ({
        method: method.toUpperCase(),
        path,
        isRepeatable:
          method === 'post' && parameters.map(resolve).some(({ name }) => name.toLowerCase() === 'idempotency-key'),
        key: security.some((scheme) => 'X-API-KEY' in scheme),
        token: security.some((scheme) => 'X-TOKEN' in scheme),
        isJson: Object.entries(responses)
          .filter(([status]) => status < '3')
          .every(([, { content = {} }]) => Object.keys(content).every((type) => type === 'application/json')),
      })),
  );
}

/** The codes of all errors, in alphabetical order: each response with an error lists its own. */
export function errorCodes({ paths } = documentForGenerators()) {
  const responses = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) => Object.entries(responses ?? {}))
    .filter(([status]) => status >= '4');
  const codes = responses.flatMap(([, { description = '' }]) =>
    [...description.matchAll(/^- `([A-Z][A-Z0-9_]+)`/gm)].map(([, code]) => code),
  );
  return [...new Set(codes)].sort();
}
