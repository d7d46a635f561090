export interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly [name: string]: unknown;
}

export interface Document {
  readonly paths?: Readonly<Record<string, object>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
  readonly [name: string]: unknown;
}

/**
 * The document with its webhooks as operations that answer with the message. oasdiff takes the message for a request that the
 * service reads; but the service sends it, so a property that is missing breaks its receivers and a further one does not.
 */
export function withoutWebhooks({ webhooks = {}, ...document }: Document): Document {
  const messages = Object.entries(webhooks).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`/webhooks/${name}`, { [method]: asAnswer(operation) }]),
  );
  return { ...document, paths: { ...document.paths, ...(Object.fromEntries(messages) as Record<string, object>) } };
}

function asAnswer({ parameters = [], requestBody, ...operation }: Operation): Operation {
  const headers = Object.fromEntries(parameters.map(({ name, in: _, ...header }) => [name, header]));
  return { ...operation, responses: { '200': { description: 'The message', headers, content: requestBody?.content } } };
}
