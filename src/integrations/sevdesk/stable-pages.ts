import type { SevdeskDocument, SevdeskPage } from './sevdesk-api';

const PAGE = 250;
/** The maximum number of restarts when the list changes while it is read. */
const MAX_RESTARTS = 3;

export interface StablePage {
  readonly objects: readonly SevdeskDocument[];
  /** False when the list has changed and documents may have been missed. */
  readonly isStable: boolean;
}

/**
 * Reads a list by offset, in which documents that are issued or deleted meanwhile shift the others. Each page starts with the last
 * document of the previous one; when that differs, the list is read again.
 */
export async function* stablePages(
  read: (offset: number, limit: number) => Promise<SevdeskPage>,
): AsyncGenerator<StablePage> {
  let isStable = true;
  let restarts = 0;
  let overlapId: string | null = null;
  for (let position = 0; ;) {
    const offset: number = overlapId === null ? 0 : position - 1;
    const { objects, total } = await read(offset, PAGE);
    const holds = overlapId === null || objects[0]?.id === overlapId;
    if (!holds && restarts < MAX_RESTARTS) {
      restarts += 1;
      position = 0;
      overlapId = null;
      continue;
    }
    isStable &&= holds;
    const fresh: readonly SevdeskDocument[] = overlapId !== null && holds ? objects.slice(1) : objects;
    yield { objects: fresh, isStable: isStable };
    position = offset + objects.length;
    overlapId = objects.at(-1)?.id ?? null;
    const isLast = total !== undefined && Number.isSafeInteger(total) ? position >= total : objects.length < PAGE;
    if (isLast || fresh.length === 0) return;
  }
}
