import type { SevdeskDocument, SevdeskPage } from './sevdesk-api';

const PAGE = 250;
/** So often a list is read anew when it moves while it is being read. */
const MAX_RESTARTS = 3;

export interface StablePage {
  readonly objects: readonly SevdeskDocument[];
  /** False: the list did not stand still, and something of it may have been missed. */
  readonly isStable: boolean;
}

/**
 * A list that is read by position, where whatever is issued or deleted meanwhile moves the rest. Each page begins with the last
 * document of the one before; when it is another one, the list is read anew.
 */
export async function* stablePages(
  read: (offset: number, limit: number) => Promise<SevdeskPage>,
): AsyncGenerator<StablePage> {
  let isSteady = true;
  let restarts = 0;
  let seam: string | null = null;
  for (let position = 0; ;) {
    const offset: number = seam === null ? 0 : position - 1;
    const { objects, total } = await read(offset, PAGE);
    const holds = seam === null || objects[0]?.id === seam;
    if (!holds && restarts < MAX_RESTARTS) {
      restarts += 1;
      position = 0;
      seam = null;
      continue;
    }
    isSteady &&= holds;
    const fresh: readonly SevdeskDocument[] = seam !== null && holds ? objects.slice(1) : objects;
    yield { objects: fresh, isStable: isSteady };
    position = offset + objects.length;
    seam = objects.at(-1)?.id ?? null;
    const isLast = total !== undefined && Number.isSafeInteger(total) ? position >= total : objects.length < PAGE;
    if (isLast || fresh.length === 0) return;
  }
}
