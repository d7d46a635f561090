/** Whether PostgreSQL can store a text: without null characters and without lone surrogates. */
export const isPlainText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
