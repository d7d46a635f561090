import type { OperationExamples } from './named-example';

/** Examples of the operations of the console. */
export const CONSOLE_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  openConsoleSession: {
    request: {
      link: {
        summary: 'With a link of the support team',
        value: { link: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' },
      },
      key: {
        summary: 'With an API key',
        value: { api_key: 'df_test_u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' },
      },
    },
  },
};
