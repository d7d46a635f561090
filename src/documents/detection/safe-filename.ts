const MAX_LENGTH = 255;

/**
 * A file name that can be shown and saved anywhere: without folders, control characters and bidirectional overrides, at
 * most 255 characters with its extension kept, never empty. Everything else is kept as in the source.
 */
export function safeFilename(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim();
  if (plain === '' || /^\.+$/.test(plain)) return 'document';
  const characters = [...plain];
  if (characters.length <= MAX_LENGTH) return plain;
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(plain)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - extension.length).join('') + extension;
}
