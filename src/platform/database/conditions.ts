/** The `where` clause of a statement with optional filters; its text depends only on which filters are set. */
export class Conditions {
  readonly parameters: unknown[] = [];
  private readonly texts: string[] = [];

  /** Adds a condition in which `?` stands for the value; does nothing when the value is null or undefined. */
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
