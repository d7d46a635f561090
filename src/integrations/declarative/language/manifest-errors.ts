import { basename } from 'node:path';
import { type Document, isNode, type LineCounter } from 'yaml';

/** The place of a value in a manifest: names of members and indexes of lists. */
export type Place = readonly (string | number)[];

/** The errors of one manifest, each as a sentence with file and line. */
export class ManifestErrors {
  private readonly sentences = new Map<string, number>();

  constructor(
    private readonly file: string,
    private readonly document?: Document,
    private readonly lines?: LineCounter,
  ) {}

  /** Every error, in the order of the lines. */
  get list(): readonly string[] {
    return [...this.sentences].sort(([, a], [, b]) => a - b).map(([sentence]) => sentence);
  }

  get isEmpty(): boolean {
    return this.sentences.size === 0;
  }

  add(place: Place, sentence: string): void {
    const path = place.length === 0 ? '' : `${place.join('.')}: `;
    this.addAt(this.lineOf(place), path + sentence);
  }

  /** @param line from 1 */
  addAt(line: number, sentence: string): void {
    this.sentences.set(`${basename(this.file)}:${line}: ${sentence}`, line);
  }

  /** The line of a value; of the nearest value around it when it is missing or merged from elsewhere. */
  private lineOf(place: Place): number {
    for (let length = place.length; length >= 0; length--) {
      const node = this.document?.getIn(place.slice(0, length), true);
      if (isNode(node) && node.range) return this.lines!.linePos(node.range[0]).line;
    }
    return 1;
  }
}
