import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRules, testedAlerts } from './monitoring-files';

const RUNBOOKS = 'https://docfetch.example.com/guides/operations';

describe('The alerts', () => {
  it('are tested, and their runbooks are the sections of operations.md', () => {
    const alerts = readRules().filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(20);
    const page = readFileSync(join(__dirname, '../../../docs/operate/operations.md'), 'utf8');
    const { raised, notRaised } = testedAlerts();
    for (const { alert, labels, annotations } of alerts) {
      const [site, anchor] = annotations!.runbook_url!.split('#');
      expect([site, anchor]).toEqual([RUNBOOKS, alert!.toLowerCase()]);
      expect([alert, raised.has(alert!), notRaised.has(alert!)]).toEqual([alert, true, true]);
      expect(annotations!.summary).toMatch(/^.+\.$/);
      expect(['page', 'ticket']).toContain(labels!.severity);
    }
    const sections = [...page.matchAll(/^### (Docfetch\w+)$/gm)].map(([, alert]) => alert);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
  });
});
