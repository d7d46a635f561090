/** Formats ascending UIDs as a sequence set with ranges (`1:3,7`), because command lines should be short (RFC 7162 section 4). */
export function sequenceSet(uids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const uid of uids) {
    const range = ranges.at(-1);
    if (range && uid === range.last + 1) range.last = uid;
    else ranges.push({ first: uid, last: uid });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}:${last}`)).join(',');
}
