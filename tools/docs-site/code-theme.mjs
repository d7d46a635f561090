/**
 * Colors of code without inline styles, which the content security policy forbids: the highlighter marks each token with one
 * of these numbers as its color, and the page gets a class instead. `theme/code.css` has the colors.
 */
const TOKENS = {
  '#000001': { name: 'comment', scope: ['comment', 'punctuation.definition.comment'] },
  '#000002': { name: 'string', scope: ['string', 'punctuation.definition.string', 'markup.inline.raw'] },
  '#000003': { name: 'keyword', scope: ['keyword', 'storage', 'keyword.operator.new'] },
  '#000004': { name: 'number', scope: ['constant', 'variable.language', 'support.constant'] },
  '#000005': { name: 'function', scope: ['entity.name.function', 'support.function', 'entity.name.command'] },
  '#000006': {
    name: 'name',
    scope: [
      'support.type.property-name',
      'entity.name.type',
      'entity.name.class',
      'support.class',
      'variable.parameter',
    ],
  },
};

export const codeTheme = {
  name: 'docfetch',
  type: 'light',
  colors: { 'editor.foreground': '#000000', 'editor.background': '#ffffff' },
  tokenColors: Object.entries(TOKENS).map(([foreground, { scope }]) => ({ scope, settings: { foreground } })),
};

/** A transformer of Shiki: replaces the styles of tokens by classes. */
export const tokenClasses = {
  name: 'token-classes',
  span(node) {
    const color = /#[0-9a-f]{6}/i.exec(node.properties.style ?? '')?.[0].toLowerCase();
    delete node.properties.style;
    const token = TOKENS[color];
    if (token) node.properties.class = `token-${token.name}`;
  },
  pre(node) {
    delete node.properties.style;
  },
};
