import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { addCodeSamples } from '../../api-docs/code-samples';
import { addNamedExamples } from '../../api-docs/examples/add-examples';
import { distinguishSampleIds } from '../../api-docs/sample-ids';
import { leaveOptionalParametersEmpty } from '../../api-docs/unfilled-parameters';
import { ERROR_BODIES } from '../../platform/openapi/error-bodies';
import { describeConventions, sortPaths } from '../../platform/openapi/describe-conventions';
import { describeErrors } from '../../platform/openapi/error-responses';
import { describeEnums } from '../../platform/openapi/api-enum';
import { nameEnvelopes, nameSchemas } from '../../platform/openapi/schema-names';
import { describeMessages, MESSAGE_BODIES } from '../../provisioning/events/messages.openapi';

const HOME = 'https://docfetch.example.com';

const describe = (home: string) => `
Docfetch fetches your customers' invoices and other documents from mailboxes, cloud storage, accounting tools and portals, and hands
them to your backend.

## In three steps

1. Register an **identity** for your customer and open the hosted UI with a **UI token**, or create a **connection** yourself.
2. Documents arrive as **transactions**: pushed to your provisioning URL, announced by webhook, or polled.
3. That is all. Connections are fetched on schedule; \`fetch-now\` does it at once.

**Authentication**: \`X-API-KEY\` is the key of your environment, for your backend only. \`X-TOKEN\` is a UI token, bound to one identity
for 30 minutes. Whatever you send must be valid; with both, the token's narrower scope applies.

**Web pages** of your own front end can call the API with \`X-TOKEN\` (CORS) when the support team has allowed their origin for your
environment; otherwise the answer is 403 \`ORIGIN_NOT_ALLOWED\`. There is no credentials mode: no cookies are used. \`X-API-KEY\` is never
accepted from web pages of other origins: 403 \`API_KEY_IN_BROWSER\`. The guide is [call the API from a web page](${home}/docs/guides/call-from-a-web-page).

**Language**: send \`Lang: en\` or \`Lang: de\` to choose the language of messages and labels. Codes, ids and enum values are never
translated.

**Names and values**: field names are snake_case, ids are UUIDs, dates and times follow RFC 3339 in UTC. Success bodies hold \`data\`; lists
also hold \`meta\` with the cursor of the next page. Unknown properties in a body are refused. In answers, expect new properties, new
enum values and new codes: they are not a new version.

**Errors** have one shape; decide by \`code\`. The [error reference](${home}/docs/errors) says what causes each and what to do. A known path with another method
is 405 \`METHOD_NOT_ALLOWED\`; there, and in the answer to \`OPTIONS\`, \`Allow\` names the methods of the path.

**Begin with the [guides](${home}/docs/guides)**: [quick start](${home}/docs/guides/quick-start), [connect a user](${home}/docs/guides/connect-a-user),
[receive documents](${home}/docs/guides/receive-documents), [verify signatures](${home}/docs/guides/verify-signatures). For generators:
[openapi.json](${home}/openapi.json).

To work here, **Authorize** with the API key of a test environment and **Try it out**, beginning with \`POST /v1/identities\`. The sample
ids in examples are replaced by those that your own requests in this tab were answered with, and a UI token that you create is used at once.
`;

/** In the order in which one needs them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['UI token', 'Opening the hosted UI, in which an end user creates, edits and deletes connections.'],
  ['Identities', 'The entities of your application (users, companies, accounts) that documents are fetched for.'],
  ['Integrations', 'What can be connected, and which input it asks for.'],
  ['Connections', 'Links between identities and integrations: their setup in two steps, their status, their end.'],
  ['Fetches', 'Looking for new documents: ahead of the schedule, and what came of it.'],
  ['Transactions', 'The documents: one transaction for each document of each connection.'],
  ['Environment', 'Your settings, limits, retention, and the usage of the month.'],
  ['Webhooks', 'Where you want to be told of events, and the log of what was sent there.'],
  ['Sandbox', 'For tests: break and fill a sandbox portal on command. Test environments only.'],
  ['Health', 'For operators: whether the service lives and can answer.'],
  [
    'Messages',
    'What the service sends to you: documents to your provisioning URL, events to your webhooks. Answer 200, quickly; verify the signature before you believe a message.',
  ],
];

/** spec: `{base_url}`. What is not described by an installation itself has to leave the address open. */
const BASE_URL = { base_url: { default: HOME, description: 'The address that you have been given.' } };

/**
 * Describes the API. Works on an application that was created in preview mode, so without a database.
 * @param publicUrl the address of the installation that describes itself; without it the address is left open
 */
export function describeApi(app: INestApplication, publicUrl?: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Docfetch')
    .setVersion('1.0')
    .setDescription(describe(publicUrl ?? HOME).trim())
    .setContact('Docfetch support', `${HOME}/support`, 'support@docfetch.example.com')
    .setLicense('Proprietary', `${HOME}/licence`)
    .setTermsOfService(`${HOME}/terms`)
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
    .setExternalDoc('What each error code means, and what to do', `${publicUrl ?? HOME}/docs/errors`);
  if (publicUrl === undefined) builder.addServer('{base_url}', 'The installation that you use.', BASE_URL);
  else builder.addServer(publicUrl, 'This installation.');
  for (const [name, description] of TAGS) builder.addTag(name, description);

  const scanned = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [...ERROR_BODIES, ...MESSAGE_BODIES],
  });
  describeEnums(scanned);
  describeErrors(scanned);
  describeConventions(scanned);
  nameEnvelopes(scanned);
  sortPaths(scanned);
  describeMessages(scanned);
  const document = nameSchemas(scanned);
  distinguishSampleIds(document);
  addNamedExamples(document);
  addCodeSamples(document);
  leaveOptionalParametersEmpty(document);
  return document;
}
