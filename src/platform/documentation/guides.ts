import { Injectable } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePage } from './guide-page';
import { renderGuide } from './render-guide';

/** Valid in the checkout and in the build. */
const DOCS = join(__dirname, '../../../docs');

/** The served files of `docs/`, read and rendered once at start-up. Only these files can be requested. */
@Injectable()
export class Guides {
  private readonly pages = new Map<string, string>();
  private readonly examples = new Map<string, string>();

  constructor() {
    for (const [file, text] of textsIn(join(DOCS, 'guides'), '.md')) {
      const { title, content } = renderGuide(text);
      this.pages.set(file.slice(0, -'.md'.length), guidePage(title, content));
    }
    for (const [file, text] of textsIn(join(DOCS, 'examples'), '.mjs')) this.examples.set(file, text);
  }

  /** The page of a guide; `README` is the list of all guides. */
  page(name: string): string | undefined {
    return this.pages.get(name);
  }

  example(file: string): string | undefined {
    return this.examples.get(file);
  }
}

function textsIn(folder: string, ending: string): [file: string, text: string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
}
