import { Injectable } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePage } from './guide-page';
import { renderGuide } from './render-guide';

/** In the checkout and in what is built from it. */
const DOCS = join(__dirname, '../../../docs');

/** What of `docs/` is served, rendered once at the start. Only what was found there then can be asked for. */
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

  /** The page of a guide, `README` for the list of all. */
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
