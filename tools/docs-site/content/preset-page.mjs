/** The page of the brands on known protocols, made from the presets of their connectors (decisions 9). */

/** The protocols in the order of the page, with what users of every brand enter. */
const PROTOCOLS = {
  imap: { title: 'Mail providers', name: 'IMAP', inputs: ['E-mail address', 'Password'] },
  webdav: { title: 'Storage by WebDAV', name: 'WebDAV', inputs: ['Address', 'User name', 'Password'] },
  s3: {
    title: 'Storage by S3',
    name: 'S3',
    inputs: ['Region', 'Bucket', 'Access key ID', 'Secret access key'],
  },
};
/** The ids of the fields behind these inputs. */
const IDS = {
  'E-mail address': 'user',
  'User name': 'user',
  Password: 'password',
  Address: 'url',
  Region: 'region',
  Bucket: 'bucket',
  'Access key ID': 'access_key',
  'Secret access key': 'secret_key',
};

const english = (text) => (typeof text === 'string' ? text : text.en);

/** @param presets the presets of each connector by its id */
export function presetPage(presets) {
  const parts = [
    '# Brands on known protocols',
    'Brands with an integration of their own that users find by name and that asks for less than the protocol it uses. This page is made from the list of these brands.',
    'What is fetched, and how often, is the same as with the protocol: see [what is fetched](/guides/what-is-fetched). Every brand is `BETA`: the protocol is tested with real servers, the server of the brand is not.',
  ];
  for (const [id, { title, name, inputs }] of Object.entries(PROTOCOLS)) {
    const sorted = [...presets[id]].sort((a, b) => english(a.name).localeCompare(english(b.name), 'en'));
    parts.push(
      `## ${title}`,
      `The protocol is ${name}, the integration \`${id}\`.`,
      ...sorted.flatMap((preset) => brand(preset, inputs)),
    );
  }
  return { path: 'brands', title: 'Brands on known protocols', markdown: `${parts.join('\n\n')}\n` };
}

function brand({ id, name, aliases, fixed, asks = [], changes = {}, helpUrl, helpSteps = [], oauth }, inputs) {
  const asked = [
    ...asks.map(({ label, help, options }) => need(english(label), help, options)),
    ...inputs
      .filter((input) => !(IDS[input] in fixed))
      .map((input) => ({ label: input, ...changes[IDS[input]] }))
      .map(({ label, help, options }) => need(english(label), help, options)),
  ];
  return [
    `### ${english(name)}`,
    [
      `The integration \`${id}\`.`,
      aliases.length > 0 && `Users also find it as ${aliases.map((alias) => `"${alias}"`).join(', ')}.`,
      serverOf(fixed),
      oauth &&
        'Users allow the access at the provider; the operator registers an [OAuth client](/guides/oauth-clients) for that.',
    ]
      .filter(Boolean)
      .join(' '),
    `The user needs:\n\n${asked.join('\n')}`,
    ...(helpSteps.length === 0
      ? []
      : [`How users get it:\n\n${helpSteps.map((step, at) => `${at + 1}. ${english(step)}`).join('\n')}`]),
    ...(helpUrl === undefined ? [] : [`Where users find it: <${english(helpUrl)}>`]),
  ];
}

const need = (label, help, options) =>
  `- **${label}**${help ? `. ${english(help)}` : ''}${options ? `\n${options.map(({ label: text, value }) => `  - ${english(text)}: \`${value}\``).join('\n')}` : ''}`;

/** `{region}` in an address stands for an input. */
function serverOf({ host, port, url, endpoint }) {
  const server = host ?? url ?? endpoint;
  if (server === '{server}') return 'The user selects the server.';
  if (server === undefined) return 'The user enters the address of the server.';
  if (server === null) return 'The server follows from the region.';
  return `The server is \`${server.replaceAll('{', '<').replaceAll('}', '>')}\`${port ? `, port ${port} with TLS` : ''}.`;
}
