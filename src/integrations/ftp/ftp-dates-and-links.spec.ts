import { HOME } from '../../../test/fakes/ftp/fake-ftp-server';
import { useFtp } from '../../../test/harness/connectors/use-ftp';
import { ftp } from './ftp';

const source = useFtp();

describe('The start date on an FTP server whose listings have no time zone', () => {
  const HOUR_MS = 3_600_000;
  const names = async (startdate: string, zone: string) =>
    (await source.listed(source.session({ time_zone: zone }), startdate)).map(({ filename }) => filename).sort();

  it('is compared with exact times when a listing has days only', async () => {
    await source.start({ hasFacts: false });
    source.server.put('abends.pdf', 'x', new Date('2026-01-10T20:00:00Z'));
    source.server.put('nachts.pdf', 'y', new Date('2026-01-10T04:00:00Z')); // still the 9th in New York
    source.server.put('lange-vorher.pdf', 'z', new Date('2025-12-10T04:00:00Z'));
    expect(await names('2026-01-10', 'America/New_York')).toEqual(['abends.pdf']);
    expect(source.server.commands.filter((command) => command.startsWith('MDTM'))).toHaveLength(2);
  });

  it('is compared with exact times when a listing has local times', async () => {
    await source.start({ hasFacts: false });
    const day = new Date(Date.now() - 30 * 24 * HOUR_MS).toISOString().slice(0, 10);
    source.server.put('vorher.pdf', 'x', new Date(Date.parse(day) - HOUR_MS));
    source.server.put('nachher.pdf', 'y', new Date(Date.parse(day) + HOUR_MS));
    expect(await names(day, 'UTC')).toEqual(['nachher.pdf']);
  });

  it('includes files that may be newer when the server has no exact times', async () => {
    await source.start({ hasFacts: false });
    source.server.refuse = (command) => (command.startsWith('MDTM') ? '500 ?' : undefined);
    source.server.put('tags.pdf', 'x', new Date('2026-01-10T20:00:00Z'));
    source.server.put('lange-vorher.pdf', 'z', new Date('2026-01-08T04:00:00Z'));
    expect(await names('2026-01-10', 'America/New_York')).toEqual(['tags.pdf']);
  });
});

it('fetches every file that is a link, however many a folder has, and checks no link when it lists folders', async () => {
  await source.start();
  source.server.put('ziel.pdf', '%PDF-1.7 z');
  for (let n = 0; n < 300; n++) source.server.files.link(`${HOME}/links/${n}.pdf`, `${HOME}/ziel.pdf`);
  expect(await source.listed(source.session())).toHaveLength(301);
  source.server.commands.splice(0);
  await ftp.options!(source.session(), 'folders', 'links');
  expect(source.server.commands.filter((command) => /^(MLST|SIZE)/.test(command))).toEqual([]);
});

describe.each([
  ['that lists with facts but without `unique`', true],
  ['that lists as `ls -l` would', false],
])('An FTP server %s and lists links as their targets', (_, hasFacts) => {
  beforeEach(() => source.start({ hasFacts, hidesLinks: true }));
  const shown = async () => (await source.listed(source.session())).map(({ metadata }) => metadata.source!.path).sort();
  const visits = () => source.server.commands.filter((command) => /^(MLSD|LIST)/.test(command)).length;

  it('is traversed without cycles, and no file is listed twice', async () => {
    source.server.put('a/1.pdf', '%PDF-1.7 1');
    source.server.put('b/tief/2.pdf', '%PDF-1.7 2');
    for (const name of ['hoch', 'auf']) source.server.files.link(`${HOME}/a/${name}`, HOME);
    source.server.files.link(`${HOME}/a/selbst`, `${HOME}/a`);
    source.server.files.link(`${HOME}/b/tief/hoch`, `${HOME}/b`);
    source.server.files.link(`${HOME}/b/drüben`, `${HOME}/a`);
    expect(await shown()).toEqual(['a/1.pdf', 'b/drüben/1.pdf', 'b/tief/2.pdf']);
    expect(visits()).toBeLessThan(60);
  });

  it('may have any number of folders that resemble their parents', async () => {
    source.server.put('x/x/x/x/1.pdf', '%PDF-1.7 1');
    source.server.put('y/y/2.pdf', '%PDF-1.7 2');
    expect(await shown()).toEqual(['x/x/x/x/1.pdf', 'y/y/2.pdf']);
  });
});
