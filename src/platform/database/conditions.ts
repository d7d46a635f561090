/** The conditions of a statement whose filters may be left out; its text depends only on which of them are there. */
export class Conditions {
  readonly parameters: unknown[] = [];
  private readonly texts: string[] = [];

  /** Adds a condition in which `?` stands for the value; nothing when there is no value. */
  and(text: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.parameters.push(value);
    this.texts.push(text.replaceAll('?', `$${this.parameters.length}`));
    return this;
  }

  /** `where …`, with parameters numbered from 1. */
  get text(): string {
    return this.texts.length > 0 ? `where ${this.texts.join(' and ')}` : '';
  }
}
