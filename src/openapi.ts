import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const DESCRIPTION = `
Docfetch fetches your customers' invoices and other documents from mailboxes, cloud storage, accounting tools and portals, and hands
them to your backend.

**In three steps**

1. Register an **identity** for your customer and open the hosted UI with a **UI token**, or create a **connection** yourself.
2. Documents arrive as **transactions**: pushed to your provisioning URL, or polled.
3. That is all. Connections are fetched on schedule; \`fetch-now\` does it at once.

**Authentication**: \`X-API-KEY\` is the key of your environment, for your backend only. \`X-TOKEN\` is a UI token, bound to one identity
for 30 minutes. **Language**: send \`Lang: en\` or \`Lang: de\` to choose the language of messages and labels. **Dates** follow RFC 3339.
`;

/** Describes the API. Works on an application that was created in preview mode, so without a database. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Docfetch')
    .setVersion('1.0')
    .setDescription(DESCRIPTION.trim())
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The key of an environment.' },
      'X-API-KEY',
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-TOKEN', description: 'A UI token, bound to one identity.' },
      'X-TOKEN',
    )
    .setExternalDoc('What each error code means, and what to do', '/docs/errors')
    .addTag('Identities', 'The entities of your application that documents are fetched for.')
    .addTag('UI token', 'Opening the hosted UI.')
    .addTag('Integrations', 'What can be connected.')
    .addTag('Connections', 'Links between identities and integrations.')
    .addTag('Fetches', 'Fetching ahead of the schedule, and what became of each fetch.')
    .addTag('Transactions', 'The documents.')
    .addTag('Health', 'For operators.')
    .build();
  return SwaggerModule.createDocument(app, config);
}
