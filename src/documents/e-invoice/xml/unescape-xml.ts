const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Replaces character references and XML's five entities; what is neither becomes U+0000, which XML does not permit. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\w+));/g,
    (_all, decimal, hex, name: string | undefined) => {
      if (name) return NAMED.get(name) ?? '\0';
      const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\0' : String.fromCodePoint(code);
    },
  );
}
