import { configFolder } from './config-folder';

describe('The configuration folder', () => {
  it.each([
    ['win32', 'C:\\Users\\Jo Müller', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\docfetch'],
    ['win32', 'C:\\Users\\Jo Müller', {}, 'C:\\Users\\Jo Müller\\AppData\\Roaming\\docfetch'],
    ['darwin', '/Users/jo', {}, '/Users/jo/Library/Application Support/docfetch'],
    ['linux', '/home/jo', {}, '/home/jo/.config/docfetch'],
    ['linux', '/home/jo', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/docfetch'],
    ['linux', '/home/jo', { XDG_CONFIG_HOME: 'relative' }, '/home/jo/.config/docfetch'],
    ['win32', 'C:\\Users\\jo', { DOCFETCH_CONFIG_DIR: 'E:\\docfetch' }, 'E:\\docfetch'],
  ] as const)('on %s, of %s with %j, is %s', (platform, home, env, expected) => {
    expect(configFolder({ platform, home, env })).toBe(expected);
  });
});
