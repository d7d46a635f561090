import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { addCodeSamples } from '../../api-docs/code-samples';
import { addNamedExamples } from '../../api-docs/examples/add-examples';
import { distinguishSampleIds } from '../../api-docs/sample-ids';
import { leaveOptionalParametersEmpty } from '../../api-docs/unfilled-parameters';
import { describeScopes } from '../../auth/scopes/describe-scopes';
import { version } from '../../platform/config/version';
import { SESSION_SCHEMES } from '../../platform/http/access/access.decorator';
import { ERROR_BODIES } from '../../platform/openapi/error-bodies';
import { describeConventions, sortPaths } from '../../platform/openapi/describe-conventions';
import { describeErrors } from '../../platform/openapi/error-responses';
import { describeEnums } from '../../platform/openapi/api-enum';
import { describeRequests } from '../../platform/openapi/describe-requests';
import { nameEnvelopes, nameSchemas } from '../../platform/openapi/schema-names';
import { describeMessages, MESSAGE_BODIES } from '../../provisioning/events/messages.openapi';

const EXAMPLE_URL = 'https://docfetch.example.com';

const introduction = (home: string) => `
Docfetch fetches your customers' invoices and other documents from mailboxes, cloud storage, accounting tools and portals, and
delivers them to your backend.

## Overview

1. Register an **identity** for your customer and open the hosted UI with a **UI token**, or create a **connection** yourself.
2. Documents arrive as **transactions**: pushed to your provisioning URL, announced by webhook, or polled.
3. Connections are fetched on a schedule; \`fetch-now\` starts a fetch immediately.

**Authentication**: \`X-API-KEY\` is the key of your environment, for your backend only. \`X-TOKEN\` is a UI token, bound to one identity
for 30 minutes. All credentials that you send must be valid; with both, the token's narrower scope applies.

**Scopes and addresses**: the support team can issue a key for some scopes only (\`read\`, \`write\`, \`admin\`; every operation names the one
that it needs, otherwise 403 \`KEY_SCOPE_MISSING\`), and for some IP addresses only (otherwise 403 \`ADDRESS_NOT_ALLOWED\`). UI tokens have the
scopes of their key; they are issued only to its addresses, and then work from every address, because they are made for the browsers of your
customers. \`GET /v1/environment\` shows the scopes and addresses of your key.

**Web pages** of your own front end can call the API with \`X-TOKEN\` (CORS) when the support team has allowed their origin for your
environment; otherwise the response is 403 \`ORIGIN_NOT_ALLOWED\`. No cookies are used. \`X-API-KEY\` is never
accepted from web pages of other origins: 403 \`API_KEY_IN_BROWSER\`. See the guide [call the API from a web page](${home}/guides/call-from-a-web-page).

**Language**: send \`Lang: en\` or \`Lang: de\` to choose the language of messages and labels. Codes, ids and enum values are never
translated.

**Names and values**: field names are snake_case, ids are UUIDs, dates and times follow RFC 3339 in UTC. Success bodies contain \`data\`; lists
also contain \`meta\` with the cursor of the next page. Unknown properties in a body are rejected. Responses may get new properties,
enum values and codes without a new version.

**Errors** have one format; use \`code\` in your code. The [error reference](${home}/docs/errors) lists the cause and the remedy of each code. A known path with
another method returns 405 \`METHOD_NOT_ALLOWED\`; there, and in the response to \`OPTIONS\`, \`Allow\` lists the methods of the path.

**Start with the [guides](${home}/guides/)**: [quick start](${home}/guides/quick-start), [connect a user](${home}/guides/connect-a-user),
[receive documents](${home}/guides/receive-documents), [verify signatures](${home}/guides/verify-signatures). For generators:
[openapi.json](${home}/openapi.json).

To try the API on this page, **Authorize** with the API key of a test environment and **Try it out**, starting with \`POST /v1/identities\`. The
sample ids in examples are replaced by the ids from your own requests in this tab, and a UI token that you create is used automatically.
`;

