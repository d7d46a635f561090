/**
 * Functions of the Swagger page. @nestjs/swagger writes their source into the page's script: they run in the browser
 * and may not refer to anything outside of themselves. `window.ui.getConfigs().sampleIds` holds `SAMPLE_IDS`.
 */

interface SwaggerRequest {
  url: string;
  body?: unknown;
}
interface SwaggerResponse {
  readonly ok: boolean;
  readonly url: string;
  readonly obj?: { readonly data?: unknown; readonly uuid?: unknown };
}
declare const window: {
  readonly location: { readonly origin: string };
  readonly sessionStorage: { getItem(name: string): string | null; setItem(name: string, value: string): void };
  readonly ui: {
    getConfigs(): { readonly sampleIds: Readonly<Record<string, string>> };
    preauthorizeApiKey(scheme: string, value: string): void;
  };
};

/** Replaces sample ids in URL and body by the ids from responses to the reader's own requests. */
export function fillInRememberedIds(request: SwaggerRequest): SwaggerRequest {
  const { sampleIds } = window.ui.getConfigs();
  const remembered = JSON.parse(window.sessionStorage.getItem('docfetch.ids') ?? '{}') as Record<string, string>;
  for (const [kind, sample] of Object.entries(sampleIds)) {
    const id = remembered[kind];
    if (id === undefined) continue;
    request.url = request.url.replaceAll(sample, id);
    if (typeof request.body === 'string') request.body = request.body.replaceAll(sample, id);
  }
  return request;
}

/**
 * Stores for this tab the ids of a successful response (for a list, those of its first item), and authorizes the page
 * with a UI token that the response contains.
 */
export function rememberIds(response: SwaggerResponse): SwaggerResponse {
  if (!response.ok || typeof response.obj !== 'object' || response.obj === null) return response;
  const data: unknown = response.obj.data ?? response.obj;
  const first = (Array.isArray(data) ? data[0] : data) as Record<string, unknown> | undefined;
  if (typeof first !== 'object' || first === null) return response;
  const remembered = JSON.parse(window.sessionStorage.getItem('docfetch.ids') ?? '{}') as Record<string, string>;
  for (const kind of Object.keys(window.ui.getConfigs().sampleIds)) {
    const id = first[`${kind}_uuid`];
    if (typeof id === 'string') remembered[kind] = id;
  }
  const path = new URL(response.url, window.location.origin).pathname;
  const collection = path.match(/fetch-now|fetches|webhooks?(?=\/|$)|connections/g)?.at(-1);
  if (typeof first.uuid === 'string' && collection) {
    const kind = collection.startsWith('fetch') ? 'fetch' : collection.replace(/s$/, '');
    remembered[kind] = first.uuid;
  }
  window.sessionStorage.setItem('docfetch.ids', JSON.stringify(remembered));
  if (/\/token$/.test(path) && typeof first.token === 'string') window.ui.preauthorizeApiKey('X-TOKEN', first.token);
  return response;
}
