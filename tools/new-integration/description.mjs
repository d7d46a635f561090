/** Reads an OpenAPI 3 description. */

/** A description whose references are followed on access. */
export class Description {
  constructor(document) {
    this.document = document;
  }

  /** A value without a reference. A chain of references ends after ten. */
  at(value) {
    for (let depth = 0; value?.$ref !== undefined && depth < 10; depth++) {
      const names = value.$ref.replace(/^#\//, '').split('/');
      value = names.reduce((node, name) => node?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
    }
    return value ?? {};
  }

  /** The GET operations: their paths, query parameters by name, and the schema of a successful JSON answer. */
  get reads() {
    return Object.entries(this.document.paths ?? {}).flatMap(([path, given]) => {
      const item = this.at(given);
      if (!item.get) return [];
      const parameters = [...(item.parameters ?? []), ...(item.get.parameters ?? [])].map((each) => this.at(each));
      const response = this.at(item.get.responses?.['200'] ?? item.get.responses?.['2XX'] ?? item.get.responses?.[200]);
      const types = Object.keys(response.content ?? {});
      const json = types.find((type) => /json/.test(type));
      return [
        {
          path,
          query: parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name),
          types,
          schema: json === undefined ? undefined : this.at(response.content[json].schema),
        },
      ];
    });
  }

  /** The properties of an object, also of one that is composed. */
  properties(schema, depth = 0) {
    const own = this.at(schema);
    if (depth > 5) return {};
    const parts = [...(own.allOf ?? []), ...(own.oneOf ?? []).slice(0, 1), ...(own.anyOf ?? []).slice(0, 1)];
    return Object.assign({}, ...parts.map((part) => this.properties(part, depth + 1)), own.properties);
  }

  /** Where an answer has its records, and their properties; null when it is no list. */
  records(schema, depth = 0) {
    const own = this.at(schema);
    if (own.type === 'array') return { items: '.', properties: this.properties(own.items) };
    if (depth > 2) return null;
    for (const [name, property] of Object.entries(this.properties(own))) {
      const value = this.at(property);
      if (value.type === 'array' && Object.keys(this.properties(value.items)).length > 0)
        return { items: name, properties: this.properties(value.items) };
    }
    for (const name of ['_embedded', 'data', 'result']) {
      const inner = this.properties(own)[name];
      const found = inner && this.records(inner, depth + 1);
      if (found) return { ...found, items: found.items === '.' ? name : `${name}.${found.items}` };
    }
    return null;
  }
}
