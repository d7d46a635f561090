interface Immutable {
  equals(other: Immutable): boolean;
  getIn(path: readonly string[]): Immutable | undefined;
  toJS(): unknown;
}
type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => unknown;
type Tree = Readonly<Record<string, unknown>>;
/** Resolves the references in the part of the document at a path, with options of Swagger UI. */
type ResolveSubtree = (document: Tree, path: readonly string[], ...options: unknown[]) => Promise<unknown>;
interface SwaggerSystem {
  readonly React: {
    createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
    memo(component: Component, areEqual: (before: Props, after: Props) => boolean): Component;
  };
  readonly specSelectors: { specJson(): Immutable };
  readonly fn: { readonly resolveSubtree: ResolveSubtree };
}

/**
 * A Swagger UI plugin: our header and landmarks around the page, and the code samples of an operation before its
 * responses. Swagger UI analyzes the whole document for each operation that is opened, which takes seconds: it gets only the part of
 * the document that the operation refers to. Like the functions of `page-functions.ts`, it is written into the page's script.
 */
export function docfetchPlugin({ fn: { resolveSubtree } }: SwaggerSystem): object {
  const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

  /** The path of a component, or null for a reference to anything else. */
  const componentOf = (reference: string) => {
    const [, kind, name] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(reference) ?? [];
    return kind && name ? ['components', kind, name] : null;
  };

  /** The document with only the value at `path` and the components that it refers to; the whole one when it refers to anything else. */
  function excerptOf(document: Tree, path: readonly string[]): Tree {
    const excerpt: Record<string, unknown> = { ...document, paths: {}, components: {}, webhooks: {} };
    const waiting = [path];
    const copied = new Set<string>();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const key = next.join('\n');
      if (copied.has(key)) continue;
      copied.add(key);
      const value = next.reduce<unknown>((at, name) => (isTree(at) ? at[name] : undefined), document);
      const last = next.at(-1);
      if (!isTree(value) || last === undefined) return document;
      const parent = next.slice(0, -1).reduce((at, name) => (at[name] ??= {}) as Record<string, unknown>, excerpt);
      parent[last] = value;
      const parts: unknown[] = [value];
      for (let part = parts.pop(); part; part = parts.pop()) {
        const { $ref } = part as { readonly $ref?: unknown };
        if (typeof $ref === 'string') {
          const component = componentOf($ref);
          if (!component) return document;
          waiting.push(component);
        }
        parts.push(...Object.values(part).filter(isTree));
      }
    }
    return excerpt;
  }

  /** The component, which is rendered again only with other properties. */
  const remembered =
    (areEqual: (before: Props, after: Props) => boolean) =>
    (Original: Component, { React }: SwaggerSystem) => {
      const Remembered = React.memo(Original, areEqual);
      return (props: Props) => React.createElement(Remembered, props);
    };

  return {
    fn: {
      resolveSubtree: ((document, path, ...options) =>
        resolveSubtree(excerptOf(document, path), path, ...options)) satisfies ResolveSubtree,
    },
    wrapComponents: {
      // A link inside the button that opens an operation cannot be focused separately (WCAG 4.1.2).
      DeepLink: (_: Component, system: SwaggerSystem) => (props: Props) =>
        system.React.createElement('span', null, props.text),
      // Swagger UI renders the whole page again for each click: all texts are read and sanitized, and all closed operations built.
      Markdown: remembered((before, after) => before.source === after.source && before.className === after.className),
      operation: remembered(
        (before, after) =>
          !before.isShown && !after.isShown && (before.operation as Immutable).equals(after.operation as Immutable),
      ),
      BaseLayout: (Original: Component, system: SwaggerSystem) => (props: Props) => {
        const { React } = system;
        const link = (href: string, text: string) => React.createElement('a', { key: href, href }, text);
        return React.createElement(
          'div',
          { className: 'swagger-ui' },
          React.createElement(
            'header',
            { className: 'docfetch-header' },
            React.createElement('a', { href: '/docs', className: 'docfetch-logo' }, 'Docfetch'),
            React.createElement(
              'nav',
              { 'aria-label': 'Documentation' },
              link('/guides/', 'Guides'),
              link('/docs/errors', 'Errors'),
              link('/openapi.json', 'openapi.json'),
            ),
          ),
          React.createElement(Original, props),
        );
      },
      InfoContainer: (Original: Component, system: SwaggerSystem) => (props: Props) =>
        system.React.createElement(
          'section',
          { 'aria-label': 'About this API' },
          system.React.createElement(Original, props),
        ),
      authorizeBtn: (Original: Component, system: SwaggerSystem) => (props: Props) =>
        system.React.createElement(
          'section',
          { 'aria-label': 'Authorization' },
          system.React.createElement(Original, props),
        ),
      responses: (Original: Component, system: SwaggerSystem) => (props: Props) => {
        const { React } = system;
        const place = ['paths', String(props.path), String(props.method), 'x-codeSamples'];
        const samples = (system.specSelectors.specJson().getIn(place)?.toJS() ?? []) as {
          readonly label: string;
          readonly source: string;
        }[];
        return React.createElement(
          'div',
          null,
          ...samples.map(({ label, source }) =>
            React.createElement(
              'details',
              { key: label, className: 'docfetch-sample' },
              React.createElement('summary', null, label),
              React.createElement('pre', { tabIndex: 0 }, React.createElement('code', null, source)),
            ),
          ),
          React.createElement(Original, props),
        );
      },
    },
  };
}