/** In the order of a typical integration. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['UI token', 'Access to the hosted UI, in which an end user creates, edits and deletes connections.'],
  ['Identities', 'The entities of your application (users, companies, accounts) that documents are fetched for.'],
  ['Integrations', 'The available integrations and their input fields.'],
  ['Connections', 'Links between identities and integrations: setup in two steps, status, deletion.'],
  ['Fetches', 'Runs that look for new documents: fetch-now and the history.'],
  ['Transactions', 'Documents: one transaction for each document of each connection.'],
  ['Environment', 'Your settings, limits, retention and the usage of the current month.'],
  ['Webhooks', 'Subscriptions to events, and the log of their deliveries.'],
  ['Sandbox', 'Scenarios and documents for sandbox portals. Test environments only.'],
  ['Health', 'For operators: liveness and readiness of the service.'],
  [
    'Messages',
    'Requests that the service sends to you: documents to your provisioning URL, events to your webhooks. Respond quickly with 200, and verify the signature of every message.',
  ],
  [
    'Console',
    'For the console at `/console`, the page for developers of clients and for the support team; your backend does not need them. A session of the console may also use every operation that accepts `X-API-KEY`, with the cookie and `X-CSRF-TOKEN` instead of it; then these errors may occur too: 401 `INVALID_SESSION`, 403 `INVALID_CSRF_TOKEN`, 403 `NOT_YOUR_ENVIRONMENT`, 403 `ORIGIN_NOT_ALLOWED` and 422 `NO_API_KEY`.',
  ],
];

/** spec: `{base_url}`. A document that is not served by an installation leaves the URL open. */
const BASE_URL = { base_url: { default: EXAMPLE_URL, description: 'The base URL of your installation.' } };

/**
 * Generates the OpenAPI document. Works on an application in preview mode, without a database.
 * @param publicUrl the URL of the installation that serves the document; without it the URL is left open
 */
export function describeApi(app: INestApplication, publicUrl?: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Docfetch')
    .setVersion(version())
    .setDescription(introduction(publicUrl ?? EXAMPLE_URL).trim())
    .setContact('Docfetch support', `${EXAMPLE_URL}/support`, 'support@docfetch.example.com')
    .setLicense('Proprietary', `${EXAMPLE_URL}/license`)
    .setTermsOfService(`${EXAMPLE_URL}/terms`)
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-KEY',
        description:
          'The key of an environment, issued by the support team: `df_live_…` or `df_test_…`. For backends only, never in a browser.',
      },
      'X-API-KEY',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-TOKEN',
        description: 'A UI token from `POST /token`: a JWT, bound to one identity, valid for 30 minutes.',
      },
      'X-TOKEN',
    )
    .addCookieAuth(
      '__Host-docfetch_console',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'The session of the console, from `POST /v1/console/session`; `docfetch_console` when the service is not reached by https. Only for its own pages.',
      },
      SESSION_SCHEMES.cookie,
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: SESSION_SCHEMES.csrfToken,
        description: 'The `csrf_token` of the session of the console, together with its cookie.',
      },
      SESSION_SCHEMES.csrfToken,
    )
    .setExternalDoc('The meaning of each error code, and the remedy', `${publicUrl ?? EXAMPLE_URL}/docs/errors`);
  if (publicUrl === undefined) builder.addServer('{base_url}', 'The installation that you use.', BASE_URL);
  else builder.addServer(publicUrl, 'This installation.');
  for (const [name, description] of TAGS) builder.addTag(name, description);

  const scanned = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [...ERROR_BODIES, ...MESSAGE_BODIES],
  });
  describeEnums(scanned);
  describeScopes(scanned);
  describeErrors(scanned);
  describeConventions(scanned);
  nameEnvelopes(scanned);
  sortPaths(scanned);
  describeMessages(scanned);
  const document = nameSchemas(scanned);
  describeRequests(document);
  distinguishSampleIds(document);
  addNamedExamples(document);
  addCodeSamples(document);
  leaveOptionalParametersEmpty(document);
  return document;
}
