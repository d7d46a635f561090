/**
 * The pages of the site that are written by hand, in the order of its navigation. `file` is a path of the repository, `path`
 * the address of the page below `/guides/`; without a `title` the first heading is used.
 */
export const SECTIONS = [
  {
    title: 'Start',
    pages: [
      { file: 'docs/README.md', path: 'index', title: 'Overview' },
      { file: 'docs/guides/quick-start.md', path: 'quick-start' },
      { file: 'docs/guides/your-mailbox-to-your-endpoint.md', path: 'your-mailbox-to-your-endpoint' },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { file: 'docs/guides/connect-a-user.md', path: 'connect-a-user' },
      { file: 'docs/guides/receive-documents.md', path: 'receive-documents', title: 'Receive documents' },
      { file: 'docs/guides/call-from-a-web-page.md', path: 'call-from-a-web-page' },
      { file: 'docs/guides/verify-signatures.md', path: 'verify-signatures' },
      { file: 'docs/guides/verify-the-return-address.md', path: 'verify-the-return-address' },
      { file: 'docs/guides/migrate-connections.md', path: 'migrate-connections' },
      { file: 'docs/guides/test-with-the-sandbox.md', path: 'test-with-the-sandbox' },
      { file: 'docs/guides/develop-on-your-laptop.md', path: 'develop-on-your-laptop' },
      {
        file: 'docs/guides/find-out-why-a-document-did-not-arrive.md',
        path: 'find-out-why-a-document-did-not-arrive',
      },
      { file: 'docs/guides/receive-mails.md', path: 'receive-mails' },
      { file: 'docs/guides/add-a-provider.md', path: 'add-a-provider' },
    ],
  },
  {
    title: 'Product',
    pages: [
      { file: 'docs/documents/what-is-fetched.md', path: 'what-is-fetched' },
      { file: 'docs/documents/read-and-proven.md', path: 'read-and-proven' },
      { file: 'docs/documents/metadata-from-pdfs.md', path: 'metadata-from-pdfs' },
      { file: 'docs/documents/same-invoices.md', path: 'same-invoices' },
      { file: 'docs/documents/expected-documents.md', path: 'expected-documents' },
      { file: 'docs/integrate/hosted-ui.md', path: 'hosted-ui' },
      { file: 'docs/integrate/console.md', path: 'console' },
      { file: 'docs/integrate/authentication.md', path: 'authentication' },
      { file: 'docs/integrate/limits-and-idempotency.md', path: 'limits-and-idempotency' },
      { file: 'docs/integrate/sdks.md', path: 'sdks' },
      { file: 'sdk/typescript/README.md', path: 'typescript-sdk', title: 'TypeScript SDK' },
      { file: 'sdk/python/README.md', path: 'python-sdk', title: 'Python SDK' },
      { file: 'sdk/go/README.md', path: 'go-sdk', title: 'Go SDK' },
      { file: 'sdk/java/README.md', path: 'java-sdk', title: 'Java SDK' },
      { file: 'sdk/php/README.md', path: 'php-sdk', title: 'PHP SDK' },
      { file: 'sdk/cli/README.md', path: 'client', title: 'The command line for developers' },
      { file: 'connect/README.md', path: 'connect', title: 'The drop-in for web pages' },
      { file: 'docs/spec.md', path: 'spec', title: 'Specification' },
      { file: 'docs/glossary.md', path: 'glossary' },
      { file: 'CHANGELOG.md', path: 'changelog' },
    ],
  },
  {
    title: 'Operation',
    pages: [
      { file: 'docs/operate/settings.md', path: 'settings' },
      { file: 'docs/operate/operations.md', path: 'operations' },
      { file: 'docs/operate/upgrading.md', path: 'upgrading' },
      { file: 'docs/deploy/kubernetes.md', path: 'kubernetes' },
      { file: 'docs/scaling.md', path: 'scaling' },
      { file: 'docs/operate/oauth-clients.md', path: 'oauth-clients' },
      { file: 'docs/integrate/provider-language.md', path: 'provider-language' },
      { file: 'SECURITY.md', path: 'security' },
    ],
  },
];

/** Files that are not pages themselves, and the pages that show their content. */
const SHOWN_BY = {
  'docs/guides/README.md': 'index',
  'docs/examples': 'examples',
};

/** The page that shows a file or folder of the repository, with an anchor if it is a part of one; null if none does. */
export function pageOf(file) {
  const page = SECTIONS.flatMap(({ pages }) => pages).find((each) => each.file === file);
  if (page) return page.path;
  if (/^docs\/examples\/./.test(file)) return `examples#${anchorOf(file.replace('docs/examples/', ''))}`;
  return SHOWN_BY[file] ?? null;
}

/** The anchor that GitHub generates for a heading, so that links work in both places. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
