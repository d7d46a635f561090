import { formerSecretsEnd, retirementAfter, rotateSecrets } from './signing-secret';

const NOW = new Date('2026-11-20T08:30:00Z');
const hours = (count: number) => retirementAfter(NOW, count).toISOString();

describe('rotating signing secrets (decisions 4)', () => {
  it('lets the former secret sign until the end of the transition period', () => {
    expect(rotateSecrets([{ secret: 'a', retiresAt: null }], 'b', NOW, retirementAfter(NOW, 24))).toEqual([
      { secret: 'b', retiresAt: null },
      { secret: 'a', retiresAt: hours(24) },
    ]);
  });

  it('never prolongs the life of a secret that was replaced before, and shortens it after a leak', () => {
    const secrets = [
      { secret: 'b', retiresAt: null },
      { secret: 'a', retiresAt: hours(2) },
    ];
    expect(rotateSecrets(secrets, 'c', NOW, retirementAfter(NOW, 72))).toEqual([
      { secret: 'c', retiresAt: null },
      { secret: 'b', retiresAt: hours(72) },
      { secret: 'a', retiresAt: hours(2) },
    ]);
    expect(rotateSecrets(secrets, 'c', NOW, retirementAfter(NOW, 1))[2]).toEqual({ secret: 'a', retiresAt: hours(1) });
    expect(rotateSecrets(secrets, 'c', NOW, NOW)).toEqual([{ secret: 'c', retiresAt: null }]);
  });

  it('removes secrets that have retired, and the oldest of more than three', () => {
    const secrets = [
      { secret: 'd', retiresAt: null },
      { secret: 'c', retiresAt: hours(3) },
      { secret: 'b', retiresAt: hours(2) },
      { secret: 'a', retiresAt: hours(-1) },
    ];
    const names = rotateSecrets(secrets, 'e', NOW, retirementAfter(NOW, 24)).map(({ secret }) => secret);
    expect(names).toEqual(['e', 'd', 'c']);
  });

  it('tells when the last of the former secrets stops signing', () => {
    expect(formerSecretsEnd([{ secret: 'a', retiresAt: null }], NOW)).toBeNull();
    const secrets = [
      { secret: 'd', retiresAt: null },
      { secret: 'c', retiresAt: hours(2) },
      { secret: 'b', retiresAt: hours(3) },
      { secret: 'a', retiresAt: hours(-1) },
    ];
    expect(formerSecretsEnd(secrets, NOW)).toEqual(retirementAfter(NOW, 3));
    expect(formerSecretsEnd(secrets.slice(3), NOW)).toBeNull();
  });
});
