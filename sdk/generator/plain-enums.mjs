/** Members and parameters of enums become texts, for languages whose enums cannot hold a value that they do not know. */
export function withPlainEnums(document) {
  const isEnum = (reference) => {
    const { enum: values } = document.components.schemas[reference.split('/').at(-1)] ?? {};
    return values !== undefined;
  };
  const plain = (node) => {
    if (Array.isArray(node)) return node.map(plain);
    if (typeof node !== 'object' || node === null) return node;
    const { allOf, $ref, ...others } = node;
    const reference = $ref ?? (allOf?.length === 1 ? allOf[0].$ref : undefined);
    if (reference?.startsWith('#/components/schemas/') && isEnum(reference)) {
      const note = `One of the constants of ${reference.split('/').at(-1)}, or a value of a later version.`;
      return { ...others, type: 'string', description: [others.description, note].filter(Boolean).join(' ') };
    }
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, plain(value)]));
  };
  return plain(document);
}
